/**
 * The fold that pairs: requests with answers, progress and cancellations with their request, orphans with nobody.
 */
import type { GiveUp, JsonObject, Link, MessageFrame, Seq } from './frame.ts'
import { idKey, isErrorObject, isObject, isRequestId, type ErrorObject, type RequestId } from './jsonrpc.ts'
import type { Fold } from './projection.ts'
import type { Frame } from './frame.ts'

/** `asked`: the server answered with questions of its own (2026-07-28 `input_required`). */
export type ExchangeStatus = 'pending' | 'ok' | 'error' | 'cancelled' | 'timeout' | 'lost' | 'asked'

export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
  /** How many progress notifications arrived. */
  readonly count: number
  readonly at: number
}

/** One request and all that became of it. Held by reference; its fields change as frames arrive. */
export interface Exchange {
  readonly link: Link
  /** `sent`: we asked the server. `received`: it asked us. */
  readonly direction: 'sent' | 'received'
  readonly id: RequestId
  readonly method: string
  /** What the request is about, where the protocol has a word for it: a tool's or prompt's name, a URI. */
  readonly subject?: string
  readonly request: Seq
  readonly startedAt: number
  response?: Seq
  endedAt?: number
  status: ExchangeStatus
  progress?: Progress
  /** Set as soon as a cancellation was requested, whoever asked for it. */
  cancel?: Seq
  error?: ErrorObject
  /** Why we stopped waiting, in words, where there is no answer. */
  explanation?: string
  limits?: { readonly idle: number; readonly total: number }
  /** Frames that arrived because of this one: progress, late answers. At most the last 100 are listed. */
  related: Seq[]
}

export interface Exchanges {
  /** All exchanges in the order of their requests. */
  readonly all: Exchange[]
  /** By the seq of request and of response. */
  readonly bySeq: Map<Seq, Exchange>
  /** Responses that answer nothing we know: wrong ids, second answers, answers that came too late. */
  readonly orphans: Map<Seq, 'unknown-id' | 'second-answer' | 'late-answer'>
  /** Last answered or pending exchange per link, direction and id. */
  readonly byId: Map<string, Exchange>
  readonly byToken: Map<string, Exchange>
  pending: number
  readonly open: Map<Link, Set<Exchange>>
  /** Connections of the stateless era, whose servers get no answers to requests (BP-11). */
  readonly stateless: Set<Link>
}

const RELATED_KEPT = 100

/** The key of a request as its sender numbered it: ids of the two directions are independent. */
const keyOf = (link: Link, direction: 'sent' | 'received', id: RequestId): string => `${link} ${direction} ${idKey(id)}`

export const exchanges: Fold<Exchanges> = {
  initial: () => ({
    all: [],
    bySeq: new Map(),
    orphans: new Map(),
    byId: new Map(),
    byToken: new Map(),
    pending: 0,
    open: new Map(),
    stateless: new Set(),
  }),

  step(state, frame) {
    if (frame.kind === 'message') {
      if (Array.isArray(frame.message)) {
        for (const part of frame.message) stepMessage(state, frame, part)
        return
      }
      return stepMessage(state, frame, frame.message)
    }
    if (frame.kind !== 'session') return false
    switch (frame.phase) {
      case 'gave-up': {
        const exchange = state.bySeq.get(frame.request)
        if (exchange?.status !== 'pending') return false
        exchange.explanation = frame.explanation
        return settle(state, exchange, frame, STATUS_OF[frame.why])
      }
      case 'extended': {
        const exchange = state.bySeq.get(frame.request)
        if (!exchange) return false
        exchange.limits = { idle: frame.idle, total: frame.total }
        return
      }
      case 'open':
        if (frame.peer.era === 'stateless') state.stateless.add(frame.link)
        else state.stateless.delete(frame.link)
        return false
      // Whatever is still open has nobody left who could answer it.
      case 'closed':
      case 'failed': {
        const open = state.open.get(frame.link)
        if (!open?.size) return false
        for (const exchange of [...open]) settle(state, exchange, frame, 'lost')
        return
      }
      default:
        return false
    }
  },
}

const STATUS_OF: Record<GiveUp, ExchangeStatus> = {
  timeout: 'timeout',
  cancelled: 'cancelled',
  lost: 'lost',
  closed: 'lost',
}

const stepMessage = (state: Exchanges, frame: MessageFrame, message: unknown): void | false => {
  if (!isObject(message)) return false
  if (typeof message.method === 'string') {
    return isRequestId(message.id) ? begin(state, frame, message, message.id) : notified(state, frame, message)
  }
  if (isRequestId(message.id) && ('result' in message || 'error' in message)) {
    return answered(state, frame, message, message.id)
  }
  return false
}

const begin = (state: Exchanges, frame: MessageFrame, message: JsonObject, id: RequestId): void => {
  const params = isObject(message.params) ? message.params : {}
  const subject = [params.name, params.uri, params.taskId].find((value) => typeof value === 'string')
  const exchange: Exchange = {
    link: frame.link,
    direction: frame.direction,
    id,
    method: message.method as string,
    ...(subject === undefined ? {} : { subject: subject }),
    request: frame.seq,
    startedAt: frame.at,
    status: 'pending',
    ...(frame.limits ? { limits: frame.limits } : {}),
    related: [],
  }
  state.all.push(exchange)
  state.bySeq.set(frame.seq, exchange)
  state.byId.set(keyOf(frame.link, frame.direction, id), exchange)
  state.pending++
  const open = state.open.get(frame.link)
  if (open) open.add(exchange)
  else state.open.set(frame.link, new Set([exchange]))
  if (frame.direction === 'received' && state.stateless.has(frame.link)) settle(state, exchange, frame, 'lost')
  const token = isObject(params._meta) ? params._meta.progressToken : undefined
  if (isRequestId(token)) state.byToken.set(keyOf(frame.link, frame.direction, token), exchange)
}

const answered = (state: Exchanges, frame: MessageFrame, message: JsonObject, id: RequestId): void => {
  // The answer to what we sent is received, and the other way round.
  const asker = frame.direction === 'sent' ? 'received' : 'sent'
  const exchange = state.byId.get(keyOf(frame.link, asker, id))
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
  const failed = 'error' in message
  if (failed && isErrorObject(message.error)) exchange.error = message.error
  const asked = !failed && isObject(message.result) && message.result.resultType === 'input_required'
  settle(state, exchange, frame, failed ? 'error' : asked ? 'asked' : 'ok')
}

const notified = (state: Exchanges, frame: MessageFrame, message: JsonObject): void | false => {
  const params = isObject(message.params) ? message.params : {}
  // Progress flows against the direction of its request, a cancellation along with it.
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
  exchange.status = status
  exchange.endedAt = frame.at
  state.pending--
  state.open.get(exchange.link)?.delete(exchange)
}

const relate = (exchange: Exchange, seq: Seq): void => {
  exchange.related.push(seq)
  if (exchange.related.length > RELATED_KEPT) exchange.related.shift()
}
