/** The trace view: rows, filter language, timeline, and the detail of a frame. */
import type { Frame } from '../mcp/index.ts'
import type { MenuItem } from '../ui/index.svelte.ts'

/** What can be done with a frame that the trace doesn't know itself. */
export interface RowActions {
  /** Repeats a call. */
  readonly call: readonly MenuItem[]
  /** Shares or marks the frame. */
  readonly keep: readonly MenuItem[]
}

export type { FindingSource, RuleBook } from './found.ts'

/** Transforms frames that leave the page through the clipboard: removes secrets, and returns how many. */
export type Leaving = (
  frames: readonly Frame[],
) => Promise<{ readonly frames: readonly Frame[]; readonly removed: number }>
