/** The trace view: rows, filter language, timeline, and the detail of a frame. */
import type { Frame } from '../mcp/index.ts'

export type { FindingSource, RuleBook } from './found.ts'

/** Transforms frames that leave the page through the clipboard: removes secrets, and returns how many. */
export type Leaving = (
  frames: readonly Frame[],
) => Promise<{ readonly frames: readonly Frame[]; readonly removed: number }>
