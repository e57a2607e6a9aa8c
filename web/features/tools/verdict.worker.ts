/** Holds a large value against a schema beside the page, which can end it when it takes too long. Runs only as a worker. */
import { validate, type Verdict } from '../../forms/index.ts'
import type { Value } from '../../json/index.ts'

export interface VerdictRequest {
  readonly schema: unknown
  /** The text of a message, whose `result.structuredContent` it is about: a text is handed over at no cost. */
  readonly text: string
}

/** `total`: of the errors, of which only the first came along; `more`: there may be more than that. */
export interface VerdictReply {
  readonly verdict: Verdict
  readonly total: number
  readonly more: boolean
}

/** Problems handed back. */
const MOST = 100
/** ms; whoever waits ends it before. */
const LIMIT = 60_000
const SCALE = 20

const judge = async ({ schema, text }: VerdictRequest): Promise<VerdictReply> => {
  const message = JSON.parse(text) as { readonly result?: { readonly structuredContent?: Value } }
  const value = message.result?.structuredContent
  const options = { limit: LIMIT, attempts: 1, scale: SCALE }
  const all = await validate(schema, value, options)
  // Tens of thousands of breaches are more than the validator can hold: then the first must do.
  const one = all.unchecked?.code === 'size' ? await validate(schema, value, { ...options, first: true }) : undefined
  const more = one?.state === 'invalid'
  const verdict = more ? one : all
  const errors = verdict.problems.filter(({ severity }) => severity === 'error')
  const shown = (errors.length > 0 ? errors : verdict.problems).slice(0, MOST)
  return { verdict: { ...verdict, problems: shown }, total: errors.length, more }
}

addEventListener('message', ({ data }: MessageEvent<VerdictRequest>) => {
  void judge(data).then((reply) => postMessage(reply))
})
