/**
 * Request timeouts by the clock instead of counted ticks: progress restarts the idle limit (`touch`), but not the
 * total limit.
 *
 * Timers of a hidden tab fire late (once a second, later once a minute), and laptops sleep. A timer that fires long
 * after it was due says nothing about the peer: its messages may still be waiting to be read. So a late timer waits
 * for a short grace period before it gives up.
 */

export interface Limits {
  /** ms without any progress. */
  readonly idle: number
  /** ms in total, regardless of progress (UT-TIME-04). */
  readonly total: number
}

/** A timer this late was delayed by the runtime. */
const LATE = 1500
/** Grace period for messages that were delayed along with the timer. */
const GRACE = 1000
/** Longest delay that a timer accepts: above 2^31 - 1 ms it fires at once. */
const LONGEST_TIMER = 2_000_000_000

export class Deadline {
  #limits: Limits
  #begun = Date.now()
  #touched = this.#begun
  #pausedAt: number | undefined
  /** Number of active pauses; each ends separately. */
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

  /** Progress arrived: restarts the idle limit but not the total (UT-TIME-03). */
  touch(): void {
    this.#touched = Date.now()
    // The running timer reads the new time when it fires, so a flood of progress doesn't restart timers.
  }

  /** Both limits begin again, because something other than the peer's messages shows that it is busy. */
  restart(): void {
    this.#begun = Date.now()
    this.touch()
  }

  /** The user extends the limits, counted from now. */
  extend(ms: number): Limits {
    this.#touched = Date.now()
    const spent = this.#touched - this.#begun
    this.#limits = { idle: Math.max(this.#limits.idle, ms), total: Math.max(this.#limits.total, spent + ms) }
    this.#schedule()
    return this.#limits
  }

  /** Pauses the clock while something other than the peer is awaited. */
  pause(): void {
    this.#holds++
    this.#pausedAt ??= Date.now()
    clearTimeout(this.#timer)
  }

  /** Call it as often as `pause`. */
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
    // UT-TIME-05: an infinite limit never expires.
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
