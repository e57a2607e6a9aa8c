import { catalogue, type Catalogue } from '../../ui/index.svelte.ts'
import en from './en.ts'

export const texts = catalogue(en, () => import('./zh-CN.ts'))

/** A short title for a violation of a rule in the current language; `undefined` if the catalogue has none. */
export const titleOf = (rule: string): string | undefined => {
  const entry = Object.hasOwn(en, rule) ? (texts.t as Catalogue)[rule] : undefined
  return typeof entry === 'string' ? entry : undefined
}
