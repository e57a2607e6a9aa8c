/** A trace with the projections that the views need. */
import { Projection, type Fold, type Trace } from '../mcp/index.ts'

/** One projection per fold, shared by all callers. */
export class FoldedTrace {
  readonly trace: Trace
  readonly #projections = new Map<Fold<unknown>, Projection<unknown>>()

  constructor(trace: Trace) {
    this.trace = trace
  }

  state<State>(fold: Fold<State>): Projection<State> {
    let projection = this.#projections.get(fold)
    if (!projection) {
      projection = new Projection(this.trace, fold)
      this.#projections.set(fold, projection)
    }
    return projection as Projection<State>
  }
}

/** The number of frames, as an observable source. */
export const lengthOf = (trace: Trace) => ({
  get current() {
    return trace.length
  },
  subscribe: (listener: () => void) => trace.subscribe(listener),
})
