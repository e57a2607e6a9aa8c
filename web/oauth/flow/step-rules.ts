/** The requirements and RFCs that each step follows, for whoever wants to read. */
import type { AuthStep } from '../../mcp/index.ts'
import { stepsOf } from './steps.ts'

const RULES: ReadonlyMap<AuthStep, readonly string[]> = new Map([
  ...[...stepsOf('authorization-code', true), ...stepsOf('enterprise', true)].map(
    ({ id, rules }) => [id, rules] as const,
  ),
  ['refresh', ['AU-TOK-03', 'AU-TOK-04', 'RFC 6749 section 6']],
  ['revocation', ['RFC 7009']],
])

/** Those that tell most come first: what was broken, then RFCs, then the rest. */
export const rulesOf = (step: AuthStep, broken: readonly string[]): readonly string[] => {
  const rules = RULES.get(step) ?? []
  const isRfc = (rule: string) => rule.startsWith('RFC ')
  return [...new Set([...broken, ...rules.filter(isRfc), ...rules.filter((rule) => !isRfc(rule))])]
}
