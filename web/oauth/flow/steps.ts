/** The steps of each grant, in order, and the requirements and RFCs that each follows. */
import type { Grant } from '../model/index.ts'
import type { Step } from '../wire/index.ts'
import { authorization, preparation } from './steps/authorization-request.ts'
import { callback } from './steps/authorization-response.ts'
import { authorizationServer, serverMetadata } from './steps/authorization-server.ts'
import { challenge } from './steps/challenge.ts'
import { registration } from './steps/registration.ts'
import { resourceMetadata } from './steps/resource-metadata.ts'
import { assertion, token, use } from './steps/token.ts'
import type { AuthStep } from '../../mcp/index.ts'

/**
 * @param resourceMetadataExists whether the protocol version has protected resource metadata (AU-PRM-01)
 * @param held scopes requested earlier (AU-SCOPE-04)
 */
export const stepsOf = (grant: Grant, resourceMetadataExists: boolean, held?: string): readonly Step[] => {
  const discovery = [
    challenge,
    ...(resourceMetadataExists ? [resourceMetadata] : []),
    authorizationServer,
    serverMetadata,
    registration(held),
  ]
  switch (grant) {
    case 'authorization-code':
      return [...discovery, preparation(held), authorization, callback, token(), use]
    case 'client-credentials':
      return [...discovery, token(held), use]
    case 'enterprise':
    case 'workload':
      return [...discovery, assertion(held), token(held), use]
  }
}

const RULES: ReadonlyMap<AuthStep, readonly string[]> = new Map([
  ...[...stepsOf('authorization-code', true), ...stepsOf('enterprise', true)].map(
    ({ id, rules }) => [id, rules] as const,
  ),
  ['refresh', ['AU-TOK-03', 'AU-TOK-04', 'RFC 6749 section 6']],
  ['revocation', ['RFC 7009']],
])

/** The most informative first: violated rules, then RFCs, then the rest. */
export const rulesOf = (step: AuthStep, broken: readonly string[]): readonly string[] => {
  const rules = RULES.get(step) ?? []
  const isRfc = (rule: string) => rule.startsWith('RFC ')
  return [...new Set([...broken, ...rules.filter(isRfc), ...rules.filter((rule) => !isRfc(rule))])]
}
