/** The Trace: an append-only log of frames, and the only path from a peer to the screen. */
import type { Frame, FrameDraft, Link, Seq } from './frame.ts'

export type TraceListener = (frame: Frame) => void

/** Masks what must not be captured of one connection, whatever code appends it. */
export interface FrameGuard {
  /** The frame in a form that may be stored; the draft itself if there is nothing to mask. */
  mask<Draft extends object>(draft: Draft): Draft
  /** Whether a text may contain something to mask. */
  holds(text: string): boolean
}

export interface TraceOptions {
  /** Milliseconds, monotonic. Default `performance.now()`. */
  now?: () => number
  /**
   * Bytes of message and body text to hold; beyond this, the oldest frames lose their bodies but keep their heads.
   * Default: 256 MiB.
   */
  budget?: number
  /**
   * Receives exceptions of listeners: our own bugs, which must be visible but must not stop a transport mid-stream.
   * Default: rethrown asynchronously to the runtime.
   */
  report?: (fault: unknown) => void
  /** The start of a recording. Default: now. */
  begunAt?: number
}

const DEFAULT_BUDGET = 256 * 1024 * 1024

const rethrow = (fault: unknown): void =>
  queueMicrotask(() => {
    throw fault
  })

/** The frame of a draft, without its undefined members: it equals the frame that is read back from a file. */
export const frameOf = (draft: FrameDraft, seq: Seq, at: number): Frame => {
  const frame: Record<string, unknown> = { seq, at }
  for (const [name, value] of Object.entries(draft)) if (value !== undefined) frame[name] = value
  return frame as unknown as Frame
}

export class Trace implements Iterable<Frame> {
  /** Wall-clock start in ms since the epoch: `begunAt + frame.at` is when a frame was captured. */
  readonly begunAt: number
  readonly #frames: Frame[] = []
  readonly #listeners = new Set<{ readonly tell: TraceListener; readonly since: Seq }>()
  /** The next frame to deliver, and whether a delivery is in progress. */
  #next: Seq = 0
  #telling = false
  readonly #now: () => number
  readonly #start: number
  readonly #budget: number
  readonly #report: (fault: unknown) => void
  #held = 0
  readonly #guards = new Map<Link, FrameGuard>()
  /** Frames before this one have already been released. */
  #releasedUntil = 0

  constructor({
    now = () => performance.now(),
    budget = DEFAULT_BUDGET,
    report = rethrow,
    begunAt = Date.now(),
  }: TraceOptions = {}) {
    this.begunAt = begunAt
    this.#now = now
    this.#start = now()
    this.#budget = budget
    this.#report = report
  }

  get length(): number {
    return this.#frames.length
  }

  /** Milliseconds since the trace began. */
  get elapsed(): number {
    return this.#now() - this.#start
  }

  /** From now on, every frame of this connection passes the guard first (SEC-15). */
  guard(link: Link, guard: FrameGuard): void {
    this.#guards.set(link, guard)
  }

  guardOf(link: Link): FrameGuard | undefined {
    return this.#guards.get(link)
  }

