/**
 * The fold that matches messages: responses, progress (`progressToken`) and cancellations with their request. What matches
 * no request is an orphan.
 */
import type { Frame, FrameOf, GiveUp, JsonObject, Link, MessageFrame, Seq } from './frame.ts'
import {
  idInOtherType,
  idKey,
  isErrorObject,
  isErrorResponse,
  isObject,
  isRequestId,
  messagesIn,
  OPENING_METHODS,
  type ErrorObject,
  type RequestId,
} from './jsonrpc.ts'
import type { Fold } from './projection.ts'

/**
 * How a request ended. `tool-error`: a tool's result with `isError: true` (SF-TOOL-18). `error`: a JSON-RPC error. `asked`:
 * the server responded with requests of its own (2026-07-28 `input_required`).
 */
export type ExchangeStatus = 'pending' | 'ok' | 'tool-error' | 'error' | 'cancelled' | 'timeout' | 'lost' | 'asked'

/** The status of a request on every screen, in filters and reports: one word per state. */
export type Verdict =
  | 'ok'
  | 'tool-error'
  | 'error'
  | 'pending'
  | 'waiting'
  | 'cancelled'
  | 'timed-out'
  | 'lost'
  | 'probe'

/**
 * `waiting`: for the user, who has to respond to a server request. `probe`: it failed, but only to find out the protocol
 * version.
 */
export const verdictOf = ({
  status,
  direction,
  next,
  probe,
}: Pick<Exchange, 'status' | 'direction' | 'next' | 'probe'>): Verdict => {
  if (probe) return 'probe'
  if (status === 'timeout') return 'timed-out'
  if (status === 'asked') return next === undefined ? 'waiting' : 'ok'
  return status === 'pending' && direction === 'received' ? 'waiting' : status
}

export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
  /** How many progress notifications arrived. */
  readonly count: number
  readonly at: number
}

/** One request and everything that happened to it. Shared by reference; its fields change as frames arrive. */
export interface Exchange {
  readonly link: Link
  /** `sent`: we asked the server. `received`: it asked us. */
  readonly direction: 'sent' | 'received'
  readonly id: RequestId
  readonly method: string
  /** What the request is about, if the protocol names it: a tool or prompt name, or a URI. */
  readonly subject?: string
  readonly request: Seq
  readonly startedAt: number
  response?: Seq
  endedAt?: number
  status: ExchangeStatus
  progress?: Progress
  /** The request that continues the call with the input that an `asked` response requested. */
  next?: Seq
  /** An earlier request with the same ID that was pending when this one was sent: the sender's mistake (BP-05). */
  readonly twin?: Exchange
  /** The HTTP request that carried it. */
  readonly carrier?: Seq
  /**
   * How much of its HTTP response has arrived, even if the message in it never did. `accepted`: nothing but status 202,
   * because the message comes another way.
   */
  arrived?: 'accepted' | 'partly' | 'whole'
  /** Set when a cancellation was requested by either side. */
  cancel?: Seq
  error?: ErrorObject
  /** Why we stopped waiting without a response. */
  explanation?: string
  limits?: { readonly idle: number; readonly total: number }
  /** It would have opened the session and failed, and another request opened it. */
  probe?: true
  /** Frames that arrived because of this one: progress, late responses. At most the last 100. */
  related: Seq[]
}

export interface Exchanges {
  /** All exchanges in the order of their requests. */
  readonly all: Exchange[]
  /** By the seq of request and of response. */
  readonly bySeq: Map<Seq, Exchange>
  /** Responses without a matching request: wrong IDs, second responses, late responses. */
  readonly orphans: Map<Seq, 'unknown-id' | 'second-answer' | 'late-answer'>
  /** The last exchange per link, direction and ID, pending or complete. */
  readonly byId: Map<string, Exchange>
  readonly byToken: Map<string, Exchange>
  /** By the HTTP request that carried it; `undefined` if that carried several. */
  readonly byCarrier: Map<Seq, Exchange | undefined>
  pending: number
  readonly open: Map<Link, Set<Exchange>>
  /** Exchanges that were `asked` and not yet continued. */
  readonly asked: Map<Link, Set<Exchange>>
  /** Stateless connections, whose servers never receive responses to requests (BP-11). */
  readonly stateless: Set<Link>
  /** Connections with a session. */
  readonly opened: Set<Link>
  /** Failed requests to open the session, by connection. Once it is open, they were probes. */
  readonly failedOpenings: Map<Link, Exchange[]>
}

