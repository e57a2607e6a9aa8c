/** What the list of stored sessions needs of the window. */
import type { Sessions } from './sessions.svelte.ts'

export interface SessionHost {
  readonly sessions: Sessions
  readonly recordings: { openKept(id: string): Promise<void> }
  report(error: unknown): void
}
