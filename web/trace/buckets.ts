/**
 * Divides time into a fixed number of buckets, however long the trace: when it outgrows them, each pair is merged. So
 * adding a frame costs the same at any length, and so does drawing.
 */
import {
  type Exchange,
  type Frame,
  type FrameOf,
  type Link,
  OPENING_METHODS,
  type Seq,
  Signal,
  type StepRun,
} from '../mcp/index.ts'
import { requestBehind, stateOfStep, type Status, statusOf, type Surroundings } from './facts.ts'
import { PendingExchanges, type RowSource } from './rows.ts'

export type LaneName = 'out' | 'in' | 'events'
/** 1: notable. 2: a failure. */
type Tone = 0 | 1 | 2

/**
 * Number of buckets; a power of two. At least half of them are in use, so the resolution is better than two px on a 4K
 * screen.
 */
export const BUCKETS = 4096
/** ms that the buckets cover initially. */
const FIRST_SPAN = 1024

/** One row of the timeline. A bucket's frame is the last one that began in it. */
interface Lane {
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** Numbers of notable ends and events, and of failures. */
  readonly warnings: Uint32Array
  readonly failures: Uint32Array
  /** Seq + 1, so that 0 means none. */
  readonly last: Uint32Array
}

const lane = (): Lane => ({
  starts: new Uint32Array(BUCKETS),
  ends: new Uint32Array(BUCKETS),
  warnings: new Uint32Array(BUCKETS),
  failures: new Uint32Array(BUCKETS),
  last: new Uint32Array(BUCKETS),
})

export class TimeBuckets {
  readonly lanes: Readonly<Record<LaneName, Lane>> = { out: lane(), in: lane(), events: lane() }
  /** `at` of the first moment shown. */
  readonly begin: number
  /** ms that all buckets cover. */
  span = FIRST_SPAN
  /** The latest recorded moment, in ms after `begin`. */
  latest = 0

  /** @param begin ms since the trace began */
  constructor(begin = 0) {
    this.begin = begin
  }

  bucketOf(at: number): number {
    return Math.floor(((at - this.begin) / this.span) * BUCKETS)
  }

  start(name: LaneName, at: number, seq: Seq, tone: Tone = 0): void {
    const bucket = this.#reach(at)
    const { starts, last } = this.lanes[name]
    starts[bucket]!++
    last[bucket] = Math.max(last[bucket]!, seq + 1)
    this.#mark(name, bucket, tone)
  }

  end(name: LaneName, at: number, tone: Tone = 0): void {
    const bucket = this.#reach(at)
    this.lanes[name].ends[bucket]!++
    this.#mark(name, bucket, tone)
  }

  /** Removes the mark of a failure that turned out to be none. */
  acquit(name: LaneName, at: number): void {
    this.lanes[name].failures[this.#reach(at)]!--
  }

  #mark(name: LaneName, bucket: number, tone: Tone): void {
    const { warnings, failures } = this.lanes[name]
    if (tone > 0) (tone === 2 ? failures : warnings)[bucket]!++
  }

  #reach(at: number): number {
    this.latest = Math.max(this.latest, at - this.begin)
    while (this.latest >= this.span) {
      for (const name of ['out', 'in', 'events'] as const) halve(this.lanes[name])
      this.span *= 2
    }
    return Math.max(0, this.bucketOf(at))
  }
}

const halve = ({ starts, ends, warnings, failures, last }: Lane): void => {
  for (let at = 0; at < BUCKETS / 2; at++) {
    const left = at * 2
    for (const counts of [starts, ends, warnings, failures]) counts[at] = counts[left]! + counts[left + 1]!
    last[at] = last[left + 1]! || last[left]!
  }
  for (const list of [starts, ends, warnings, failures, last]) list.fill(0, BUCKETS / 2)
}

/** Updates buckets as a trace grows. */
export class TimelineIndex {
  readonly buckets: TimeBuckets
  readonly #around: Surroundings
  readonly #pending: PendingExchanges
  /** The failures that are none if their connection opens: the request behind them was a probe then. */
  readonly #undecided = new Map<Link, Failure[]>()
  readonly #unsubscribe: () => void
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe
  #version = 0
  readonly #from: Seq

