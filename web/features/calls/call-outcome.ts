/**
 * The calls of an item, read from the Trace alone, so that sessions and recordings work alike: which requests belong to
 * a call, its outcome, the one of several to show, the time it has left, and the effect of cancelling it.
 */
import { eraOf, getOrInsert, isObject, isRequestId, LINGER, messagesIn, verdictOf } from '../../mcp/index.ts'
import type {
  ErrorObject,
  Exchange,
  ExchangeStatus,
  Fold,
  Frame,
  Json,
  JsonObject,
  Link,
  Revision,
  Seq,
  Verdict,
} from '../../mcp/index.ts'

/** Calls stored per subject; older ones are still in the Trace. */
const CALLS_KEPT = 20

/**
 * The request frames of a call, in order; at least one. There are several if the server asked for input first
 * (MRTR-06), or if the session was lost.
 */
export type RequestSeqs = readonly Seq[]
/** Connection -> subject -> its calls, oldest first. */
type RequestsBySubject = Map<Link, Map<string, readonly RequestSeqs[]>>

/**
 * Maps the requests of one method to their subject (a prompt's name, a URI): the last few calls for each subject of
 * each connection. Call it once per method and reuse the result: projections are shared by fold identity.
 * @param parameter the parameter that names the subject
 */
export const requestSeqsFold = (method: string, parameter: string): Fold<RequestsBySubject> => ({
  initial: () => new Map(),

  step(calls, frame) {
    if (frame.kind !== 'message' || frame.direction !== 'sent') return false
    let moved = false
    for (const part of messagesIn(frame.message)) {
      if (part.method !== method || !isRequestId(part.id)) continue
      const subject = isObject(part.params) ? part.params[parameter] : undefined
      if (typeof subject !== 'string') continue
      const subjects = getOrInsert(calls, frame.link, () => new Map<string, readonly RequestSeqs[]>())
      subjects.set(subject, withRequest(subjects.get(subject) ?? [], frame.seq, frame.follows))
      moved = true
    }
    return moved ? undefined : false
  },
})

const withRequest = (before: readonly RequestSeqs[], seq: Seq, follows: Seq | undefined): readonly RequestSeqs[] => {
  const at = follows === undefined ? -1 : before.findIndex((rounds) => rounds.at(-1) === follows)
  if (at < 0) return [...before, [seq]].slice(-CALLS_KEPT)
  return before.with(at, [...before[at]!, seq])
}

/** Facts common to all calls. */
export interface CallOutcome {
  /** The frame of the first request. */
  readonly seq: Seq
  readonly rounds: RequestSeqs
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
  /** A response arrived, but its body was released. */
  readonly released?: true
}

/**
 * @param frameAt returns the frame with the given seq
 * @returns `undefined` if the trace doesn't contain the call
 */
export const plainOutcomeOf = (
  rounds: RequestSeqs,
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

/** Which of an item's calls is shown. */
interface CallHistory<Outcome> {
  /** Oldest first, in the order of the input. */
  readonly settled: readonly Outcome[]
  readonly newest: Outcome | undefined
  readonly shown: Outcome | undefined
  /** The latest call is still pending. */
  readonly waiting: boolean
}

/**
 * The last result stays until the next one arrives, unless the user picks an earlier one.
 * @param outcomes oldest first
 * @param chosen an earlier call that the user picked; absent: the latest
 */
export const historyOf = <Outcome extends CallOutcome>(
  outcomes: readonly Outcome[],
  chosen: Seq | undefined,
): CallHistory<Outcome> => {
  const settled = outcomes.filter(({ state }) => state !== 'pending')
  const newest = outcomes.at(-1)
  const shown = settled.find(({ seq }) => seq === chosen) ?? settled.at(-1)
  return { settled, newest, shown, waiting: newest?.state === 'pending' }
}

/** The time that a pending call has left, by the limits of the session (UT-TIME-01 … UT-TIME-04). */
interface Remaining {
  /** ms until the call times out; never negative. */
  readonly left: number
  /** The limit that is reached first. */
  readonly which: 'idle' | 'total'
  /** Less than a quarter of the limit (or 5 s, if that is more) is left: time to offer an extension. */
  readonly near: boolean
}

/**
 * @param now ms since the trace began
 * @param extendedAt when the user last extended the call, which restarts the idle limit
 */
export const remainingOf = (
  { limits, startedAt, progress }: Pick<Exchange, 'limits' | 'startedAt' | 'progress'>,
  now: number,
  extendedAt = 0,
): Remaining | undefined => {
  if (!limits) return undefined
  const idleLeft = Math.max(startedAt, progress?.at ?? 0, extendedAt) + limits.idle - now
  const totalLeft = startedAt + limits.total - now
  const which = idleLeft <= totalLeft ? 'idle' : 'total'
  const left = Math.max(0, Math.min(idleLeft, totalLeft))
  return { left, which, near: left < Math.max(5000, limits[which] / 4) && left < limits[which] }
}

/** Progress from 0 to 1; `undefined` if the server sends no total, or one that makes no sense. */
export const shareOf = (progress: Exchange['progress']): number | undefined => {
  if (!progress || progress.total === undefined || !(progress.total > 0)) return undefined
  return Math.min(1, Math.max(0, progress.progress / progress.total))
}

/** How a cancelled or timed-out request reaches the server, and whether a late response can still arrive. */
export type CancellationEffect =
  /** TR-HTTP-10: closing the response stream is the cancellation. */
  | 'stream-closed'
  /** TR-HTTP-09: a notification was sent; the response stream is closed shortly after. */
  | 'notified-then-closed'
  /** A notification was sent over a connection that stays open. */
  | 'notified'

/** @param transport the transport's name for itself; `undefined` if unknown */
export const cancellationEffect = (
  revision: Revision | undefined,
  transport: string | undefined,
): CancellationEffect => {
  if (transport !== 'Streamable HTTP') return 'notified'
  return revision !== undefined && eraOf(revision) === 'stateless' ? 'stream-closed' : 'notified-then-closed'
}

export const cancellationText = (
  server: { readonly peer?: { readonly revision: Revision } | undefined; readonly transport?: string | undefined },
  words: { readonly afterCancellation: (effect: CancellationEffect, seconds: string) => string },
): string => words.afterCancellation(cancellationEffect(server.peer?.revision, server.transport), String(LINGER / 1000))

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
