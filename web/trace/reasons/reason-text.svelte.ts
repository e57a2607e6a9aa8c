/** Why something failed, in the language of the moment. */
import { catalogue, language } from '../../ui/index.svelte.ts'
import { translated } from './reason.ts'
import english from './text/en.ts'

const sentences = catalogue(english, () => import('./text/zh-CN.ts'))

/** @param text of the kernel or the proxy, in English; any other text stays as it is */
export const reasonText = (text: string): string => (language.current === 'en' ? text : translated(text, sentences.t))
