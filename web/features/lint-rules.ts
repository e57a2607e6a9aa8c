/**
 * What the panels check, as rules of the lint: each feature hands in its own functions, so that Overview, report, trace and
 * exports list what its panel shows. Loaded with the lint (`lint.ts`).
 */
import type { FeatureRules } from '../lint/index.ts'
import { completionRules } from './completion/index.ts'
import { elicitationRules } from './elicitation/index.ts'
import { logRules } from './logs/index.ts'
import { promptRules } from './prompts/index.ts'
import { resourceRules } from './resources/index.ts'
import { samplingRules } from './sampling/index.ts'
import { taskRules } from './tasks/index.ts'
import { toolRules, type CheckInWorker } from './tools/index.ts'

/** @param inWorker checks large values beside the page; without it they are checked where the lint runs */
export const featureRules = (inWorker?: CheckInWorker): readonly FeatureRules[] => [
  toolRules(inWorker),
  resourceRules,
  promptRules,
  completionRules,
  elicitationRules,
  samplingRules,
  logRules,
  taskRules,
]
