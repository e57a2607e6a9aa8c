/** How strongly a rule asks in a revision, taken from the list of requirements: the one place that says it. */
import { REVISIONS, type FindingOrAdvice, type Revision } from '../mcp/index.ts'
import type { Requirement, Weight } from './requirements.ts'

export type Level = FindingOrAdvice['keyword']

export interface Levels {
  /** @returns `undefined` where the revision does not have the rule, or the rule is not in the list */
  (rule: string, revision: Revision | undefined): Level | undefined
  has(rule: string): boolean
}

/** Without a revision only rules that all revisions have apply, as strongly as the mildest of them asks. */
export const levelsOf = (requirements: readonly Requirement[]): Levels => {
  const rows = new Map(requirements.map((row) => [row.id, row]))
  const level = (rule: string, revision: Revision | undefined): Level | undefined => {
    const row = rows.get(rule)
    if (!row) return undefined
    if (revision !== undefined) return row.revisions[revision] && levelOf(row, row.revisions[revision])
    const levels = REVISIONS.map((each) => row.revisions[each] && levelOf(row, row.revisions[each]))
    return levels.includes(undefined) ? undefined : ORDER.find((level) => levels.includes(level))
  }
  return Object.assign(level, { has: (rule: string) => rows.has(rule) })
}

const ORDER: readonly Level[] = ['ADVICE', 'MAY', 'SHOULD', 'MUST']

const levelOf = ({ keyword }: Requirement, weight: Weight): Level => {
  if (keyword === 'advice') return 'ADVICE'
  if (weight === 'M') return 'MUST'
  if (weight === 'S') return 'SHOULD'
  if (weight === 'Y') return 'MAY'
  // No keyword there, but the schema or plain logic needs it: as strongly as the newest revision words it.
  return keyword.startsWith('MUST') ? 'MUST' : keyword.startsWith('SHOULD') ? 'SHOULD' : 'MAY'
}
