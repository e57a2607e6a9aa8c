/** A trace with what the views make of it: one projection per fold, shared by all who ask. */
import { exchanges, Projection, type Exchanges, type Fold, type Link, type Trace } from '../mcp/index.ts'
import { connections, type Connection } from './server/index.ts'

export class FoldedTrace {
  readonly trace: Trace
  readonly exchanges: Projection<Exchanges>
  readonly connections: Projection<Map<Link, Connection>>
  readonly #projections = new Map<Fold<unknown>, Projection<unknown>>()

  constructor(trace: Trace) {
    this.trace = trace
    this.exchanges = this.state(exchanges)
    this.connections = this.state(connections)
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
