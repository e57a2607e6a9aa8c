/** The requests that read each resource and their outcomes: the same for a session and a recording. */
import type { Exchanges, JsonObject, Trace } from '../../mcp/index.ts'
import { plainOutcomeOf, type PlainOutcome, roundsFold, type Rounds } from '../calls/index.ts'

export const readsFold = roundsFold('resources/read', 'uri')

export const outcomeOf = (rounds: Rounds, { bySeq }: Exchanges, trace: Trace): PlainOutcome | undefined =>
  plainOutcomeOf(rounds, bySeq, (seq) => trace.at(seq))

/** What is wrong with the result of a read, as a code for the catalogues. */
export interface ReadFinding {
  readonly code: 'no-contents' | 'empty-contents'
  readonly rule: string
  readonly keyword: 'MUST' | 'MUST NOT'
}

/** @param revision of the session; from 2026-07-28 on nothing at all is no way to say "not found" (SF-RES-05) */
export const readFindings = ({ contents }: JsonObject, revision?: string): readonly ReadFinding[] => {
  if (!Array.isArray(contents)) return [{ code: 'no-contents', rule: 'SF-RES-03', keyword: 'MUST' }]
  if (contents.length > 0 || (revision !== undefined && revision < '2026-07-28')) return []
  return [{ code: 'empty-contents', rule: 'SF-RES-05', keyword: 'MUST NOT' }]
}

/**
 * Whether an error says that there is no such resource, and how sure that is (BP-35, BP-36). `legacy`: the code of before
 * 2026-07-28 in a later revision. `maybe`: a code that says no more than that something is wrong with the parameters.
 */
export const notFound = (code: number, revision?: string): 'sure' | 'legacy' | 'maybe' | undefined => {
  const modern = revision !== undefined && revision >= '2026-07-28'
  if (code === -32002) return modern ? 'legacy' : 'sure'
  if (code === -32602) return modern ? 'sure' : 'maybe'
  return undefined
}
