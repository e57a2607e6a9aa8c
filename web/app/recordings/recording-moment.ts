/**
 * A recording at one moment: a Trace of its first frames, with projections for the views. Moving forward appends
 * frames; moving back creates another moment, because folds can't be undone.
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
   * @param folds the folds that views will use: they grow with the frames, instead of being
   * computed at once on first use
   */
  constructor(begunAt: number, frames: readonly Frame[], folds: readonly Fold<unknown>[] = []) {
    const clock: Clock = { at: 0 }
    super(new Trace({ begunAt, now: () => clock.at }))
    this.#clock = clock
    this.#frames = frames
    for (const fold of folds) this.state(fold)
  }

  /** The number of frames so far. */
  get length(): number {
    return this.trace.length
  }

  /**
   * Appends frames in slices until the wanted number is reached.
   * @param wanted read repeatedly, because the user may move on meanwhile
   */
  async grow(wanted: () => number, progress?: (length: number) => void): Promise<void> {
    const pause = pacer()
    const all = this.#frames.length
    while (this.length < Math.min(all, wanted())) {
      // Reading the clock costs more than processing a frame.
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

/** A recording's clock: the time of its last frame, in ms since the recording began. */
interface Clock {
  at: number
}
