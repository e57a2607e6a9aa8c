/**
 * The outcome of a call, read from its exchange and the frame of its response: the same for a session and a recording.
 */
import { isObject, verdictOf } from '../../mcp/index.ts'
import type { ErrorObject, Exchange, ExchangeStatus, Frame, Json, JsonObject, Seq, Verdict } from '../../mcp/index.ts'
import type { Rounds } from './rounds-fold.ts'

/** What is known of any call. */
export interface CallOutcome {
  /** The frame of the first request. */
  readonly seq: Seq
  readonly rounds: Rounds
  /** Of the last round. */
  readonly exchange: Readonly<Exchange>
  /** `pending` until it has ended. `task`: the response is a task, and nothing has come of it yet. */
  readonly state: ExchangeStatus | 'task'
  /** Where it ended with one: of the exchange, or of the task that the call became. */
  readonly error?: ErrorObject
  /** UTF-8 bytes of the answer. */
  readonly size?: number
  /** ms from the first request to the end. */
  readonly took?: number
  /** The frame that holds the answer, where it is not the response of the exchange. */
  readonly answer?: Seq
}

/** A call that is answered once and for all: it never becomes a task. */
export interface PlainOutcome extends CallOutcome {
  readonly state: ExchangeStatus
  /** The whole answer; absent where none came, or where its body was released to keep the byte budget. */
  readonly message?: JsonObject
  /** Its exact text, if that differs from the serialized message. */
  readonly raw?: string
  readonly result?: JsonObject
  readonly error?: ErrorObject
  /** An answer came, but its body is gone. */
  readonly released?: true
}

/**
 * @param frameAt the frame with a seq
 * @returns `undefined` where the trace holds no such call
 */
export const plainOutcomeOf = (
  rounds: Rounds,
  exchanges: ReadonlyMap<Seq, Exchange>,
  frameAt: (seq: Seq) => Frame | undefined,
): PlainOutcome | undefined => {
  const [seq, last] = [rounds[0]!, rounds.at(-1)!]
  const exchange = exchanges.get(last)
  if (!exchange) return undefined
  const startedAt = exchanges.get(seq)?.startedAt ?? exchange.startedAt
  const response = exchange.response === undefined ? undefined : frameAt(exchange.response)
  const common = {
    seq,
    rounds,
    exchange: { ...exchange },
    state: exchange.status,
    ...(exchange.endedAt === undefined ? {} : { took: exchange.endedAt - startedAt }),
    ...(exchange.error ? { error: exchange.error } : {}),
  }
  if (response?.kind !== 'message') return common
  const message = partWith(response.message, exchange.id, 'answer')
  if (!message) return { ...common, size: response.size, ...(response.released ? { released: true as const } : {}) }
  return {
    ...common,
    size: response.size,
    message,
    ...(response.raw !== undefined && message === response.message ? { raw: response.raw } : {}),
    ...(isObject(message.result) ? { result: message.result } : {}),
  }
}

/**
 * By the one verdict that the trace, the reports and the filter language give.
 * @param state a task's call is pending until the task has ended
 */
export const callVerdict = ({ state, exchange }: Pick<CallOutcome, 'state' | 'exchange'>): Verdict =>
  state === 'task' ? 'pending' : verdictOf({ ...exchange, status: state satisfies ExchangeStatus })

/** The code that belongs to an `error`. */
export const callCode = ({ error, exchange }: { error?: ErrorObject } & Pick<CallOutcome, 'exchange'>) =>
  (error ?? exchange.error)?.code

/** In a batch, the one that is meant. */
export const partWith = (
  message: Json | undefined,
  id: string | number,
  what: 'request' | 'answer',
): JsonObject | undefined => {
  if (isObject(message)) return message
  if (!Array.isArray(message)) return undefined
  return (message as readonly Json[])
    .filter(isObject)
    .find((part) => part.id === id && 'method' in part === (what === 'request'))
}

const FEATURES: Readonly<Record<string, string>> = {
  'tools/call': 'tools',
  'prompts/get': 'prompts',
  'resources/read': 'resources',
}

/** The tab and the item that show a call of ours; `undefined` for methods without a tab of their own. */
export const placeOfCall = (
  call: Pick<Exchange, 'method' | 'subject'> | undefined,
): { readonly feature: string; readonly place: string } | undefined => {
  const feature = call && Object.hasOwn(FEATURES, call.method) ? FEATURES[call.method] : undefined
  return feature === undefined || call?.subject === undefined ? undefined : { feature, place: call.subject }
}
