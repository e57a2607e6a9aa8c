/**
 * A recording as it was at a moment: a Trace of its first frames, and what the views make of them. Going on appends;
 * going back is another moment, for folds cannot be undone.
 */
import { exchanges, pacer, Trace, type Fold, type Frame } from '../../mcp/index.ts'
import { FoldedTrace } from '../folded-trace.ts'
import { connections } from '../server/index.ts'

export class Moment extends FoldedTrace {
  readonly exchanges = this.state(exchanges)
  readonly connections = this.state(connections)
  readonly #frames: readonly Frame[]
  readonly #clock: Clock

  /**
   * @param frames of the whole recording
   * @param folds those that views will use: they grow with the frames instead of being made at once when first used
   */
  constructor(begunAt: number, frames: readonly Frame[], folds: readonly Fold<unknown>[] = []) {
    const clock: Clock = { at: 0 }
    super(new Trace({ begunAt, now: () => clock.at }))
    this.#clock = clock
    this.#frames = frames
    for (const fold of folds) this.state(fold)
  }

  /** Frames that are there so far. */
  get length(): number {
    return this.trace.length
  }

  /**
   * Takes up frames until there are so many, in slices.
   * @param wanted read again and again, because the user may move on meanwhile
   */
  async grow(wanted: () => number, progress?: (length: number) => void): Promise<void> {
    const pause = pacer()
    const all = this.#frames.length
    while (this.length < Math.min(all, wanted())) {
      // Looking at the clock costs more than a frame.
      for (let left = 16; left > 0 && this.length < Math.min(all, wanted()); left--) this.#take()
      const wait = pause()
      if (!wait) continue
      progress?.(this.length)
      await wait
    }
  }

  #take(): void {
    const frame = this.#frames[this.length]!
    this.#clock.at = Math.max(this.#clock.at, frame.at)
    this.trace.restore(frame)
  }
}

/** A recording's clock, in ms since it began, stands at its last frame. */
interface Clock {
  at: number
}
