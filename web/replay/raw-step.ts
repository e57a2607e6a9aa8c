/** Sends manually written texts again: with new IDs, and until every request in them has ended. */
import { jsonIn } from '../json/index.ts'
import { exchanges, idKey, isErrorObject, isObject, isRequestId, messageOf, TransportError } from '../mcp/index.ts'
import type { Exchange, Json, RequestId, Seq, Session } from '../mcp/index.ts'
import type { Outcome } from './steps.ts'

// Gives the requests in a manually written text new IDs: an ID is never used twice in a session (BP-04), and two
// pending requests with the same ID are indistinguishable (BP-05). The rest of the text stays unchanged.

/** The replacements for recorded IDs, by `idKey`: a later cancellation names the new one. */
export type NewIds = Map<string, RequestId>

/** Complete strings, structural characters, and all other values. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g

/** Characters; a longer text is sent unchanged. */
const LONGEST = 1_000_000

/**
 * @param fresh an unused ID of the same type
 * @returns the text unchanged if it isn't JSON or contains no request: deliberate mistakes stay
 */
export const withNewIds = (text: string, known: NewIds, fresh: (old: RequestId) => RequestId): string => {
  if (text.length > LONGEST) return text
  const message = jsonIn(text)
  if (message === undefined) return text
  const isBatch = Array.isArray(message)
  const parts = isBatch ? (message as readonly Json[]) : [message]
  /** Two requests in one text that share an ID share the new one: that is the point of the text. */
  const here: NewIds = new Map()
  const place = (part: Json | undefined, path: readonly string[], written: string): string => {
    if (!isObject(part) || typeof part.method !== 'string') return written
    if (path.length === 1 && path[0] === 'id' && isRequestId(part.id)) {
      const key = idKey(part.id)
      const id = here.get(key) ?? fresh(part.id)
      here.set(key, id)
      known.set(key, id)
      return JSON.stringify(id)
    }
    if (part.method !== 'notifications/cancelled' || path.join('/') !== 'params/requestId') return written
    const id = isObject(part.params) && isRequestId(part.params.requestId) ? part.params.requestId : undefined
    const other = id === undefined ? undefined : known.get(idKey(id))
    return other === undefined ? written : JSON.stringify(other)
  }
  return replaced(text, (path, written) =>
    isBatch ? place(parts[Number(path[0])], path.slice(1), written) : place(parts[0], path, written),
  )
}

/** Replaces scalar values through `place`, by their path. @param text valid JSON */
const replaced = (text: string, place: (path: readonly string[], written: string) => string): string => {
  const path: string[] = []
  const levels: { readonly list: boolean; key: string; count: number }[] = []
  let isKey = false
  return text.replace(TOKEN, (token) => {
    const level = levels.at(-1)
    switch (token) {
      case '{':
      case '[':
        if (level) path.push(level.list ? String(level.count) : level.key)
        levels.push({ list: token === '[', key: '', count: 0 })
        isKey = token === '{'
        return token
      case '}':
      case ']':
        levels.pop()
        path.pop()
        isKey = false
        return token
      case ',':
        if (level) level.count++
        isKey = level?.list === false
        return token
      case ':':
        isKey = false
        return token
    }
    if (!level) return token
    if (isKey) {
      level.key = JSON.parse(token) as string
      return token
    }
    // The IDs are no deeper than `[0].params.requestId`.
    return path.length > 2 ? token : place([...path, level.list ? String(level.count) : level.key], token)
  })
}

// Waits for the responses to a manually written text: no call of the session awaits them, so this watches the Trace.

type Ended<O = Outcome> = O extends Outcome ? Omit<O, 'took'> : never

interface RawResult {
  /** The frame of the sent text. */
  readonly seq: Seq | undefined
  /** The outcome of its last request; absent if it contained none. */
  readonly last: Ended | undefined
  /** Why the server or the network didn't accept it. */
  readonly refused: string | undefined
}

/**
 * Sends a text and waits until every request in it has ended, or `limit` ms have passed; the Trace then records that
 * the requests were given up.
 * @param from the length of the trace before
 * @throws {UsageError} `not-open`; or it couldn't be sent at all
 */
export const responsesTo = async (
  session: Pick<Session, 'raw' | 'trace' | 'link'>,
  text: string,
  from: Seq,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<RawResult> => {
  const { trace, link } = session
  const state = exchanges.initial()
  let seq: Seq | undefined
  let own: readonly Exchange[] = []
  let wake = () => {}
  const stop = trace.subscribe((frame) => {
    if (frame.link !== link || frame.seq < from) return
    if (seq === undefined && frame.kind === 'message' && frame.byHand) seq = frame.seq
    // Pair only the requests of this text: the fold needn't see other pending requests.
    if (seq !== undefined) exchanges.step(state, frame)
    if (frame.seq === seq) own = state.all.filter(({ request }) => request === seq)
    if (own.every(({ status }) => status !== 'pending')) wake()
  })
  let refused: string | undefined
  try {
    try {
      await session.raw(text, undefined, 'test')
    } catch (error) {
      // It was sent but not accepted: that is its outcome.
      if (seq === undefined || !(error instanceof TransportError)) throw error
      refused = messageOf(error)
    }
    if (own.some(({ status }) => status === 'pending')) {
      const timeout = AbortSignal.timeout(Math.ceil(limit))
      const over = signal ? AbortSignal.any([timeout, signal]) : timeout
      await new Promise<void>((resolve) => {
        wake = resolve
        over.addEventListener('abort', () => resolve(), { once: true })
        if (over.aborted) resolve()
      })
      const left = own.filter(({ status }) => status === 'pending')
      if (seq !== undefined && left.length > 0) {
        const [why, explanation] = timeout.aborted
          ? (['timeout', `No response within ${Math.round(limit) / 1000} s`] as const)
          : (['cancelled', 'The run was stopped'] as const)
        for (const { request } of left) {
          trace.append({ kind: 'session', phase: 'gave-up', link, request, why, explanation })
        }
      }
    }
  } finally {
    stop()
  }
  const last = own.at(-1)
  return { seq, refused, last: last && endOf(last, trace) }
}

const endOf = ({ status, response, error, id }: Exchange, trace: Session['trace']): Ended => {
  const frame = response === undefined ? undefined : trace.at(response)
  const message = frame?.kind === 'message' ? frame.message : undefined
  const parts = Array.isArray(message) ? (message as readonly Json[]) : [message]
  const part = parts.find((each) => isObject(each) && each.id === id) ?? (parts.length === 1 ? parts[0] : undefined)
  if (isObject(part) && isObject(part.result)) return { result: part.result }
  if (isObject(part) && isErrorObject(part.error)) return { error: part.error }
  if (error) return { error }
  return { ended: status === 'cancelled' || status === 'timeout' ? status : 'lost' }
}
