import { catalogue, type Catalogue } from '../../ui/index.svelte.ts'
import en from './en.ts'

export const texts = catalogue(en, () => import('./zh-CN.ts'))

/** A breach of a rule in a few words, in the language of the moment; `undefined` where the catalogue has none. */
export const titleOf = (rule: string): string | undefined => {
  const entry = Object.hasOwn(en, rule) ? (texts.t as Catalogue)[rule] : undefined
  return typeof entry === 'string' ? entry : undefined
}
