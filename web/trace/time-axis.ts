/**
 * The time axis of the waterfall. Time in which nothing happened and nothing was awaited is folded, so that a session of
 * an hour with ten calls can be read.
 */
import type { Exchange, Frame } from '../mcp/index.ts'

/** ms without a frame and without a pending request, after which time is folded. */
const IDLE = 1000
/** Share of the width for one fold, and for all folds together. */
const FOLD = 0.03
const FOLDS = 0.35

interface Span {
  readonly from: number
  to: number
  /** Busy ms before this span. */
  readonly before: number
}

export interface Tick {
  /** 0 to 1. */
  readonly x: number
  /** ms since the first frame. */
  readonly at: number
}

export class TimeAxis {
  readonly #spans: Span[] = []
  #pending = 0

  /** Call it once per frame, in order. @param exchange that of the frame, if it is a message or gave up on one */
  add(frame: Frame, exchange: Exchange | undefined): void {
    const { at } = frame
    const last = this.#spans.at(-1)
    if (!last) this.#spans.push({ from: at, to: at, before: 0 })
    else if (at - last.to <= IDLE || this.#pending > 0) last.to = Math.max(last.to, at)
    else this.#spans.push({ from: at, to: at, before: last.before + last.to - last.from })
    if (frame.kind === 'session') {
      if (frame.phase === 'closed' || frame.phase === 'failed') this.#pending = 0
      else if (frame.phase === 'gave-up') this.#settle()
    } else if (frame.kind === 'message' && exchange) {
      if (exchange.request === frame.seq) this.#pending++
      else if (exchange.response === frame.seq) this.#settle()
    }
  }

  #settle(): void {
    this.#pending = Math.max(0, this.#pending - 1)
  }

  /** @param now ms since the trace began; @param from where the scale begins, absent: at the first frame */
  scale(now: number, from?: number, until?: number): TimeScale {
    return new TimeScale(this.#spans, this.#pending > 0 ? now : (this.#spans.at(-1)?.to ?? 0), from, until)
  }
}

/** Maps times to positions between 0 and 1. */
export class TimeScale {
  readonly #spans: readonly Span[]
  readonly #fold: number
  readonly #left: number
  readonly #width: number
  readonly #end: number

  constructor(spans: readonly Span[], end: number, from?: number, until?: number) {
    this.#spans = spans
    this.#end = end
    const last = spans.at(-1)
    const busy = last ? last.before + Math.max(last.to, end) - last.from : 0
    const folds = Math.max(0, spans.length - 1)
    this.#fold = folds === 0 ? 0 : Math.max(1, busy * Math.min(FOLD, FOLDS / folds))
    this.#left = from === undefined ? 0 : this.#place(from)
    const right = until === undefined ? busy + folds * this.#fold : this.#place(until)
    this.#width = Math.max(1, right - this.#left)
  }

  x(at: number): number {
    return Math.max(0, Math.min(1, (this.#place(at) - this.#left) / this.#width))
  }

  /** The time at a position: the inverse of `x`. */
  timeAt(x: number): number {
    const place = this.#left + Math.max(0, Math.min(1, x)) * this.#width
    let low = 0
    let high = this.#spans.length
    while (low < high) {
      const middle = (low + high) >>> 1
      // A millionth of a millisecond is a rounding error, and would lead to the other side of a fold.
      if (this.#startOf(middle) <= place + 1e-6) low = middle + 1
      else high = middle
    }
    const index = Math.max(0, low - 1)
    const span = this.#spans[index]
    if (!span) return 0
    const to = index === this.#spans.length - 1 ? Math.max(span.to, this.#end) : span.to
    return Math.min(to, span.from + Math.max(0, place - this.#startOf(index)))
  }

  /** Evenly spaced, with round numbers of busy time between them. */
  ticks(most: number): readonly Tick[] {
    const origin = this.#spans[0]?.from ?? 0
    const step = roundStep(this.#width / most)
    const ticks: Tick[] = []
    for (let place = Math.ceil(this.#left / step) * step; place < this.#left + this.#width; place += step) {
      const x = (place - this.#left) / this.#width
      ticks.push({ x, at: this.timeAt(x) - origin })
      if (ticks.length > 2 * most) break
    }
    return ticks
  }

  /** Positions of folded time, at most `most`. */
  folds(most: number): readonly number[] {
    const { length } = this.#spans
    if (length - 1 > most) return []
    return this.#spans
      .slice(1)
      .map((_, index) => (this.#startOf(index + 1) - this.#fold / 2 - this.#left) / this.#width)
      .filter((x) => x > 0 && x < 1)
  }

  #startOf(index: number): number {
    return this.#spans[index]!.before + index * this.#fold
  }

  #place(at: number): number {
    let low = 0
    let high = this.#spans.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#spans[middle]!.from <= at) low = middle + 1
      else high = middle
    }
    const index = low - 1
    const span = this.#spans[index]
    if (!span) return 0
    const to = index === this.#spans.length - 1 ? Math.max(span.to, this.#end) : span.to
    return this.#startOf(index) + Math.min(at, to) - span.from
  }
}

/** 1, 2 or 5 times a power of ten. */
const roundStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power
}
