/**
 * A recording at one moment: a Trace of its first frames, with projections for the views. Moving forward appends
 * frames; moving back creates another moment, because folds can't be undone.
 */
import { features } from '../../features/index.ts'
import { serverRequestsFold } from '../../features/server-requests/index.ts'
import { caches, exchanges, httpExchanges, pacer, livenessFold, Trace, type Fold, type Frame } from '../../mcp/index.ts'
import { authFold } from '../../oauth/index.ts'
import { FoldedTrace } from '../folded-trace.ts'
import { connections } from '../server/index.ts'

export class Moment extends FoldedTrace {
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
    for (const fold of [exchanges, ...folds]) this.state(fold)
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

/** Folds of directories that several features share, and of lower layers. */
const SHARED: readonly Fold<unknown>[] = [exchanges, serverRequestsFold, caches, livenessFold, authFold, httpExchanges]

/**
 * All folds that views use. A recording is folded in slices before it is shown, so that views find their folds ready,
 * however long the recording is. Features list the folds of their own directories.
 */
export const viewFolds = async (): Promise<readonly Fold<unknown>[]> => {
  const own = await Promise.all(features.map(async ({ folds }) => (await folds?.()) ?? []))
  return [...own.flat(), ...SHARED]
}
