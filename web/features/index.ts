/** The registry: one line per feature, in the order of the tabs. */
import { authorization } from './authorization/authorization.ts'
import { checks } from './checks/checks.ts'
import { completion } from './completion/completion.ts'
import { elicitation } from './elicitation/elicitation.ts'
import type { Feature, TabFeature } from './feature.ts'
import { inbox } from './inbox/inbox.ts'
import { logs } from './logs/logs.ts'
import { overview } from './overview/overview.ts'
import { prompts } from './prompts/prompts.ts'
import { raw } from './raw/raw.ts'
import { resources } from './resources/resources.ts'
import { roots } from './roots/roots.ts'
import { sampling } from './sampling/sampling.ts'
import { tasks } from './tasks/tasks.ts'
import { tools } from './tools/tools.ts'

export const features: readonly Feature[] = [
  overview,
  tools,
  resources,
  prompts,
  inbox,
  logs,
  tasks,
  roots,
  checks,
  authorization,
  completion,
  elicitation,
  sampling,
  raw,
]

/** Those with a tab. */
export const tabFeatures = features.filter(
  (feature): feature is TabFeature => feature.panel !== undefined && feature.key !== undefined,
)
