/** Whether a read's response says that the resource doesn't exist (BP-35, BP-36, SF-RES-05). */
import type { JsonObject } from '../../mcp/index.ts'

/** A problem of a read's result, as a code for the catalogues. */
export interface ReadFinding {
  readonly code: 'no-contents' | 'empty-contents'
  readonly rule: string
  readonly keyword: 'MUST' | 'MUST NOT'
}

/** @param revision of the session; since 2026-07-28 empty contents aren't a valid “not found” (SF-RES-05) */
export const readFindings = ({ contents }: JsonObject, revision?: string): readonly ReadFinding[] => {
  if (!Array.isArray(contents)) return [{ code: 'no-contents', rule: 'SF-RES-03', keyword: 'MUST' }]
  if (contents.length > 0 || (revision !== undefined && revision < '2026-07-28')) return []
  return [{ code: 'empty-contents', rule: 'SF-RES-05', keyword: 'MUST NOT' }]
}

/**
 * Whether an error means that the resource doesn't exist (BP-35, BP-36). `legacy`: the code from before 2026-07-28,
 * used in a later version. `maybe`: a code that only means invalid parameters.
 */
export const notFound = (code: number, revision?: string): 'sure' | 'legacy' | 'maybe' | undefined => {
  const modern = revision !== undefined && revision >= '2026-07-28'
  if (code === -32002) return modern ? 'legacy' : 'sure'
  if (code === -32602) return modern ? 'sure' : 'maybe'
  return undefined
}
