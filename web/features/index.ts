/** The registry of features: one line each, in the order of the tabs. */
import { authorization } from './authorization/index.ts'
import { checks } from './checks/index.ts'
import { elicitation } from './elicitation/index.ts'
import { executionLog } from './execution-log/index.ts'
import type { Feature, TabFeature } from './feature.ts'
import { inbox } from './inbox/index.ts'
import { logs } from './logs/index.ts'
import { overview } from './overview/index.ts'
import { problems } from './problems/index.ts'
import { prompts } from './prompts/index.ts'
import { raw } from './raw/index.ts'
import { resources } from './resources/index.ts'
import { roots } from './roots/index.ts'
import { sampling } from './sampling/index.ts'
import { tasks } from './tasks/index.ts'
import { tools } from './tools/index.ts'

export const features: readonly (Feature | TabFeature)[] = [
  overview,
  tools,
  resources,
  prompts,
  inbox,
  tasks,
  roots,
  checks,
  authorization,
  elicitation,
  sampling,
  logs,
  problems,
  executionLog,
  raw,
]

/** Features with a tab. */
export const tabFeatures = features.filter((feature): feature is TabFeature => 'panel' in feature)
