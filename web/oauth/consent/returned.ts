/** What the browser brought back, as far as it may be shown (AU-FLOW-10): nothing of it before it was found to be of the issuer asked. */
import type { FlowRecord, RunRecord } from '../flow/index.ts'

/** What speaks against the answer being of this sign-in, and of the issuer that was asked. */
const STRANGE: ReadonlySet<string> = new Set(['iss-mismatch', 'iss-missing', 'state-mismatch', 'repeated-parameter'])

/** Someone else may have written it. */
export const isStrange = ({ stops, fault, checks }: RunRecord): boolean =>
  [...stops, ...(fault ? [fault] : [])].some(({ code }) => STRANGE.has(code)) ||
  checks.some(
    ({ ok, say }) => ok === false && (say === 'iss-differs' || say === 'iss-missing' || say === 'state-differs'),
  )

export type Returned =
  | { readonly shown: true; readonly parameters: readonly (readonly [name: string, value: string])[] }
  /** `judged`: not yet; `strange`: it may be somebody else's. */
  | { readonly shown: false; readonly why: 'judged' | 'strange' }

/** @returns `undefined` where nothing came back yet */
export const returnedOf = ({ steps }: FlowRecord): Returned | undefined => {
  const run = steps.find(({ step }) => step === 'authorization')?.run
  const query = run?.learned.returned
  if (typeof query !== 'string') return undefined
  const callback = steps.find(({ step }) => step === 'callback')?.run
  if (callback && isStrange(callback)) return { shown: false, why: 'strange' }
  // The frame that says how the checks went comes with the end of the step; a fault of later says that they went well.
  const passed = callback && (callback.endedAt !== undefined || callback.fault !== undefined)
  if (!passed) return { shown: false, why: 'judged' }
  return { shown: true, parameters: [...new URLSearchParams(query)].slice(0, 50) }
}
