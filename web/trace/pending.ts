/**
 * Finds the exchanges that a frame has just settled, for readers that keep a mark per exchange and can't visit all of
 * them.
 */
import { type Exchange, type Exchanges, type Frame, type Projection, type Seq } from '../mcp/index.ts'

export class PendingExchanges {
  readonly #exchanges: Projection<Exchanges>
  readonly #open = new Set<Exchange>()

  /** @param from exchanges with an earlier request are skipped */
  constructor(exchanges: Projection<Exchanges>, from: Seq = 0) {
    this.#exchanges = exchanges
    const { all } = exchanges.current
    for (let at = all.length - 1; at >= 0 && all[at]!.request >= from; at--) {
      if (all[at]!.status === 'pending') this.#open.add(all[at]!)
    }
  }

  /** Call once per new frame, after the exchanges have seen it. */
  settledBy(frame: Frame): readonly Exchange[] {
    const { bySeq } = this.#exchanges.current
    if (frame.kind === 'message') {
      // One batch may contain many requests and responses, and `bySeq` refers to only one of them.
      if (frame.type === 'batch') return this.#sweepBatch(frame)
      return this.#check(bySeq.get(frame.seq), frame)
    }
    if (frame.kind !== 'session') return NONE
    // The end of a connection settles everything that was pending on it.
    if (frame.phase === 'closed' || frame.phase === 'failed') return this.#sweep()
    return frame.phase === 'gave-up' ? this.#check(bySeq.get(frame.request), frame) : NONE
  }

  #check(exchange: Exchange | undefined, frame: Frame): readonly Exchange[] {
    if (!exchange) return NONE
    if (exchange.status === 'pending') {
      if (exchange.request === frame.seq) this.#open.add(exchange)
      return NONE
    }
    return this.#open.delete(exchange) ? [exchange] : NONE
  }

  #sweep(): readonly Exchange[] {
    const settled = [...this.#open].filter((exchange) => exchange.status !== 'pending')
    for (const exchange of settled) this.#open.delete(exchange)
    return settled
  }

  #sweepBatch(frame: Frame): readonly Exchange[] {
    const settled = this.#sweep()
    const { all } = this.#exchanges.current
    for (let at = all.length - 1; at >= 0 && all[at]!.request === frame.seq; at--) {
      if (all[at]!.status === 'pending') this.#open.add(all[at]!)
    }
    return settled
  }
}

const NONE: readonly Exchange[] = []
