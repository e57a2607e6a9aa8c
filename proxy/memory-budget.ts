/**
 * Limits the bytes that the whole proxy holds: unfinished lines of children, and events that no page has taken. Each has
 * its own limit, but over many children and pages these add up to gigabytes (rules 9 and 17).
 *
 * When the budget is exhausted, large holders pause until their pages catch up. Nothing is lost, and small holders continue.
 * Unfinished lines would then deadlock, so one at a time is read to its end, and dropped if it stops growing.
 */

/** Something that holds bytes. */
export interface Holder {
  /** Holds an unfinished line, which shrinks only by being read to its end or by `drop`. */
  readonly unfinished?: boolean
  /** Whether reading further is pointless because the next stage is full. */
  blocked?(): boolean
  /** Pauses or resumes its source. */
  pause(paused: boolean): void
  /** Releases what it doesn't need. */
  release?(): void
  /** Drops an unfinished line and reports it as lost. */
  drop?(): void
}

/** Shorter unfinished lines are never paused. */
const SHORT_LINE = 256 * 1024
/** Fewer bytes of events never pause a page: its connection always has some in transit. */
const SMALL_BACKLOG = 1024 * 1024

export class MemoryBudget {
  readonly #limit: number
  readonly #stall: number
  readonly #shares = new Set<Share>()
  #used = 0
  #short = false
  #enforcing = false
  /** The unfinished line that may continue while the budget is exhausted. */
  #finishing: Share | undefined
  #grownAt = 0
  #pollTimer: NodeJS.Timeout | undefined

  /**
   * @param limit in bytes; one line may exceed it
   * @param stall ms after which an unfinished line that doesn't grow is dropped
   */
  constructor(limit: number, stall: number) {
    this.#limit = limit
    this.#stall = stall
  }

  /** Bytes. */
  get used(): number {
    return this.#used
  }

  share(holder: Holder): Share {
    const share = new Share(holder, (added) => this.#changed(share, added))
    this.#shares.add(share)
    return share
  }

  #changed(share: Share, added: number): void {
    this.#used += added
    if (share.closed) this.#shares.delete(share)
    if (share === this.#finishing && added > 0) this.#grownAt = performance.now()
    if (this.#short || this.#used > this.#limit) this.#enforce()
  }

  #enforce(): void {
    // Releasing changes shares, which calls this method again.
    if (this.#enforcing) return
    this.#enforcing = true
    for (const { holder } of this.#shares) holder.release?.()
    // Hysteresis: resume at half the limit.
    this.#short = this.#used > (this.#short ? this.#limit / 2 : this.#limit)
    if (this.#short) this.#chooseFinishing()
    else this.#finishing = undefined
    for (const share of this.#shares) {
      share.pause(this.#short && share.isLarge && share !== this.#finishing)
    }
    this.#enforcing = false
    if (!this.#short) {
      clearInterval(this.#pollTimer)
      this.#pollTimer = undefined
    } else if (!this.#pollTimer) {
      this.#pollTimer = setInterval(() => this.#enforce(), this.#stall / 4)
      this.#pollTimer.unref()
    }
  }

  #chooseFinishing(): void {
    const current = this.#finishing
    if (current && !current.closed && current.isLarge) {
      if (current.holder.blocked?.()) this.#grownAt = performance.now()
      if (performance.now() - this.#grownAt < this.#stall) return
      current.holder.drop?.()
    }
    this.#finishing = undefined
    const shares = [...this.#shares]
    // Finished lines still wait for their page, so don't finish another one yet.
    const finished = shares.reduce((sum, { holder, bytes }) => sum + (holder.unfinished ? 0 : bytes), 0)
    if (finished > this.#limit / 4) return
    for (const share of shares) {
      if (!share.holder.unfinished || !share.isLarge || share.holder.blocked?.()) continue
      if (!this.#finishing || share.bytes > this.#finishing.bytes) this.#finishing = share
    }
    this.#grownAt = performance.now()
  }
}

export class Share {
  readonly holder: Holder
  readonly #changed: (added: number) => void
  #bytes = 0
  #paused = false
  #closed = false

  /** Use `MemoryBudget.share` instead. */
  constructor(holder: Holder, changed: (added: number) => void) {
    this.holder = holder
    this.#changed = changed
  }

  get bytes(): number {
    return this.#bytes
  }

  get isLarge(): boolean {
    return this.#bytes > (this.holder.unfinished ? SHORT_LINE : SMALL_BACKLOG)
  }

  get closed(): boolean {
    return this.#closed
  }

  set(bytes: number): void {
    const added = bytes - this.#bytes
    if (added === 0 || this.#closed) return
    this.#bytes = bytes
    this.#changed(added)
  }

  /** Releases the share. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    const held = this.#bytes
    this.#bytes = 0
    this.#changed(-held)
  }

  pause(paused: boolean): void {
    if (paused === this.#paused) return
    this.#paused = paused
    this.holder.pause(paused)
  }
}
