import { catalogue } from '../../../ui/index.svelte.ts'
import en from './en.ts'
import processEn from './process/en.ts'

export const texts = catalogue(en, () => import('./zh-CN.ts'))
export const processTexts = catalogue(processEn, () => import('./process/zh-CN.ts'))
