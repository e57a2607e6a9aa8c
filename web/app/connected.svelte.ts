/**
 * Everything that only connections and recordings need, in one chunk loaded with the first of them: `connected`, and
 * the related parts of the window. The first screen doesn't need it.
 */
import { CallQuestions } from '../features/tool-safety/index.svelte.ts'
import { focusNextPane, focusPane, stepInList } from '../ui/index.ts'
import { ConnectFailure, SilenceNote } from './failures/index.svelte.ts'
import { ConnectionFacts, ServerMenu } from './server/index.svelte.ts'
import { ConnectSteps } from './connect/index.svelte.ts'
import BottomPanel from './BottomPanel.svelte'
import FeatureTabs from './FeatureTabs.svelte'
import Panels from './Panels.svelte'
import ServerRequestBadge from './ServerRequestBadge.svelte'
import ProblemCount from './ProblemCount.svelte'
import RailServers from './RailServers.svelte'
import ShareButton from './ShareButton.svelte'
import { RecordingBookmarks } from './recordings/index.svelte.ts'

export { connected } from './connected-features.ts'

export const components = {
  ConnectFailure,
  SilenceNote,
  ConnectionFacts,
  BottomPanel,
  CallQuestions,
  ConnectSteps,
  FeatureTabs,
  Panels,
  ProblemCount,
  ServerRequestBadge,
  RailServers,
  RecordingBookmarks,
  ServerMenu,
  ShareButton,
  /** How shortcuts move the focus between the parts. */
  focus: { pane: focusPane, nextPane: focusNextPane, row: stepInList },
}

export type Components = typeof components
