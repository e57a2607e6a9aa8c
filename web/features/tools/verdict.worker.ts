/** Holds a large value against a schema beside the page, which can end it when it takes too long. Runs only as a worker. */
import { validate } from '../../forms/validate.ts'
import type { Verdict } from '../../forms/verdict.ts'
import type { Value } from '../../ui/json/lossless.ts'

export interface VerdictRequest {
  readonly schema: unknown
  /** The text of a message, whose `result.structuredContent` it is about: a text is handed over at no cost. */
  readonly text: string
}

/** `total`: of the problems, of which only the first came along. */
export interface VerdictReply {
  readonly verdict: Verdict
  readonly total: number
}

/** Problems handed back. */
const MOST = 100
/** ms; whoever waits ends it before. */
const LIMIT = 60_000
const SCALE = 20

const judge = async ({ schema, text }: VerdictRequest): Promise<VerdictReply> => {
  const message = JSON.parse(text) as { readonly result?: { readonly structuredContent?: Value } }
  const verdict = await validate(schema, message.result?.structuredContent, {
    limit: LIMIT,
    attempts: 1,
    scale: SCALE,
  })
  const errors = verdict.problems.filter(({ severity }) => severity === 'error')
  const shown = (errors.length > 0 ? errors : verdict.problems).slice(0, MOST)
  return { verdict: { ...verdict, problems: shown }, total: errors.length }
}

addEventListener('message', ({ data }: MessageEvent<VerdictRequest>) => {
  void judge(data).then((reply) => postMessage(reply))
})
