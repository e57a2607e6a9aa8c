/** Loads the rules of the features with the lint, for all who read findings in the page. */
import { loadVerdictWorker } from './tools/lazy.ts'
import type { LoadFeatureRules } from '../lint/index.ts'

export const loadFeatureRules: LoadFeatureRules = async () => {
  const [{ featureRules }, { checkInWorker }] = await Promise.all([import('./lint-rules.ts'), loadVerdictWorker()])
  return featureRules(checkInWorker)
}
