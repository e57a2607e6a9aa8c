/**
 * What only a connection or a recording needs, in one piece that is loaded with the first of them: the features, what
 * follows a session, and the parts of the window around it. The first screen stands without.
 */
import { features, tabFeatures } from '../features/index.ts'
import { healthFold } from '../features/overview/index.ts'
import { ConnectFailure } from './failures/index.svelte.ts'
import { ConnectionFacts, ServerMenu } from './server/index.svelte.ts'
import { ConnectSteps } from './connect/index.svelte.ts'
import Dock from './Dock.svelte'
import FeatureTabs from './FeatureTabs.svelte'
import { followSessions, tellOpened } from './server/index.ts'
import Panels from './Panels.svelte'
import QuestionBadge from './QuestionBadge.svelte'
import { questionDesk } from './questions.ts'
import RailServers from './RailServers.svelte'
import { RecordingBar, RecordingBookmarks } from './recordings/index.svelte.ts'

export const connected = {
  features,
  tabFeatures,
  healthFold,
  followSessions,
  tellOpened,
  questionDesk,
  ConnectFailure,
  ConnectionFacts,
  ConnectSteps,
  Dock,
  FeatureTabs,
  Panels,
  QuestionBadge,
  RailServers,
  RecordingBar,
  RecordingBookmarks,
  ServerMenu,
}

export type Connected = typeof connected
