/** Reasons in the current language. */
import { catalogue, language } from '../../ui/index.svelte.ts'
import { recogniseFormer, translated } from './reason.ts'
import english from './text/en.ts'

const sentences = catalogue(english, async () => {
  const [chinese, former] = await Promise.all([import('./text/zh-CN.ts'), import('./text/former.ts')])
  recogniseFormer(former.default)
  return chinese
})

/** @param text of the kernel or the proxy, in English; any other text is returned unchanged */
export const reasonText = (text: string): string => (language.current === 'en' ? text : translated(text, sentences.t))
