/** Lists in the current language. Apart from `language.svelte.ts`, because the first screen has none. */
import { language } from './language.svelte.ts'

/** Labels in the current language as a list. Lists of names from the protocol keep `, `. */
export const listed = (labels: readonly string[]): string => labels.join(language.current === 'en' ? ', ' : '、')
