/**
 * Subscriptions made with `subscriptions/listen` (2026-07-28) and their outcome, read from the frames.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
import {
  isErrorResponse,
  isObject,
  linkFold,
  META,
  type Frame,
  type JsonObject,
  type RequestId,
  type Seq,
} from '../../mcp/index.ts'
import { objectOf } from './facts-fold.ts'

/** `cut`: the stream broke; another request has replaced it or will. */
export type SubscriptionStatus = 'asked' | 'granted' | 'ended' | 'refused' | 'cut' | 'closed'

export interface SubscriptionFacts {
  readonly request: Seq
  readonly id: RequestId
  readonly asked: JsonObject
  readonly granted?: JsonObject
  readonly status: SubscriptionStatus
  /** The frame that reports it. */
  readonly seq: Seq
  readonly why?: string
  /** Notifications received. */
  readonly heard: number
  readonly lastHeard?: Seq
}

/** Subscriptions stored, latest only: a server that cuts each stream at once causes many. */
export const SUBSCRIPTIONS_KEPT = 12

type All = readonly SubscriptionFacts[]

export const subscriptionsFold = linkFold<All>([], (all, frame) => stepAll(all, frame))

const stepAll = (all: All, frame: Frame): All => {
  if (frame.kind === 'session') {
    if (frame.phase === 'closed') return all.some(isActive) ? all.map((one) => left(one, frame.seq)) : all
    if (frame.phase !== 'gave-up') return all
    const status = frame.why === 'cancelled' || frame.why === 'closed' ? 'closed' : 'cut'
    return changed(all, ({ request }) => request === frame.request, {
      status,
      seq: frame.seq,
      why: frame.explanation,
    })
  }
  if (frame.kind !== 'message' || !isObject(frame.message)) return all
  return frame.direction === 'sent' ? sent(all, frame.message, frame.seq) : received(all, frame.message, frame.seq)
}

const sent = (all: All, message: JsonObject, seq: Seq): All => {
  if (message.method !== 'subscriptions/listen' || message.id === undefined) return all
  const params = objectOf(message.params)
  const one: SubscriptionFacts = {
    request: seq,
    id: message.id as RequestId,
    asked: objectOf(params.notifications),
    status: 'asked',
    seq,
    heard: 0,
  }
  return [...all, one].slice(-SUBSCRIPTIONS_KEPT)
}

const received = (all: All, message: JsonObject, seq: Seq): All => {
  if (all.length === 0) return all
  if (typeof message.method !== 'string') {
    const status = isErrorResponse(message) ? 'refused' : 'ended'
    const { message: why } = objectOf(message.error)
    const how = { status, seq, ...(typeof why === 'string' ? { why: why.slice(0, 300) } : {}) } as const
    return changed(all, (one) => one.id === message.id && isActive(one), how)
  }
  const params = objectOf(message.params)
  const id = objectOf(params._meta)[META.subscription]
  if (id === undefined) return all
  if (message.method === 'notifications/subscriptions/acknowledged') {
    const granted = objectOf(params.notifications)
    return changed(all, (one) => one.id === id && isActive(one), { status: 'granted', granted, seq })
  }
  const heard = all.findLast((one) => one.id === id)
  return heard ? changed(all, (one) => one === heard, { heard: heard.heard + 1, lastHeard: seq }) : all
}

const left = (one: SubscriptionFacts, seq: Seq): SubscriptionFacts =>
  isActive(one) ? { ...one, status: 'closed', seq } : one

const isActive = ({ status }: SubscriptionFacts): boolean => status === 'asked' || status === 'granted'

const changed = (all: All, which: (one: SubscriptionFacts) => boolean, how: Partial<SubscriptionFacts>): All => {
  const at = all.findLastIndex(which)
  return at < 0 ? all : all.with(at, { ...all[at]!, ...how })
}

/**
 * The names that a filter requests, with values other than `true`: `toolsListChanged`, `resourceSubscriptions: […]`.
 */
export const wantedOf = (filter: JsonObject): string[] =>
  Object.entries(filter)
    .filter(([, value]) => value !== false)
    .map(([name, value]) => (value === true ? name : `${name}: ${JSON.stringify(value).slice(0, 200)}`))
