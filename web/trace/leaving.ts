/** Transforms frames that leave the page through the clipboard. */
import type { Frame } from '../mcp/index.ts'

/** Removes secrets, and returns how many. */
export type Leaving = (
  frames: readonly Frame[],
) => Promise<{ readonly frames: readonly Frame[]; readonly removed: number }>
