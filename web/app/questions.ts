/** The pending requests of all servers, with every feature that answers them; and those of recordings. */
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

/** Of a recording: shows its requests. Nothing is pending there, and no rule answers. */
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
