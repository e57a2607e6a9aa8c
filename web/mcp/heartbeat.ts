/**
 * Sends pings (UT-PING-02): at the user's interval, occasionally on an idle connection, and repeatedly while the server
 * is unreachable, until it is back or given up. One ping at a time, never faster than the responses. `liveness.ts`
 * notices that a server has gone.
 */
import type { CallOptions } from './pending-call.ts'
import { wait } from './deadline.ts'
import { ProtocolError, TransportError } from './errors.ts'
import type { Frame, Link } from './frame.ts'
import { isObject } from './jsonrpc.ts'
import { Liveness } from './liveness.ts'
import type { Trace } from './trace.ts'

export interface HeartbeatHost {
  readonly trace: Trace
  readonly link: Link
  /** Sends a ping. */
  readonly ping: (options: CallOptions) => Promise<unknown>
  /** No call is waiting for a response. A server that works on one may be unable to respond to anything else. */
  readonly isIdle: () => boolean
  /** All attempts to reach the server failed. */
  readonly lost: (error: TransportError) => void
}

/** Failed attempts in a row before the session is given up. */
const MOST_FAILURES = 8
/** ms before the next attempt while the server is unreachable; doubles each time. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000
/** While only pings happen, the interval may grow up to this factor. */
const LONGEST_IDLE = 4
/** ms that the server has to respond to an automatic ping. */
const PATIENCE = 10_000
/** Unanswered pings in a row that are allowed if the server responds to everything else. */
const MOST_UNANSWERED = 3

export class Heartbeat {
  readonly #host: HeartbeatHost
  readonly #liveness = new Liveness()
  #every = 0
  #idle = 0
  /** The current factor for the idle interval. */
  #stretch = 1
  #lastActivity = performance.now()
  /** The server rejects `ping`, or ignores it although it is alive, so it gets no more of them. */
  #refused = false
  /** Pings in a row without a response. */
  #unanswered = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  #retry: AbortController | undefined
  /** All retries were used up since the server was last reached. */
  #retried = false
  #pinging = false
  #unsubscribe: (() => void) | undefined

  constructor(host: HeartbeatHost) {
    this.#host = host
  }

  /** Starts observing the frames of the link. */
  start(): void {
    const { trace, link } = this.#host
    this.#unsubscribe = trace.subscribe((frame) => {
      if (frame.link === link) this.#observe(frame)
    })
  }

  /** ms between a response and the next ping; 0 for none. */
  get every(): number {
    return this.#every
  }

  set every(ms: number) {
    this.#every = ms
    clearTimeout(this.#timer)
    this.#schedule()
  }

  /** ms without a message before the server is pinged; 0 for never. Grows while nothing else happens. */
  get idle(): number {
    return this.#idle
  }

  set idle(ms: number) {
    this.#idle = ms
    this.#stretch = 1
    this.#scheduleIdle()
  }

  /** Stops permanently. */
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
    if (!this.#liveness.step(frame)) return
    const { trouble } = this.#liveness
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
    if (this.#unanswered >= MOST_UNANSWERED && !this.#liveness.trouble) this.#refused = true
    // With a user-defined interval, no further pings are needed.
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
    // A call is pending, or the server is unreachable: check again after a full interval.
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
      // The frames show whether that is a problem.
      if (error instanceof ProtocolError) this.#refused = true
      else this.#unanswered++
    } finally {
      this.#pinging = false
    }
  }

  /** Ends without a verdict if pings only time out: a busy server isn't a lost one. */
  async #retryUntilReached(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < MOST_FAILURES && !signal.aborted; attempt++) {
      const pause = Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE)
      await wait(pause, signal)
      if (!signal.aborted && !this.#liveness.resuming) await this.#beat()
    }
    if (signal.aborted) return
    this.#retry = undefined
    this.#retried = true
  }
}

/** A message unrelated to pings. */
const isActivity = (frame: Frame): boolean =>
  frame.kind === 'message' &&
  isObject(frame.message) &&
  'method' in frame.message &&
  !OF_PINGS.has(frame.message.method)

/** Includes the notification that cancels a ping. */
const OF_PINGS: ReadonlySet<unknown> = new Set(['ping', 'notifications/cancelled'])
