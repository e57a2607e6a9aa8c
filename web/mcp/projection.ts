/**
 * A Fold is how a view reads the Trace; a Projection keeps a fold's state up to date.
 *
 * The one law: folding a prefix and then the rest gives the same result as folding everything. So a fold depends only
 * on the frames passed to it, and a view is the same live, reopened, or at any earlier moment.
 */
import { Signal } from './signal.ts'
import type { Frame, Link, Seq } from './frame.ts'
import { eachInSteps } from './pace.ts'
import type { Trace } from './trace.ts'

export interface Fold<State> {
  initial(): State
  /** Changes `state` in place. Returns `false` if nothing changed, so that listeners aren't notified needlessly. */
  step(state: State, frame: Frame): void | false
}

export class Projection<State> {
  readonly #trace: Trace
  readonly #fold: Fold<State>
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe
  readonly #unsubscribe: () => void
  #state: State

  constructor(trace: Trace, fold: Fold<State>) {
    this.#trace = trace
    this.#fold = fold
    this.#state = foldAll(fold, trace)
    this.#unsubscribe = trace.subscribe((frame) => {
      if (fold.step(this.#state, frame) === false) return
      this.#changes.emit()
    })
  }

  get current(): State {
    return this.#state
  }

  /** The state after frame `seq`. Costs a fold over all frames up to it. */
  asOf(seq: Seq): State {
    const state = this.#fold.initial()
    for (const frame of this.#trace) {
      if (frame.seq > seq) break
      this.#fold.step(state, frame)
    }
    return state
  }

  /** Stops following the trace. */
  close(): void {
    this.#unsubscribe()
    this.#changes.clear()
  }
}

export const foldAll = <State>(fold: Fold<State>, frames: Iterable<Frame>, state = fold.initial()): State => {
  for (const frame of frames) fold.step(state, frame)
  return state
}

/** The same for a long session, in slices, so that a page stays responsive. */
export const foldInSteps = async <State>(fold: Fold<State>, frames: Iterable<Frame>): Promise<State> => {
  const state = fold.initial()
  await eachInSteps(frames, (frame) => void fold.step(state, frame))
  return state
}

/**
 * One value per connection, which is replaced and never mutated, so that readers may compare by identity.
 * @param step returns the value after a frame; `before` itself if nothing changes
 */
export const linkFold = <Value>(none: Value, step: (before: Value, frame: Frame) => Value): Fold<Map<Link, Value>> => ({
  initial: () => new Map(),
  step(state, frame) {
    const before = state.get(frame.link) ?? none
    const after = step(before, frame)
    if (after === before) return false
    state.set(frame.link, after)
  },
})
