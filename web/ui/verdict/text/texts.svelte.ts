import { catalogue } from '../../i18n/language.svelte.ts'
import { VERDICT_KEYS, type Verdict } from '../verdict.ts'
import en from './en.ts'

const texts = catalogue(en, () => import('./zh-CN.ts'))

/** The label of a verdict, the same on every screen. @param code of a JSON-RPC error */
export const verdictWord = (verdict: Verdict, code?: number): string =>
  verdict === 'error' && code !== undefined ? texts.t.errorCode(String(code)) : texts.t[VERDICT_KEYS[verdict]]
