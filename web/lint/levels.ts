/** How strict a rule is in a protocol version, from the list of requirements. The only source of levels. */
import { REVISIONS, type FindingOrAdvice, type Revision } from '../mcp/index.ts'
import type { Requirement, Weight } from './requirements.ts'

export type Level = FindingOrAdvice['keyword']

export interface Levels {
  /** @returns `undefined` if the protocol version doesn't have the rule, or the rule isn't in the list */
  (rule: string, revision: Revision | undefined): Level | undefined
  has(rule: string): boolean
}

/** Without a known protocol version, only rules common to all versions apply, at their mildest level. */
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
  // The rule has no keyword there, but the schema or plain logic requires it: use the level of the newest version.
  return keyword.startsWith('MUST') ? 'MUST' : keyword.startsWith('SHOULD') ? 'SHOULD' : 'MAY'
}
