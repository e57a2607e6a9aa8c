/** What only a connection or a recording needs, apart from its views: the features, and what follows a session. */
import { features, tabFeatures } from '../features/index.ts'
import { healthFold } from '../features/overview/index.ts'
import { pendingRequests } from './questions.ts'
import { followSessions, tellOpened } from './server/index.ts'

export const connected = { features, tabFeatures, healthFold, followSessions, tellOpened, pendingRequests }

export type Connected = typeof connected