  /**
   * Assigns the draft its position and time. Doesn't freeze it: freezing 100,000 objects costs more than it protects.
   * @param checked the guard is already known to have nothing to mask in it
   */
  append(draft: FrameDraft, checked = false): Frame {
    const guarded = checked ? draft : (this.#guards.get(draft.link)?.mask(draft) ?? draft)
    const frame = frameOf(guarded, this.#frames.length, this.elapsed)
    this.#frames.push(frame)
    this.#held += weight(frame)
    this.#tell()
    if (this.#held > this.#budget) this.#release()
    return frame
  }

  /**
   * Adds a frame of a recording as captured. Nothing is released for it: it is already in memory.
   * @throws {RangeError} its position isn't the next one
   */
  restore(frame: Frame): void {
    if (frame.seq !== this.#frames.length) throw new RangeError(`Frame ${frame.seq} cannot be number ${this.length}`)
    this.#frames.push(frame)
    this.#tell()
  }

  at(seq: Seq): Frame | undefined {
    return this.#frames[seq]
  }

  [Symbol.iterator](): IterableIterator<Frame> {
    return this.#frames[Symbol.iterator]()
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: TraceListener): () => void {
    const entry = { tell: listener, since: this.#frames.length }
    this.#listeners.add(entry)
    return () => this.#listeners.delete(entry)
  }

  /**
   * Delivers frames in order, even if a listener appends: the new frame waits until all listeners have received the
   * previous one. Listeners added meanwhile receive only later frames; they can read the others.
   */
  #tell(): void {
    if (this.#telling) return
    this.#telling = true
    try {
      while (this.#next < this.#frames.length) {
        const frame = this.#frames[this.#next++]!
        for (const { tell, since } of this.#listeners) {
          if (frame.seq < since) continue
          try {
            tell(frame)
          } catch (fault) {
            this.#report(fault)
          }
        }
      }
    } finally {
      this.#telling = false
    }
  }

  /**
   * Releases the bodies of the oldest frames until a tenth of the limit is free, and records that in a frame: an
   * inspector must not exhaust memory, and must not lose anything silently.
   */
  #release(): void {
    const goal = this.#budget * 0.9
    const before = this.#held
    const last = this.#frames.length - 1
    let seq = this.#releasedUntil
    for (; seq < last && this.#held > goal; seq++) {
      const frame = this.#frames[seq]!
      const light = withoutBody(frame)
      if (light === frame) continue
      this.#frames[seq] = light
      this.#held -= weight(frame) - weight(light)
    }
    this.#releasedUntil = seq
    // A single frame larger than the limit stays until a later one displaces it: nothing to report then.
    if (this.#held < before) {
      const { link } = this.#frames[last]!
      this.append({ kind: 'session', phase: 'released', link, until: seq, size: before - this.#held })
    }
  }
}

/** Estimated memory of a frame in bytes: its texts, plus a flat amount for the rest. */
const weight = (frame: Frame): number => {
  const flat = 200
  switch (frame.kind) {
    case 'message':
      return flat + (frame.message === undefined ? 0 : frame.size) + (frame.raw?.length ?? 0)
    case 'http':
      return flat + ('body' in frame ? (frame.body?.length ?? 0) : 0)
    case 'stream':
      return flat + (frame.event === 'data' ? (frame.data?.length ?? 0) : 0)
    case 'process':
      return flat + ('text' in frame ? frame.text.length : 0)
    case 'fault':
      return flat + ('original' in frame ? (frame.original?.length ?? 0) : 0)
    case 'auth':
      // Values learned and checked by a step are limited by the step: small, but not zero.
      return flat + ('checks' in frame ? 200 * frame.checks.length : 0)
    default:
      return flat
  }
}

/** UTF-16 units retained of a process's line. */
const TEXT_KEPT = 200

/** Without its text. Methods and IDs stay, so that pairs and lists can still be labelled. */
export const withoutBody = (frame: Frame): Frame => {
  switch (frame.kind) {
    case 'message': {
      if (frame.message === undefined && frame.raw === undefined) return frame
      const { message, raw: _, ...head } = frame
      const { id, method } = (message ?? {}) as { id?: string | number; method?: string }
      return { ...head, released: { id, method } }
    }
    case 'http': {
      if (!('body' in frame) || frame.body === undefined) return frame
      const { body: _, ...head } = frame
      return head.phase === 'end' ? { ...head, cut: true } : head
    }
    case 'stream': {
      if (frame.event !== 'data' || frame.data === undefined) return frame
      const { data: _, ...head } = frame
      return head
    }
    case 'fault': {
      if (!('original' in frame) || frame.original === undefined) return frame
      const { original: _, ...head } = frame
      return { ...head, cut: true }
    }
    case 'process': {
      if (!('text' in frame) || frame.text.length <= TEXT_KEPT) return frame
      return { ...frame, text: `${frame.text.slice(0, TEXT_KEPT)}…` }
    }
    default:
      return frame
  }
}
