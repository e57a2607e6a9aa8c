import { catalogue } from '../../../ui/index.svelte.ts'
import en from './en.ts'

export const texts = catalogue(en, () => import('./zh-CN.ts'))
