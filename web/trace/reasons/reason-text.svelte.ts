/** Reasons in the current language. */
import { catalogue, language } from '../../ui/index.svelte.ts'
import { patternsOf, translated } from './reason.ts'
import english from './text/en.ts'

let patterns = patternsOf()

const sentences = catalogue(english, async () => {
  const [chinese, former] = await Promise.all([import('./text/zh-CN.ts'), import('./text/former.ts')])
  patterns = patternsOf(former.default)
  return chinese
})

/** @param text of the kernel or the proxy, in English; any other text is returned unchanged */
export const reasonText = (text: string): string => {
  if (language.current === 'en') return text
  // Read first: loading the sentences also sets the patterns.
  const { t } = sentences
  return translated(text, t, patterns)
}
