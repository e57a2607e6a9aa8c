import { catalogue } from '../language.svelte.ts'
import en from './en.ts'

export const texts = catalogue(en, () => import('./zh-CN.ts'))
