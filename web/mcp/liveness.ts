/**
 * Detects a server that went away during its session, and when it is back.
 *
 * HTTP has no permanent connection that could break, so a killed server shows only in the next failure: a stream that
 * can't be resumed, a call, a ping. The first such failure is trouble; anything that arrives ends it.
 */
import type { Frame, FrameOf, Link, Seq } from './frame.ts'
import { isObject } from './jsonrpc.ts'
import { getOrInsert } from './maps.ts'
import type { Fold } from './projection.ts'

export interface Trouble {
  /** The first failure. */
  readonly seq: Seq
  /** ms since the trace began. */
  readonly at: number
  /** The latest failure. */
  readonly last: Seq
  readonly why: string
  /**
   * Failed attempts in a row to reach the server: resumptions of one stream, or pings. Timeouts and other calls don't
   * count.
   */
  readonly failures: number
}

/** Reads one link's frames in order. Doesn't trust values from a peer or an old file. */
export class Liveness {
  #open = false
  #trouble: Trouble | undefined
  /** HTTP requests whose response head hasn't arrived. */
  readonly #due = new Map<Seq, Due>()
  /** The last ping. */
  #ping: Seq | undefined
  /** Failures in a row, by the resumed stream. */
  readonly #failures = new Map<Seq | typeof PING, number>()
  /**
   * Streams that can't be resumed although calls succeed, for example because of CORS: no sign that the server is gone.
   */
  readonly #broken = new Set<Seq>()

  /** Absent while nothing fails, and while no session is open. */
  get trouble(): Trouble | undefined {
    return this.#trouble
  }

  /** A stream is being resumed repeatedly, so no ping is needed to detect when the server is back. */
  get resuming(): boolean {
    return [...this.#failures.keys()].some((key) => key !== PING)
  }

  /** @returns whether `trouble` changed */
  step(frame: Frame): boolean {
    const before = this.#trouble
    switch (frame.kind) {
      case 'session':
        this.#session(frame)
        break
      case 'http':
        if (this.#open) this.#http(frame)
        break
      case 'message':
        if (this.#open) this.#message(frame)
        break
      default:
    }
    return this.#trouble !== before
  }

  #session(frame: FrameOf<'session'>): void {
    switch (frame.phase) {
      case 'open':
        this.#reset(true)
        break
      case 'closed':
      case 'failed':
        this.#reset(false)
        break
      case 'gave-up':
        if (this.#open && frame.request === this.#ping && frame.why === 'timeout')
          this.#failed(frame, frame.explanation)
        break
      default:
    }
  }

  #http(frame: FrameOf<'http'>): void {
    if (frame.phase === 'request') {
      const { purpose, origin } = frame
      const isResumption = origin !== undefined && (purpose === 'listen' || purpose === 'resume')
      // The first GET proves nothing: many servers refuse it, and CORS may forbid it although it permits calls.
      if (purpose === 'message' || isResumption) this.#due.set(frame.seq, isResumption ? { key: origin } : {})
      return
    }
    if (frame.phase === 'end' || frame.phase === 'queued') return
    const due = this.#due.get(frame.request)
    this.#due.delete(frame.request)
    if (!due) return
    const resumes = typeof due.key === 'number'
    if (frame.phase === 'failed') {
      if (frame.aborted === undefined) this.#failed(frame, frame.error, due)
    } else if (GATEWAY.has(frame.status) || (resumes && frame.status >= 500)) {
      this.#failed(frame, `HTTP ${frame.status} ${frame.statusText}`.trim(), due)
    } else {
      if (resumes) this.#broken.delete(due.key)
      this.#reached(due.key)
    }
  }

  #message(frame: FrameOf<'message'>): void {
    if (frame.direction === 'received') return this.#reached()
    if (frame.byHand || !isObject(frame.message) || !PINGS.has(frame.message.method)) return
    this.#ping = frame.seq
    if (frame.carrier !== undefined && this.#due.has(frame.carrier)) this.#due.set(frame.carrier, { key: PING })
  }

  #failed({ seq, at }: Frame, why: string, { key }: Due = {}): void {
    if (typeof key === 'number' && this.#broken.has(key)) return
    if (key !== undefined) this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1)
    const { seq: first, at: since } = this.#trouble ?? { seq, at }
    this.#trouble = { seq: first, at: since, last: seq, why, failures: Math.max(0, ...this.#failures.values()) }
  }

  #reached(key?: Due['key']): void {
    if (!this.#trouble) return
    for (const other of this.#failures.keys()) if (other !== PING && other !== key) this.#broken.add(other)
    this.#failures.clear()
    this.#trouble = undefined
  }

  #reset(open: boolean): void {
    this.#open = open
    this.#trouble = undefined
    this.#ping = undefined
    this.#due.clear()
    this.#failures.clear()
    this.#broken.clear()
  }
}

const PING = 'ping'

interface Due {
  /** The stream being resumed, or `ping`; absent for other calls. */
  readonly key?: Seq | typeof PING
}

const PINGS: ReadonlySet<unknown> = new Set(['ping', 'server/discover'])

/** RFC 9110, sections 15.6.3 to 15.6.5: the statuses that a gateway returns when the server behind it is gone. */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504])

export const livenessFold: Fold<Map<Link, Liveness>> = {
  initial: () => new Map(),
  step(state, frame) {
    if (!getOrInsert(state, frame.link, () => new Liveness()).step(frame)) return false
  },
}