const RELATED_KEPT = 100
/** Requests with the same ID that are told apart; further ones are paired with the newest. */
const TWINS_SEEN = 100

/** The key of a request as its sender numbered it: the two directions number independently. */
const keyOf = (link: Link, direction: 'sent' | 'received', id: RequestId): string => `${link} ${direction} ${idKey(id)}`

export const exchanges: Fold<Exchanges> = {
  initial: () => ({
    all: [],
    bySeq: new Map(),
    orphans: new Map(),
    byId: new Map(),
    byToken: new Map(),
    byCarrier: new Map(),
    pending: 0,
    open: new Map(),
    asked: new Map(),
    stateless: new Set(),
    opened: new Set(),
    failedOpenings: new Map(),
  }),

  step(state, frame) {
    if (frame.kind === 'message') {
      if (Array.isArray(frame.message)) {
        for (const part of frame.message) stepMessage(state, frame, part)
        return
      }
      return stepMessage(state, frame, frame.message)
    }
    if (frame.kind === 'http') return stepHttp(state, frame)
    if (frame.kind !== 'session') return false
    switch (frame.phase) {
      case 'gave-up': {
        const exchange = stillOpen(state, frame.link, frame.request)
        // A call that isn't continued after the server requested input ends there (CF-SAMP-13).
        if (!exchange || (exchange.status !== 'pending' && !isWaiting(state, exchange))) return false
        exchange.explanation = frame.explanation
        const status = STATUS_OF[frame.why]
        return settle(state, exchange, frame, status === 'lost' ? lostOr(state, exchange) : status)
      }
      case 'extended': {
        const exchange = state.bySeq.get(frame.request)
        if (!exchange) return false
        exchange.limits = { idle: frame.idle, total: frame.total }
        return
      }
      case 'open':
        state.opened.add(frame.link)
        if (frame.peer.era === 'stateless') state.stateless.add(frame.link)
        else state.stateless.delete(frame.link)
        return markProbes(state, frame.link)
      case 'renewing':
      case 'restarting':
        state.opened.delete(frame.link)
        state.failedOpenings.delete(frame.link)
        return false
      // Nothing can respond to requests that are still pending.
      case 'closed':
      case 'failed': {
        const [open = [], asked = []] = [state.open.get(frame.link), state.asked.get(frame.link)]
        const left = [...open, ...asked]
        for (const exchange of left) {
          const status = lostOr(state, exchange)
          if (status === 'error') exchange.explanation = frame.phase === 'failed' ? frame.explanation : frame.why
          settle(state, exchange, frame, status)
        }
        state.opened.delete(frame.link)
        state.failedOpenings.delete(frame.link)
        return left.length > 0 ? undefined : false
      }
      default:
        return false
    }
  },
}

/**
 * A request that would have opened the session and got no response at all, or one that can't be used, ends with an error,
 * whatever carried it: nothing was lost on the way. In an open session, `server/discover` is a ping.
 */
const lostOr = (state: Exchanges, exchange: Exchange): 'lost' | 'error' =>
  opens(state, exchange) && (exchange.arrived === undefined || exchange.arrived === 'whole') ? 'error' : 'lost'

const opens = ({ opened }: Exchanges, { method, link, direction }: Exchange): boolean =>
  direction === 'sent' && OPENING_METHODS.has(method) && !opened.has(link)

const FAILED: ReadonlySet<ExchangeStatus> = new Set(['error', 'timeout', 'lost'])

const markProbes = ({ failedOpenings }: Exchanges, link: Link): void | false => {
  const failed = failedOpenings.get(link)
  if (!failed) return false
  for (const exchange of failed) exchange.probe = true
}

const STATUS_OF: Record<GiveUp, ExchangeStatus> = {
  timeout: 'timeout',
  cancelled: 'cancelled',
  lost: 'lost',
  closed: 'lost',
}

const stepHttp = ({ byCarrier }: Exchanges, frame: FrameOf<'http'>): false => {
  if (frame.phase === 'request') {
    // The same message once more, through the proxy or with a token.
    const { again, seq } = frame
    if (again !== undefined && byCarrier.has(again)) byCarrier.set(seq, byCarrier.get(again))
    return false
  }
  const exchange = byCarrier.get(frame.request)
  if (exchange?.status !== 'pending') return false
  if (frame.phase === 'response') exchange.arrived = frame.status === 202 ? 'accepted' : 'partly'
  else if (frame.phase === 'end' && exchange.arrived !== 'accepted') exchange.arrived = 'whole'
  else if (frame.phase === 'failed' && frame.stage === 'body') exchange.arrived = 'partly'
  return false
}

