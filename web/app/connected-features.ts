/**
 * What only connections and recordings need, except for their views: the features, and the code that follows sessions.
 */
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
