/** What faults did on each connection, live and in recordings alike. */
import type { Fold, Link, Seq } from '../mcp/index.ts'

export interface FaultsState {
  /** Faults that were injected. */
  readonly injected: number
  /** The latest of them. */
  readonly last: Seq
}

export const faultsFold: Fold<Map<Link, FaultsState>> = {
  initial: () => new Map(),
  step(state, frame) {
    if (frame.kind !== 'fault' || frame.event !== 'injected') return false
    const before = state.get(frame.link)
    state.set(frame.link, { injected: (before?.injected ?? 0) + 1, last: frame.seq })
  },
}
