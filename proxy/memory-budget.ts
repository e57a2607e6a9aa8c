/**
 * How many bytes the whole proxy holds for its pages: unfinished lines of children, and events that no page has taken yet.
 * Each has a limit of its own, but the limits of many children and pages add up to gigabytes (rules 9 and 17).
 *
 * When memory is short, whoever holds much is not read any further until its page has caught up; so nothing is lost, and
 * what holds little goes on as ever. Unfinished lines could then wait for each other for ever: one at a time is read to
 * its end, and dropped when it stops growing.
 */

/** Something that holds bytes. */
export interface Holder {
  /** Bytes of an unfinished line: it can only shrink by being read to its end, or by `drop`. */
  readonly unfinished?: boolean
  /** Whether reading on is pointless, since what comes after it is full. */
  blocked?(): boolean
  /** Stops or continues reading what fills it. */
  pause(paused: boolean): void
  /** Lets go what it could do without. */
  release?(): void
  /** Lets go an unfinished line, and reports it as lost. */
  drop?(): void
}

/** An unfinished line that is shorter is never paused. */
const SHORT_LINE = 256 * 1024
/** Nor are events that take less: a page's connection always has some on its way, which stay until the next piece goes. */
const SMALL_BACKLOG = 1024 * 1024

export class MemoryBudget {
  readonly #limit: number
  readonly #stall: number
  readonly #shares = new Set<Share>()
  #used = 0
  #short = false
  #enforcing = false
  /** The one unfinished line that is read to its end while memory is short. */
  #finishing: Share | undefined
  #grownAt = 0
  #pollTimer: NodeJS.Timeout | undefined

  /**
   * @param limit bytes. One line may come on top of it.
   * @param stall ms that an unfinished line may stop growing while others wait for it
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
    // What is let go below changes shares, and comes here again.
    if (this.#enforcing) return
    this.#enforcing = true
    for (const { holder } of this.#shares) holder.release?.()
    // Half way down it is over, so that it does not begin again at once.
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
    // A line that is finished waits for its page: no second one beside it.
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

  /** Made by `MemoryBudget.share`. */
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

  /** It holds nothing any more. */
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
