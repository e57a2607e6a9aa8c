/** When servers were notified that the roots changed (CF-ROOT-03). */
import { type Fold, type Link, type Seq, messagesIn } from '../../mcp/index.ts'

export interface ListChangedNotification {
  readonly seq: Seq
  /** ms since the trace began. */
  readonly at: number
}

const KEPT = 200

export const listChangedFold: Fold<Map<Link, ListChangedNotification[]>> = {
  initial: () => new Map(),
  step(state, { kind, link, seq, at, ...frame }) {
    if (kind !== 'message' || !('direction' in frame) || frame.direction !== 'sent') return false
    if (!messagesIn(frame.message).some(({ method }) => method === 'notifications/roots/list_changed')) return false
    state.set(link, [...(state.get(link) ?? []), { seq, at }].slice(-KEPT))
  },
}
