/**
 * Punctuation between texts that are put together in code, in the current language. Texts of the catalogues have their
 * own. Apart from `language.svelte.ts`, because the first screen has none.
 */
import { isolated } from '../visible.ts'
import { language } from './language.svelte.ts'

const isEnglish = (): boolean => language.current === 'en'

/** Labels as a list. Lists of names from the protocol keep `, `. */
export const listed = (labels: readonly string[]): string => labels.join(isEnglish() ? ', ' : '、')

/** Clauses in a row. */
export const joined = (clauses: readonly string[]): string => clauses.join(isEnglish() ? ', ' : '，')

/** `Label: value`, or `Label: ` with the space that the language has before an element. */
export const labelled = (label: string, value = ''): string =>
  isEnglish() ? `${label}: ${isolated(value)}` : `${label}：${isolated(value)}`

/** `Text (more)`, or `(more)` after an element. */
export const bracketed = (text: string, more: string): string =>
  isEnglish() ? `${text} (${isolated(more)})`.trimStart() : `${text}（${isolated(more)}）`