  /** @param from the first frame shown */
  constructor({ trace, exchanges, runs, signIns, names }: RowSource, from: Seq = 0) {
    this.#from = from
    this.#around = { exchanges: exchanges.current, runs: runs.current, signIns: signIns.current, names }
    this.buckets = new TimeBuckets(from === 0 ? 0 : (trace.at(from)?.at ?? trace.elapsed))
    for (let seq = from; seq < trace.length; seq++) this.#event(trace.at(seq)!)
    const { all } = exchanges.current
    for (const exchange of all) {
      if (exchange.request < from) continue
      this.#begin(exchange)
      if (exchange.status !== 'pending') this.#settle(exchange)
    }
    for (const step of signIns.current.steps.values()) {
      if (step.begun < from) continue
      this.#beginStep(step)
      if (step.endedAt !== undefined) this.#settleStep(step)
    }
    this.#pending = new PendingExchanges(exchanges, from)
    this.#unsubscribe = trace.subscribe((frame) => this.#arrived(frame))
  }

  /** Number of changes. */
  get current(): number {
    return this.#version
  }

  close(): void {
    this.#unsubscribe()
    this.#changes.clear()
  }

  #arrived(frame: Frame): void {
    this.#event(frame)
    if (frame.kind === 'message') {
      // The last exchange is new if this frame is its request.
      const { all } = this.#around.exchanges
      for (let at = all.length - 1; at >= 0 && all[at]!.request === frame.seq; at--) {
        this.#begin(all[at]!)
        if (all[at]!.status !== 'pending') this.#settle(all[at]!)
      }
    }
    for (const exchange of this.#pending.settledBy(frame)) if (exchange.request >= this.#from) this.#settle(exchange)
    if (frame.kind === 'auth') this.#stepped(frame)
    if (frame.kind === 'session') this.#decide(frame)
    this.#version++
    this.#changes.emit()
  }

  #begin(exchange: Exchange): void {
    this.buckets.start(laneOf(exchange), exchange.startedAt, exchange.request)
  }

  #settle(exchange: Exchange): void {
    const [lane, at] = [laneOf(exchange), exchange.endedAt!]
    const tone = exchange.probe ? 0 : TONES[exchange.status]
    this.buckets.end(lane, at, tone)
    if (tone === 2) this.#suspend(exchange, lane, at)
  }

  /** Remembers a failure while its connection isn't open. */
  #suspend(request: Exchange | undefined, lane: LaneName, at: number): void {
    if (!request || !OPENING_METHODS.has(request.method) || this.#around.exchanges.opened.has(request.link)) return
    const failures = this.#undecided.get(request.link)
    if (failures) failures.push({ request, lane, at })
    else this.#undecided.set(request.link, [{ request, lane, at }])
  }

  #decide({ phase, link }: FrameOf<'session'>): void {
    if (phase !== 'open' && phase !== 'closed' && phase !== 'failed') return
    for (const { request, lane, at } of this.#undecided.get(link) ?? []) {
      if (request.probe) this.buckets.acquit(lane, at)
    }
    this.#undecided.delete(link)
  }

  /** Sign-in steps are ours, so they are in the lane of our requests. */
  #beginStep(step: StepRun): void {
    this.buckets.start('out', step.startedAt, step.begun)
  }

  #settleStep(step: StepRun): void {
    const state = stateOfStep(step)
    this.buckets.end('out', step.endedAt!, state === 'cancelled' || state === 'undone' ? 1 : toneOf(state))
  }

  #stepped(frame: FrameOf<'auth'>): void {
    const { steps, settled } = this.#around.signIns
    const begun = frame.event === 'step' ? steps.get(frame.seq) : undefined
    if (begun) this.#beginStep(begun)
    for (const step of settled) if (step.begun >= this.#from) this.#settleStep(step)
  }

  #event(frame: Frame): void {
    if (frame.at - this.buckets.begin > this.buckets.latest) this.buckets.latest = frame.at - this.buckets.begin
    if (!isEvent(frame)) return
    const stands = frame.kind === 'auth' && frame.event === 'waiting'
    const tone = toneOf(stands ? 'waiting' : statusOf(frame, this.#around))
    this.buckets.start('events', frame.at, frame.seq, tone)
    if (tone === 2) this.#suspend(requestBehind(frame, this.#around), 'events', frame.at)
  }
}

/** A mark of a failure, and the request behind it. */
interface Failure {
  readonly request: Exchange
  readonly lane: LaneName
  readonly at: number
}

const TONES: Readonly<Record<Exchange['status'], Tone>> = {
  pending: 0,
  ok: 0,
  asked: 0,
  'tool-error': 1,
  cancelled: 1,
  error: 2,
  timeout: 2,
  lost: 2,
}

const FAILED: readonly (Status | undefined)[] = ['error', 'invalid', 'gap', 'timed-out', 'lost']
const ODD: readonly (Status | undefined)[] = ['resumed', 'waiting', 'forced', 'tool-error']

