/** The trace view: rows, filter language, timeline, and the detail of a frame. */
import type { Frame } from '../mcp/index.ts'
import type { MenuItem } from '../ui/index.svelte.ts'

/** An action that the trace doesn't know itself. `call`: repeats something; `keep`: shares or marks the frame. */
export interface RowAction extends MenuItem {
  readonly group: 'call' | 'keep'
}

export type { FindingSource, RuleBook } from './found.ts'

/** Transforms frames that leave the page through the clipboard: removes secrets, and returns how many. */
export type Leaving = (
  frames: readonly Frame[],
) => Promise<{ readonly frames: readonly Frame[]; readonly removed: number }>
