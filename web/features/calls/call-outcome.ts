/** The outcome of a call, read from its exchange and its response frame. Works for sessions and recordings alike. */
import { isObject, verdictOf } from '../../mcp/index.ts'
import type { ErrorObject, Exchange, ExchangeStatus, Frame, Json, JsonObject, Seq, Verdict } from '../../mcp/index.ts'
import type { Rounds } from './rounds-fold.ts'

/** Facts common to all calls. */
export interface CallOutcome {
  /** The frame of the first request. */
  readonly seq: Seq
  readonly rounds: Rounds
  /** The exchange of the last round. */
  readonly exchange: Readonly<Exchange>
  /** `pending` until the call has ended. `task`: the response is a task without a result yet. */
  readonly state: ExchangeStatus | 'task'
  /** The error that ended the exchange, or the task that the call became. */
  readonly error?: ErrorObject
  /** Size of the response in UTF-8 bytes. */
  readonly size?: number
  /** ms from the first request to the end. */
  readonly took?: number
  /** The frame that holds the response, if it isn't the response of the exchange. */
  readonly answer?: Seq
}

/** A call that is answered directly and never becomes a task. */
export interface PlainOutcome extends CallOutcome {
  readonly state: ExchangeStatus
  /** The whole response; absent if none arrived, or if its body was released to keep the memory budget. */
  readonly message?: JsonObject
  /** Its exact text, if that differs from the serialized message. */
  readonly raw?: string
  readonly result?: JsonObject
  readonly error?: ErrorObject
  /** A response arrived, but its body was released. */
  readonly released?: true
}

/**
 * @param frameAt returns the frame with the given seq
 * @returns `undefined` if the trace doesn't contain the call
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
 * The same verdict that the trace, the reports and the filter language use.
 * @param state a call that became a task is pending until the task ends
 */
export const callVerdict = ({ state, exchange }: Pick<CallOutcome, 'state' | 'exchange'>): Verdict =>
  state === 'task' ? 'pending' : verdictOf({ ...exchange, status: state satisfies ExchangeStatus })

/** The code of the call's error. */
export const callCode = ({ error, exchange }: { error?: ErrorObject } & Pick<CallOutcome, 'exchange'>) =>
  (error ?? exchange.error)?.code

/** The message with the given id, if it is part of a batch. */
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

/** The tab and item that show one of our calls; `undefined` for methods without a tab. */
export const placeOfCall = (
  call: Pick<Exchange, 'method' | 'subject'> | undefined,
): { readonly feature: string; readonly place: string } | undefined => {
  const feature = call && Object.hasOwn(FEATURES, call.method) ? FEATURES[call.method] : undefined
  return feature === undefined || call?.subject === undefined ? undefined : { feature, place: call.subject }
}
