/** The pending requests of all servers, with the features that respond to them, and the requests in recordings. */
import type { Answering, ServerView } from '../features/feature.ts'
import { features } from '../features/index.ts'
import { PendingRequests, serverRequestsFold } from '../features/server-requests/index.ts'
import type { Fold, Projection, Trace } from '../mcp/index.ts'
import type { FoldedTrace } from './folded-trace.ts'

interface Bench {
  readonly trace: Trace
  readonly servers: { readonly all: readonly ServerView[] }
  projectionOf<State>(fold: Fold<State>): Projection<State>
}

export const pendingRequests = (bench: Bench): PendingRequests =>
  new PendingRequests({
    trace: bench.trace,
    questions: bench.projectionOf(serverRequestsFold),
    answering: answering(),
    servers: () => bench.servers.all,
  })

/** The requests of a recording, for display only: none is pending, and no rule responds. */
export const recordedRequests = (moment: FoldedTrace, servers: () => readonly ServerView[]): PendingRequests =>
  new PendingRequests({
    trace: moment.trace,
    questions: moment.state(serverRequestsFold),
    answering: Object.fromEntries(
      Object.entries(answering()).map(([method, { view, gist }]) => [method, { view, gist }]),
    ),
    servers,
  })

const answering = (): Record<string, Answering> =>
  Object.assign({}, ...features.map(({ answers }) => answers ?? {})) as Record<string, Answering>
