/**
 * Deadlines by the clock, not by counting ticks.
 *
 * A hidden tab's timers fire late (once a second, later once a minute), and a laptop sleeps. A timer that fires long
 * after it was due says nothing about the peer: what the peer sent meanwhile may still be waiting to be read. So a
 * late timer looks again after a moment of grace before it gives up.
 */

export interface Limits {
  /** ms without any sign of progress. */
  readonly idle: number
  /** ms in all, whatever the progress (UT-TIME-04). */
  readonly total: number
}

/** A timer this late was held back by the runtime. */
const LATE = 1500
/** Time given to messages that waited with the timer. */
const GRACE = 1000
/** Longest delay a timer takes: 2^31 - 1 ms; more fires at once. */
const LONGEST_TIMER = 2_000_000_000

export class Deadline {
  #limits: Limits
  #begun = Date.now()
  #touched = this.#begun
  #pausedAt: number | undefined
  /** Reasons for which time stands still: each ends by itself. */
  #holds = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #expired: (which: 'idle' | 'total', limit: number) => void

  constructor(limits: Limits, expired: (which: 'idle' | 'total', limit: number) => void) {
    this.#limits = limits
    this.#expired = expired
    this.#schedule()
  }

  get limits(): Limits {
    return this.#limits
  }

  /** Progress arrived: the idle clock starts anew; the total stays (UT-TIME-03). */
  touch(): void {
    this.#touched = Date.now()
    // The running timer finds the new time when it fires: a flood of progress re-arms nothing.
  }

  /** The user gives it more time, counted from now. */
  extend(ms: number): Limits {
    this.#touched = Date.now()
    const spent = this.#touched - this.#begun
    this.#limits = { idle: Math.max(this.#limits.idle, ms), total: Math.max(this.#limits.total, spent + ms) }
    this.#schedule()
    return this.#limits
  }

  /** Time stands still: what is waited for is not the peer's. */
  pause(): void {
    this.#holds++
    this.#pausedAt ??= Date.now()
    clearTimeout(this.#timer)
  }

  /** The same number of times as `pause`. */
  resume(): void {
    if (this.#pausedAt === undefined || --this.#holds > 0) return
    const stood = Date.now() - this.#pausedAt
    this.#pausedAt = undefined
    this.#begun += stood
    this.#touched = Math.min(this.#touched + stood, Date.now())
    this.#schedule()
  }

  stop(): void {
    this.#pausedAt = undefined
    this.#holds = 0
    clearTimeout(this.#timer)
  }

  #due(): { at: number; which: 'idle' | 'total' } {
    const idle = this.#touched + this.#limits.idle
    const total = this.#begun + this.#limits.total
    return idle <= total ? { at: idle, which: 'idle' } : { at: total, which: 'total' }
  }

  #schedule(delay = this.#due().at - Date.now()): void {
    clearTimeout(this.#timer)
    if (this.#pausedAt !== undefined) return
    // UT-TIME-05: what has no end is never due.
    if (delay === Infinity) return
    const wait = Math.min(Math.max(delay, 0), LONGEST_TIMER)
    const target = Date.now() + wait
    this.#timer = setTimeout(() => {
      const { at, which } = this.#due()
      const now = Date.now()
      if (now < at) return this.#schedule()
      if (now - target > LATE) return this.#schedule(GRACE)
      this.#expired(which, this.#limits[which])
    }, wait)
  }
}

/** Resolves after `ms`, or at once when the signal is (or becomes) aborted. */
export const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, LONGEST_TIMER))
    signal?.addEventListener('abort', done)
  })
