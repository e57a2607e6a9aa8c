import { catalogue } from '../../../ui/index.svelte.ts'
import en from './en.ts'

export const texts = catalogue(en, () => import('./zh-CN.ts'))

/** The label of an action that adds to the context, or removes from it. */
export const contextText = (added: boolean): string => (added ? texts.t.drop : texts.t.add)
