/**
 * What only connections and recordings need, except for their views: the features, the server requests that they respond
 * to, and the code that follows sessions.
 */
import type { Answering, ServerView } from '../features/feature.ts'
import { features, tabFeatures } from '../features/index.ts'
import { healthFold } from '../features/overview/index.ts'
import { PendingRequests, serverRequestsFold } from '../features/server-requests/index.ts'
import { exchanges, livenessFold } from '../mcp/index.ts'
import type { FoldedTrace } from './folded-trace.ts'
import { connections, followSessions, tellOpened } from './server/index.ts'
import { judged, liveHead, sharingOf } from './sharing.ts'

const answering = (): Record<string, Answering> =>
  Object.fromEntries(features.flatMap(({ answers = {} }) => Object.entries(answers)))

/** The requests of all live servers. */
const pendingRequests = (
  folded: Pick<FoldedTrace, 'trace' | 'state'>,
  servers: () => readonly ServerView[],
  responders = answering(),
): PendingRequests =>
  new PendingRequests({ trace: folded.trace, log: folded.state(serverRequestsFold), answering: responders, servers })

/** The requests in a recording, for display only: none is pending, and no rule responds. */
export const recordedRequests = (folded: FoldedTrace, servers: () => readonly ServerView[]): PendingRequests => {
  const shown = Object.entries(answering()).map(([method, { view, gist }]) => [method, { view, gist }] as const)
  return pendingRequests(folded, servers, Object.fromEntries(shown))
}

export const connected = {
  features,
  tabFeatures,
  connections,
  exchanges,
  healthFold,
  livenessFold,
  followSessions,
  tellOpened,
  pendingRequests,
  judged,
  liveHead,
  sharingOf,
}

export type Connected = typeof connected
