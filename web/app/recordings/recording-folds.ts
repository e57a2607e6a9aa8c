/**
 * Every fold that a view reads. A recording is folded before anything of it is shown, in slices: a view that asks for a
 * fold finds it made, however long the recording is.
 */
import { carriedFold } from '../../features/authorization/index.ts'
import { declaredFold } from '../../features/declared-fold.ts'
import { askerFold, visitsFold } from '../../features/elicitation/index.ts'
import { logsFold } from '../../features/logs/index.ts'
import { COUNTED, factsFold, healthFold, subscriptionsFold } from '../../features/overview/index.ts'
import { getsFold, promptsFold } from '../../features/prompts/index.ts'
import { questionsFold } from '../../features/questions/index.ts'
import { sentFold } from '../../features/raw/index.ts'
import { readsFold, resourcesFold, templatesFold, updatesFold } from '../../features/resources/index.ts'
import { spawnFold, toldFold } from '../../features/roots/index.ts'
import { tasksFold } from '../../features/tasks/index.ts'
import { callsFold, toolsFold } from '../../features/tools/index.ts'
import { caches, reachabilityFold, type Fold } from '../../mcp/index.ts'
import { authFold } from '../../oauth/index.ts'
import { httpRuns } from '../../trace/index.ts'

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
