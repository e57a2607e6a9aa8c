/** The label and the colour of a verdict, for every screen that shows one. */
import { texts } from './text/texts.svelte.ts'
import { VERDICT_KEYS, type Verdict } from './verdict.ts'

export { verdictTone, type Verdict } from './verdict.ts'

/** @param code of a JSON-RPC error */
export const verdictWord = (verdict: Verdict, code?: number): string =>
  verdict === 'error' && code !== undefined ? texts.t.errorCode(String(code)) : texts.t[VERDICT_KEYS[verdict]]
