/**
 * Pings (UT-PING-02): as often as the user chose, on an idle connection now and then, and while the server can't be reached
 * until it is back or given up. One ping at a time, never faster than the responses.
 */
import type { CallOptions } from './call.ts'
import { wait } from './deadline.ts'
import { ProtocolError, TransportError } from './errors.ts'
import type { Frame, Link } from './frame.ts'
import { isObject } from './jsonrpc.ts'
import { Reachability } from './reachability.ts'
import type { Trace } from './trace.ts'

export interface HeartbeatHost {
  readonly trace: Trace
  readonly link: Link
  /** Sends a ping. */
  readonly ping: (options: CallOptions) => Promise<unknown>
  /** No call waits for its response. A server that works on one may be unable to answer anything else. */
  readonly isIdle: () => boolean
  /** The server could not be reached again and again. */
  readonly lost: (error: TransportError) => void
}

/** Attempts to reach the server that fail in a row until the session is given up. */
const MOST_FAILURES = 8
/** ms before the next attempt while the server can't be reached; twice as long after each. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000
/** Nothing but pings happened: the next one may wait longer, up to this many times the interval. */
const LONGEST_IDLE = 4
/** ms that the server has for its response to a ping that nobody asked for. */
const PATIENCE = 10_000
/** Pings in a row that a server which responds to all else may leave without a response. */
const MOST_UNANSWERED = 3

export class Heartbeat {
  readonly #host: HeartbeatHost
  readonly #reachability = new Reachability()
  #every = 0
  #idle = 0
  /** What the idle interval is multiplied with by now. */
  #stretch = 1
  #lastActivity = performance.now()
  /** The server answers `ping` with an error, or never, though it is alive: it isn't bothered again. */
  #refused = false
  /** Pings in a row without a response. */
  #unanswered = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  #retry: AbortController | undefined
  /** As often as it may be, since the server was reached last. */
  #retried = false
  #pinging = false
  #unsubscribe: (() => void) | undefined

  constructor(host: HeartbeatHost) {
    this.#host = host
  }

  /** Follows the frames of the link from here on. */
  start(): void {
    const { trace, link } = this.#host
    this.#unsubscribe = trace.subscribe((frame) => {
      if (frame.link === link) this.#observe(frame)
    })
  }

  /** ms between a response and the next ping; 0: none. */
  get every(): number {
    return this.#every
  }

  set every(ms: number) {
    this.#every = ms
    clearTimeout(this.#timer)
    this.#schedule()
  }

  /** ms without a message after which the server is pinged; 0: never. Grows while nothing else happens. */
  get idle(): number {
    return this.#idle
  }

  set idle(ms: number) {
    this.#idle = ms
    this.#stretch = 1
    this.#scheduleIdle()
  }

  /** Ends for good. */
  stop(): void {
    this.#unsubscribe?.()
    this.every = 0
    this.idle = 0
    this.#retry?.abort()
  }

  #observe(frame: Frame): void {
    if (isActivity(frame)) {
      this.#lastActivity = performance.now()
      this.#stretch = 1
    }
    if (!this.#reachability.step(frame)) return
    const { trouble } = this.#reachability
    if (!trouble) {
      this.#retry?.abort()
      this.#retry = undefined
      this.#retried = false
    } else if (trouble.failures >= MOST_FAILURES) {
      const what = `${trouble.failures} attempts in a row to reach the server failed: ${trouble.why}`
      this.#host.lost(new TransportError('unreachable', what, { attempts: trouble.failures, error: trouble.why }))
    } else if (!this.#retry && !this.#retried) {
      void this.#retryUntilReached((this.#retry = new AbortController()).signal)
    }
  }

  #schedule(): void {
    if (this.#every <= 0) return
    this.#timer = setTimeout(() => void this.#beat({}).then(() => this.#schedule()), this.#every)
  }

  #scheduleIdle(): void {
    clearTimeout(this.#idleTimer)
    if (this.#unanswered >= MOST_UNANSWERED && !this.#reachability.trouble) this.#refused = true
    // Whoever chose an interval has all the pings that are needed.
    if (this.#idle <= 0 || this.#every > 0 || this.#refused) return
    const due = this.#lastActivity + this.#idle * this.#stretch
    this.#idleTimer = setTimeout(() => void this.#beatIfIdle(), Math.max(0, due - performance.now()))
  }

  async #beatIfIdle(): Promise<void> {
    const quiet = performance.now() - this.#lastActivity >= this.#idle * this.#stretch
    if (quiet && this.#host.isIdle() && !this.#retry) {
      this.#stretch = Math.min(this.#stretch * 2, LONGEST_IDLE)
      await this.#beat()
    }
    // A call is under way, or the server can't be reached: looked at again after the whole interval.
    if (quiet) this.#lastActivity = performance.now()
    this.#scheduleIdle()
  }

  async #beat(options: CallOptions = { idle: PATIENCE, total: PATIENCE }): Promise<void> {
    if (this.#pinging) return
    this.#pinging = true
    try {
      await this.#host.ping(options)
      this.#unanswered = 0
    } catch (error) {
      // Whether that is trouble, the frames say.
      if (error instanceof ProtocolError) this.#refused = true
      else this.#unanswered++
    } finally {
      this.#pinging = false
    }
  }

  /** Ends without a verdict where pings only time out: a busy server is not a lost one. */
  async #retryUntilReached(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < MOST_FAILURES && !signal.aborted; attempt++) {
      const pause = Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE)
      await wait(pause, signal)
      if (!signal.aborted && !this.#reachability.resuming) await this.#beat()
    }
    if (signal.aborted) return
    this.#retry = undefined
    this.#retried = true
  }
}

/** A message that isn't about a ping. */
const isActivity = (frame: Frame): boolean =>
  frame.kind === 'message' &&
  isObject(frame.message) &&
  'method' in frame.message &&
  !OF_PINGS.has(frame.message.method)

/** Also what tells the server that the response to one is not awaited any longer. */
const OF_PINGS: ReadonlySet<unknown> = new Set(['ping', 'notifications/cancelled'])
