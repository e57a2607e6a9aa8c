/** When servers were told that their roots changed. */
import { type Fold, type Link, type Seq, messagesIn } from '../../mcp/index.ts'

export interface Told {
  readonly seq: Seq
  /** ms since the trace began. */
  readonly at: number
}

const KEPT = 200

export const toldFold: Fold<Map<Link, Told[]>> = {
  initial: () => new Map(),
  step(state, { kind, link, seq, at, ...frame }) {
    if (kind !== 'message' || !('direction' in frame) || frame.direction !== 'sent') return false
    if (!messagesIn(frame.message).some(({ method }) => method === 'notifications/roots/list_changed')) return false
    state.set(link, [...(state.get(link) ?? []), { seq, at }].slice(-KEPT))
  },
}
