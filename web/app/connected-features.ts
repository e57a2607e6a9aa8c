/** What only a connection or a recording needs, apart from its views: the features, and what follows a session. */
import { features, tabFeatures } from '../features/index.ts'
import { healthFold } from '../features/overview/index.ts'
import { exchanges, reachabilityFold } from '../mcp/index.ts'
import { pendingRequests } from './questions.ts'
import { judged, liveHead } from './recordings/index.ts'
import { connections, followSessions, tellOpened } from './server/index.ts'

export const connected = {
  features,
  tabFeatures,
  connections,
  exchanges,
  healthFold,
  reachabilityFold,
  followSessions,
  tellOpened,
  pendingRequests,
  judged,
  liveHead,
}

export type Connected = typeof connected
