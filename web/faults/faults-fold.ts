/** What faults did on each connection, live and in recordings alike. */
import type { Fold, Link, Seq } from '../mcp/index.ts'

/** Faults whose frames are remembered. */
const MOST_RECENT = 100

export interface FaultsState {
  /** Frames of the latest injected faults, in order. */
  readonly recent: readonly Seq[]
}

export const faultsFold: Fold<Map<Link, FaultsState>> = {
  initial: () => new Map(),
  step(state, frame) {
    if (frame.kind !== 'fault' || frame.event !== 'injected') return false
    const before = state.get(frame.link)?.recent ?? []
    state.set(frame.link, { recent: [...before.slice(1 - MOST_RECENT), frame.seq] })
  },
}