const stepMessage = (state: Exchanges, frame: MessageFrame, message: unknown): void | false => {
  if (!isObject(message)) return false
  if (typeof message.method === 'string') {
    return isRequestId(message.id) ? begin(state, frame, message, message.id) : notified(state, frame, message)
  }
  if (isRequestId(message.id) && ('result' in message || 'error' in message)) {
    return answered(state, frame, message, message.id)
  }
  return 'error' in message ? refusedWithoutId(state, frame, message) : false
}

const begin = (state: Exchanges, frame: MessageFrame, message: JsonObject, id: RequestId): void => {
  const params = isObject(message.params) ? message.params : {}
  const subject = [params.name, params.uri, params.taskId].find((value) => typeof value === 'string')
  const key = keyOf(frame.link, frame.direction, id)
  const before = state.byId.get(key)
  const exchange: Exchange = {
    link: frame.link,
    direction: frame.direction,
    id,
    method: message.method as string,
    subject,
    request: frame.seq,
    startedAt: frame.at,
    status: 'pending',
    limits: frame.limits,
    carrier: frame.carrier,
    ...(before?.status === 'pending' ? { twin: before } : {}),
    related: [],
  }
  carryOn(state, frame, exchange, params)
  state.all.push(exchange)
  state.bySeq.set(frame.seq, exchange)
  state.byId.set(key, exchange)
  const { carrier } = frame
  if (carrier !== undefined) state.byCarrier.set(carrier, state.byCarrier.has(carrier) ? undefined : exchange)
  state.pending++
  const open = state.open.get(frame.link)
  if (open) open.add(exchange)
  else state.open.set(frame.link, new Set([exchange]))
  if (frame.direction === 'received' && state.stateless.has(frame.link)) settle(state, exchange, frame, 'lost')
  const token = isObject(params._meta) ? params._meta.progressToken : undefined
  if (isRequestId(token)) state.byToken.set(keyOf(frame.link, frame.direction, token), exchange)
}

/** The pending exchange of a request frame. A batch holds several, and each gives up with its own frame. */
const stillOpen = (state: Exchanges, link: Link, request: Seq): Exchange | undefined => {
  const last = state.bySeq.get(request)
  if (!last || last.status === 'pending') return last
  for (const each of state.open.get(link) ?? []) if (each.request === request) return each
  return last
}

/** Ends the wait of the call that this request continues; recordings of other programs don't identify that call. */
const carryOn = (state: Exchanges, frame: MessageFrame, request: Exchange, params: JsonObject): void => {
  const asked = state.asked.get(frame.link)
  if (!asked?.size) return
  const retries = params.inputResponses !== undefined || params.requestState !== undefined
  const before =
    frame.follows === undefined
      ? [...asked].find(({ method, subject }) => retries && method === request.method && subject === request.subject)
      : state.bySeq.get(frame.follows)
  if (!before || !asked.delete(before)) return
  before.next = frame.seq
}

const isWaiting = ({ asked }: Exchanges, exchange: Exchange): boolean =>
  asked.get(exchange.link)?.has(exchange) === true

/** Requests with the same ID are told apart by their carrier, otherwise by their order. */
const pendingTwin = (newest: Exchange, carrier: Seq | undefined): Exchange => {
  const twins: Exchange[] = []
  let each: Exchange | undefined = newest
  for (let count = 0; each && count < TWINS_SEEN; count++, each = each.twin) {
    if (each.status === 'pending') twins.push(each)
  }
  return twins.find((each) => carrier !== undefined && each.carrier === carrier) ?? twins.at(-1) ?? newest
}

/** The task methods that return a tool's result: `tasks/result` directly, `tasks/get` nested (TASK-08, TEXT-10). */
const toolResultIn = (method: string, result: JsonObject): unknown => {
  if (method === 'tools/call' || method === 'tasks/result') return result
  return method === 'tasks/get' && result.status === 'completed' ? result.result : undefined
}

const statusOfResult = (method: string, result: unknown): ExchangeStatus => {
  if (!isObject(result)) return 'ok'
  if (result.resultType === 'input_required') return 'asked'
  const told = toolResultIn(method, result)
  return isObject(told) && told.isError === true ? 'tool-error' : 'ok'
}

/** BP-08: an error without an ID must belong to the only request in the POST. */
const refusedWithoutId = (state: Exchanges, frame: MessageFrame, { error }: JsonObject): void | false => {
  const exchange = frame.carrier === undefined ? undefined : state.byCarrier.get(frame.carrier)
  if (exchange?.status !== 'pending' || !isObject(error)) return false
  exchange.response = frame.seq
  state.bySeq.set(frame.seq, exchange)
  if (isErrorObject(error)) exchange.error = error
  settle(state, exchange, frame, 'error')
}

