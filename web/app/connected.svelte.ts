/**
 * What only a connection or a recording needs, in one piece that is loaded with the first of them: the features, what
 * follows a session, and the parts of the window around it. The first screen stands without.
 */
import { features, tabFeatures } from '../features/index.ts'
import { healthFold } from '../features/overview/health-fold.ts'
import ConnectFailure from './failures/ConnectFailure.svelte'
import ConnectionFacts from './server/ConnectionFacts.svelte'
import ConnectSteps from './connect/ConnectSteps.svelte'
import Dock from './Dock.svelte'
import FeatureTabs from './FeatureTabs.svelte'
import { followSessions, tellOpened } from './server/follow-sessions.ts'
import Panels from './Panels.svelte'
import QuestionBadge from './QuestionBadge.svelte'
import { questionDesk } from './questions.ts'
import RailServers from './RailServers.svelte'
import RecordingBar from './recordings/RecordingBar.svelte'
import RecordingBookmarks from './recordings/RecordingBookmarks.svelte'
import ServerMenu from './server/ServerMenu.svelte'

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
