/**
 * The verdict on structured content, for the panel and for the lint (SF-TOOL-14): the same limits, so that both say the same.
 */
import { validate } from '../../forms/index.ts'
import { LONG } from '../../json/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'
import type { VerdictReply } from './verdict.worker.ts'

export type Verdict =
  ({ readonly state: 'judged' } & VerdictReply) | { readonly state: 'gave-up'; readonly why: 'slow' | 'large' }

export interface Judgeable {
  readonly schema: JsonObject | boolean
  readonly value: Json
  /** UTF-8 bytes of the message it came in. */
  readonly size: number
  /** The text of that message, with the value as its `result.structuredContent`; absent where it stands elsewhere. */
  readonly text: string | undefined
}

/** A check that can be ended before it is done; then it never resolves. */
export interface Checking {
  readonly verdict: Promise<Verdict>
  end(): void
}

/** @param text of the message, as in `Judgeable` */
export type CheckInWorker = (schema: JsonObject | boolean, text: string) => Checking

/** Bytes that are judged on the page where there is no text for a worker. */
const HERE = 1_000_000
/** Where no page waits. `limit` in ms; a value may be `scale` times as large as one on a page. */
const WITHOUT_PAGE = { limit: 10_000, attempts: 1, scale: 20 }

/** @param inWorker for large values in a page; absent where there is no page to keep responsive */
export const checkStructured = ({ schema, value, size, text }: Judgeable, inWorker?: CheckInWorker): Checking => {
  if (inWorker && size > LONG && text !== undefined) return inWorker(schema, text)
  if (inWorker && size > HERE) return { verdict: Promise.resolve({ state: 'gave-up', why: 'large' }), end: () => {} }
  const verdict = validate(schema, value, inWorker ? {} : WITHOUT_PAGE).then((verdict) => {
    const total = verdict.problems.filter(({ severity }) => severity === 'error').length
    return { state: 'judged' as const, verdict, total, more: false }
  })
  return { verdict, end: () => {} }
}