/** A pending request whose ID came back in the other type (BP-06), which the client accepts. */
const inOtherType = (state: Exchanges, link: Link, asker: 'sent' | 'received', id: RequestId): Exchange | undefined => {
  const other = idInOtherType(id)
  const exchange = other === undefined ? undefined : state.byId.get(keyOf(link, asker, other))
  return exchange?.status === 'pending' ? exchange : undefined
}

const answered = (state: Exchanges, frame: MessageFrame, message: JsonObject, id: RequestId): void => {
  // The response to a sent request is received, and vice versa.
  const asker = frame.direction === 'sent' ? 'received' : 'sent'
  const newest = state.byId.get(keyOf(frame.link, asker, id)) ?? inOtherType(state, frame.link, asker, id)
  const exchange = newest && pendingTwin(newest, frame.carrier)
  if (!exchange) {
    state.orphans.set(frame.seq, 'unknown-id')
    return
  }
  if (exchange.status !== 'pending') {
    state.orphans.set(frame.seq, exchange.response === undefined ? 'late-answer' : 'second-answer')
    relate(exchange, frame.seq)
    state.bySeq.set(frame.seq, exchange)
    return
  }
  exchange.response = frame.seq
  state.bySeq.set(frame.seq, exchange)
  const failed = isErrorResponse(message)
  if (failed && isErrorObject(message.error)) exchange.error = message.error
  const status = failed ? 'error' : statusOfResult(exchange.method, message.result)
  settle(state, exchange, frame, status)
  if (status !== 'asked') return
  const asked = state.asked.get(frame.link)
  if (asked) asked.add(exchange)
  else state.asked.set(frame.link, new Set([exchange]))
}

const notified = (state: Exchanges, frame: MessageFrame, message: JsonObject): void | false => {
  const params = isObject(message.params) ? message.params : {}
  // Progress travels in the opposite direction of its request, a cancellation in the same direction.
  if (message.method === 'notifications/progress') {
    if (!isRequestId(params.progressToken)) return false
    const asker = frame.direction === 'sent' ? 'received' : 'sent'
    const exchange = state.byToken.get(keyOf(frame.link, asker, params.progressToken))
    if (!exchange) return false
    relate(exchange, frame.seq)
    state.bySeq.set(frame.seq, exchange)
    exchange.progress = {
      progress: typeof params.progress === 'number' ? params.progress : 0,
      ...(typeof params.total === 'number' ? { total: params.total } : {}),
      ...(typeof params.message === 'string' ? { message: params.message } : {}),
      count: (exchange.progress?.count ?? 0) + 1,
      at: frame.at,
    }
    return
  }
  if (message.method === 'notifications/cancelled') {
    if (!isRequestId(params.requestId)) return false
    const exchange = state.byId.get(keyOf(frame.link, frame.direction, params.requestId))
    if (!exchange) return false
    exchange.cancel ??= frame.seq
    relate(exchange, frame.seq)
    state.bySeq.set(frame.seq, exchange)
    if (exchange.status !== 'pending') return
    if (typeof params.reason === 'string') exchange.explanation = params.reason
    return settle(state, exchange, frame, 'cancelled')
  }
  return false
}

const settle = (state: Exchanges, exchange: Exchange, frame: Frame, status: ExchangeStatus): void => {
  if (exchange.status === 'pending') state.pending--
  exchange.status = status
  exchange.endedAt = frame.at
  state.open.get(exchange.link)?.delete(exchange)
  state.asked.get(exchange.link)?.delete(exchange)
  if (!FAILED.has(status) || !opens(state, exchange)) return
  const failed = state.failedOpenings.get(exchange.link)
  if (failed) failed.push(exchange)
  else state.failedOpenings.set(exchange.link, [exchange])
}

const relate = (exchange: Exchange, seq: Seq): void => {
  exchange.related.push(seq)
  if (exchange.related.length > RELATED_KEPT) exchange.related.shift()
}

/** The message that responded to a request: in a batch, the one with its id. */
export const responseOf = (
  { response, id }: Pick<Exchange, 'response' | 'id'>,
  at: (seq: Seq) => Frame | undefined,
): JsonObject | undefined => {
  const frame = response === undefined ? undefined : at(response)
  return frame?.kind === 'message' ? messagesIn(frame.message).find((part) => part.id === id) : undefined
}
