/** What bookmarks need of the window. */
import type { Seq, Trace } from '../../mcp/index.ts'
import type { Sessions } from '../sessions/index.svelte.ts'
import type { Recording } from './recording.svelte.ts'

export interface BookmarkHost {
  readonly sessions: Sessions
  readonly trace: Trace
  /** The one that is looked at. */
  readonly recording: Recording | undefined
  readonly selectedFrame: Seq | undefined
  reveal(seq: Seq): void
}
