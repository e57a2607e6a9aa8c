/** Loads the rules of the features with the lint, for all who read findings in the page. */
import type { LoadFeatureRules } from '../lint/feature-rules.ts'

export const loadFeatureRules: LoadFeatureRules = async () => {
  const [{ featureRules }, { checkInWorker }] = await Promise.all([
    import('./lint-rules.ts'),
    import('./tools/verdict-worker.ts'),
  ])
  return featureRules(checkInWorker)
}
