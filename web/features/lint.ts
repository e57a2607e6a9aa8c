/** Loads the lint together with the rules of the features. */
import { loadPageValidator } from '../forms/lazy.ts'
import type { LoadFeatureRules } from '../lint/index.ts'

export const loadFeatureRules: LoadFeatureRules = async () => {
  const [{ featureRules }, { pageValidator }] = await Promise.all([import('./lint-rules.ts'), loadPageValidator()])
  return featureRules(pageValidator)
}
