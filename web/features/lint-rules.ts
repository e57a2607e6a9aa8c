/**
 * The panels' checks as lint rules. Each feature contributes its own, so that Overview, report, trace and exports list
 * the same problems as its panel. Loaded with the lint (`lint.ts`).
 */
import type { TimedValidator } from '../forms/index.ts'
import type { FeatureRules } from '../lint/index.ts'
import { completionRules } from './completion/lint.ts'
import { elicitationRules } from './elicitation/lint.ts'
import { logRules } from './logs/lint.ts'
import { promptRules } from './prompts/lint.ts'
import { resourceRules } from './resources/lint.ts'
import { samplingRules } from './sampling/lint.ts'
import { taskRules } from './tasks/lint.ts'
import { toolRules } from './tools/lint.ts'

export const featureRules = (validator: TimedValidator): readonly FeatureRules[] => [
  toolRules(validator),
  resourceRules,
  promptRules,
  completionRules,
  elicitationRules,
  samplingRules,
  logRules,
  taskRules,
]
