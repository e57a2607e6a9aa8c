/**
 * Every fold that a view reads. A recording is folded before anything of it is shown, in slices: a view that asks for a
 * fold finds it made, however long the recording is.
 */
import { carriedFold } from '../../features/authorization/carried-fold.ts'
import { declaredFold } from '../../features/declared-fold.ts'
import { askerFold } from '../../features/elicitation/asker-fold.ts'
import { visitsFold } from '../../features/elicitation/visits-fold.ts'
import { logsFold } from '../../features/logs/logs-fold.ts'
import { COUNTED } from '../../features/overview/counts-fold.ts'
import { factsFold } from '../../features/overview/facts-fold.ts'
import { healthFold } from '../../features/overview/health-fold.ts'
import { subscriptionsFold } from '../../features/overview/subscriptions-fold.ts'
import { getsFold } from '../../features/prompts/outcome.ts'
import { promptsFold } from '../../features/prompts/prompt-item.ts'
import { questionsFold } from '../../features/questions/questions-fold.ts'
import { sentFold } from '../../features/raw/sent-fold.ts'
import { readsFold } from '../../features/resources/reads-fold.ts'
import { resourcesFold, templatesFold } from '../../features/resources/resource-item.ts'
import { updatesFold } from '../../features/resources/updates-fold.ts'
import { spawnFold } from '../../features/roots/suggestions.ts'
import { toldFold } from '../../features/roots/told-fold.ts'
import { tasksFold } from '../../features/tasks/tasks-fold.ts'
import { callsFold } from '../../features/tools/calls-fold.ts'
import { toolsFold } from '../../features/tools/tools-fold.ts'
import { caches, reachabilityFold, type Fold } from '../../mcp/index.ts'
import { authFold } from '../../oauth/flow/flow-fold.ts'
import { httpRuns } from '../../trace/runs.ts'

export const VIEW_FOLDS: readonly Fold<unknown>[] = [
  toolsFold,
  callsFold,
  resourcesFold,
  templatesFold,
  readsFold,
  updatesFold,
  promptsFold,
  getsFold,
  caches,
  logsFold,
  questionsFold,
  tasksFold,
  sentFold,
  toldFold,
  spawnFold,
  askerFold,
  visitsFold,
  carriedFold,
  authFold,
  factsFold,
  healthFold,
  httpRuns,
  declaredFold,
  reachabilityFold,
  subscriptionsFold,
  ...COUNTED.map(({ fold }) => fold),
]
