/** `format.ms(4.2)` in the current language; components that read it update when the language changes. */
import { formatsFor, type Formats } from './format.ts'
import { language } from './i18n/language.svelte.ts'

const current = $derived(formatsFor(language.current))

export const format: Formats = {
  count: (value) => current.count(value),
  ms: (value) => current.ms(value),
  bytes: (value) => current.bytes(value),
  since: (value) => current.since(value),
}
