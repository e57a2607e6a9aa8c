/** When servers were told that their roots changed. */
import { isObject, type Fold, type Json, type Link, type Seq } from '../../mcp/index.ts'

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
    const parts: readonly Json[] = Array.isArray(frame.message) ? frame.message : [frame.message ?? null]
    if (!parts.some((part) => isObject(part) && part.method === 'notifications/roots/list_changed')) return false
    state.set(link, [...(state.get(link) ?? []), { seq, at }].slice(-KEPT))
  },
}
