/**
 * The HTTP response to a call that ended with it instead of a result: status, headers, body and likely cause. Read from
 * the Trace.
 */
import type { Exchange, Frame, HeaderList, Seq, HttpExchange, HttpExchanges } from '../../mcp/index.ts'

/** Who most likely has to fix it. */
type HttpCause =
  | 'request'
  | 'credentials'
  | 'permission'
  | 'url'
  | 'method'
  | 'accept'
  | 'content-type'
  | 'size'
  | 'rate'
  | 'server'
  | 'proxy'
  | 'gateway'
  | 'redirect'
  | 'not-mcp'
  | 'empty'

export interface HttpResponse {
  /** The frame of the response headers. */
  readonly seq: Seq
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderList
  /** `Content-Type`, or '' if absent. */
  readonly type: string
  readonly cause: HttpCause
  /** The body as text with its secrets masked; `undefined` if there is none, or if it was released. */
  readonly body: string | undefined
  /** Bytes of the body. */
  readonly size: number | undefined
  /** Only the beginning of the body was stored. */
  readonly cut: boolean
  /** `Retry-After`, as sent. */
  readonly retryAfter: string | undefined
  /** Target of a redirect. */
  readonly location: string | undefined
}

/** @returns `undefined` if the call had no HTTP response, or if that only carried the result */
export const httpResponseOf = (
  exchange: Readonly<Exchange>,
  frameAt: (seq: Seq) => Frame | undefined,
  runs: HttpExchanges,
): HttpResponse | undefined => {
  const run = lastRun(exchange.carrier === undefined ? undefined : runs.get(exchange.carrier), frameAt, runs)
  const head = run?.response === undefined ? undefined : frameAt(run.response)
  if (!run || head?.kind !== 'http' || head.phase !== 'response') return undefined
  const header = (name: string) => head.headers.find(([key]) => key.toLowerCase() === name)?.[1]
  const type = header('content-type') ?? ''
  const isOk = head.status >= 200 && head.status < 300
  // A stream that broke off lost the JSON-RPC response on the way; its status and headers were fine.
  if (isOk && (exchange.status !== 'lost' || run.outcome !== 'ended' || /^\s*text\/event-stream/i.test(type)))
    return undefined
  const body = bodyOf(run, frameAt)
  const { seq, status, statusText, headers } = head
  return {
    seq,
    status,
    statusText,
    headers,
    type,
    cause: isOk ? (body.size === 0 ? 'empty' : 'not-mcp') : causeOf(status),
    ...body,
    retryAfter: header('retry-after'),
    location: header('location'),
  }
}

/** If the request was repeated, such as with a token, the response to the last repetition. */
const lastRun = (
  run: HttpExchange | undefined,
  frameAt: (seq: Seq) => Frame | undefined,
  runs: HttpExchanges,
): HttpExchange | undefined => {
  const again = run?.resumes.findLast((seq) => {
    const frame = frameAt(seq)
    return frame?.kind === 'http' && frame.phase === 'request' && frame.again !== undefined
  })
  return again === undefined ? run : (lastRun(runs.get(again), frameAt, runs) ?? run)
}

/** JSON is captured as a message; other text is captured when the body ends. */
const bodyOf = (
  run: HttpExchange,
  frameAt: (seq: Seq) => Frame | undefined,
): Pick<HttpResponse, 'body' | 'size' | 'cut'> => {
  const end = run.end === undefined ? undefined : frameAt(run.end)
  if (end?.kind !== 'http' || end.phase !== 'end') return { body: undefined, size: undefined, cut: false }
  const { size, body, cut = false } = end
  if (body !== undefined) return { body, size, cut }
  for (const seq of run.frames) {
    const frame = frameAt(seq)
    if (frame?.kind !== 'message' || frame.direction !== 'received') continue
    const text = frame.raw ?? (frame.message === undefined ? undefined : JSON.stringify(frame.message))
    return { body: text, size, cut: false }
  }
  return { body: undefined, size, cut: false }
}

const CAUSES: Readonly<Record<number, HttpCause>> = {
  0: 'redirect',
  401: 'credentials',
  403: 'permission',
  404: 'url',
  405: 'method',
  406: 'accept',
  407: 'proxy',
  410: 'url',
  413: 'size',
  415: 'content-type',
  421: 'permission',
  429: 'rate',
  502: 'gateway',
  503: 'gateway',
  504: 'gateway',
}

/** @see https://www.rfc-editor.org/rfc/rfc9110#section-15 */
const causeOf = (status: number): HttpCause => {
  const known = CAUSES[status]
  if (known) return known
  if (status >= 500) return 'server'
  return status >= 300 && status < 400 ? 'redirect' : 'request'
}
