import { catalogue, type Catalogue } from '../../ui/index.svelte.ts'
import en from './en.ts'

export const texts = catalogue(en, () => import('./zh-CN.ts'))

/** A short title for a violation of a rule in the current language; `undefined` if the catalogue has none. */
export const titleOf = (rule: string): string | undefined => {
  const entry = Object.hasOwn(en, rule) ? (texts.t as Catalogue)[rule] : undefined
  return typeof entry === 'string' ? entry : undefined
}

/** The English statements are in `requirements.json`. */
const statements = catalogue<Readonly<Record<string, string>>>({}, () => import('./chinese-statements.ts'))

/**
 * What a requirement says, in the current language, with `code` in backticks. `undefined` in English, for a rule without
 * a translation, and until the translations have loaded: then the requirement's own `statement` is shown.
 */
export const translatedStatementOf = (rule: string): string | undefined => statements.t[rule]
