/** What becomes of frames that leave the page by the clipboard. */
import type { Frame } from '../mcp/index.ts'

/** Takes out what is secret, and says how much that was. */
export type Leaving = (
  frames: readonly Frame[],
) => Promise<{ readonly frames: readonly Frame[]; readonly removed: number }>