const toneOf = (status: Status | undefined): Tone => (FAILED.includes(status) ? 2 : ODD.includes(status) ? 1 : 0)

const laneOf = ({ direction }: Exchange): LaneName => (direction === 'sent' ? 'out' : 'in')

/** Whether a frame is a momentary event: notifications, failures, output of a process. HTTP heads and ends aren't. */
const isEvent = (frame: Frame): boolean => {
  switch (frame.kind) {
    case 'message':
      return frame.type === 'notification' || frame.type === 'invalid' || frame.type === 'batch'
    case 'stream':
      return frame.event === 'resume' || frame.event === 'gap'
    case 'http':
      return frame.phase === 'failed' && frame.aborted === undefined
    case 'auth':
      // Steps have their own bars, and a token is used with every request.
      return frame.event === 'credential' ? frame.what !== 'used' : frame.event !== 'step' && frame.event !== 'done'
    default:
      return true
  }
}

// Converts buckets into shapes: at most a few marks per pixel of width, whatever the size of the trace.

/** All `x` and `width` in px. */
interface Bar {
  readonly x: number
  readonly width: number
}

interface LaneMarks {
  /** Something is running. */
  readonly bars: readonly Bar[]
  /** Something was cancelled or resumed. */
  readonly warnings: readonly number[]
  /** Something failed. */
  readonly failures: readonly number[]
  /** Something happened (events only). */
  readonly dots: readonly number[]
}

/** Minimum width of a bar in px, so that instant events are visible. */
const LEAST = 3

/**
 * ms shown over the width: 1, 1.5, 2, 3, 4, 6 … seconds, the smallest that contains `latest`. In steps, so that the
 * image rarely jumps.
 */
export const extentOf = (latest: number): number => {
  let extent = 1_000
  for (let step = 0; extent < latest; step++) extent *= step % 2 === 0 ? 3 / 2 : 4 / 3
  return extent
}

/** The marks, one px each, when `width` px show `extent` ms. */
export const marksOf = (
  buckets: TimeBuckets,
  name: LaneName,
  width: number,
  extent: number,
  now: number = buckets.latest,
): LaneMarks => {
  const { starts, ends, warnings: odd, failures: failed } = buckets.lanes[name]
  const bars: Bar[] = []
  const warnings: number[] = []
  const failures: number[] = []
  const dots: number[] = []
  const perBucket = ((buckets.span / BUCKETS) * width) / extent
  const used = Math.min(BUCKETS, Math.floor((now / buckets.span) * BUCKETS) + 1)
  let running = 0
  let barFrom = 0
  let lastMark = -1
  for (let at = 0; at < used; at++) {
    const x = at * perBucket
    const isMarked = odd[at]! + failed[at]! > 0
    if (isMarked && (Math.floor(x) !== lastMark || failed[at]! > 0)) {
      lastMark = Math.floor(x)
      const list = failed[at]! > 0 ? failures : warnings
      if (list.at(-1) !== lastMark) list.push(lastMark)
    }
    if (starts[at] === 0 && ends[at] === 0) continue
    if (name === 'events') {
      if (!isMarked && dots.at(-1) !== Math.floor(x)) dots.push(Math.floor(x))
      continue
    }
    if (running === 0) barFrom = x
    running += starts[at]! - ends[at]!
    if (running === 0) add(bars, barFrom, x + perBucket)
  }
  if (running > 0) add(bars, barFrom, Math.max(barFrom, Math.min(used * perBucket, (now / extent) * width)))
  return { bars, warnings, failures, dots }
}

/** Merges bars that are less than a pixel apart: never more bars than pixels. */
const add = (bars: Bar[], from: number, to: number): void => {
  const last = bars.at(-1)
  const x = Math.round(from)
  const width = Math.max(LEAST, Math.round(to - from))
  if (last && x <= last.x + last.width)
    bars[bars.length - 1] = { x: last.x, width: Math.max(last.width, x + width - last.x) }
  else bars.push({ x, width })
}

/** The frame at a click: the last one that began at or before `at` ms, otherwise the first one after. */
export const frameAt = (buckets: TimeBuckets, name: LaneName, at: number): Seq | undefined => {
  const { last }: Lane = buckets.lanes[name]
  const bucket = Math.max(0, Math.min(BUCKETS - 1, Math.floor((at / buckets.span) * BUCKETS)))
  for (let left = bucket; left >= 0; left--) if (last[left]) return last[left]! - 1
  for (let right = bucket + 1; right < BUCKETS; right++) if (last[right]) return last[right]! - 1
  return undefined
}
