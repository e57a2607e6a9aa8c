/**
 * Resource subscriptions: a fold of their state and the updates received, and the requests that begin and end them. Before
 * 2026-07-28 each URI has its own `resources/subscribe` (SF-RES-07). Since then URIs are part of the filter of
 * `subscriptions/listen` (SF-RES-09), whose stream may be cut and reopened.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#subscriptions
 */
import {
  isErrorResponse,
  getOrInsert,
  isErrorObject,
  isObject,
  isRequestId,
  messagesIn,
  META,
  RequestsById,
  setBounded,
} from '../../mcp/index.ts'
import type {
  Fold,
  Frame,
  FrameOf,
  GiveUp,
  Json,
  JsonObject,
  Link,
  Peer,
  RequestId,
  Seq,
  Session,
  Subscription,
  Trace,
} from '../../mcp/index.ts'

/**
 * `asked`, `on`; `leaving`: unsubscribing; `off`: ended by us or by the server; `refused`; `unclear`: no response came;
 * `cut`: the stream broke and is being reopened; `lost`: the session ended.
 */
export type SubscriptionStatus = 'asked' | 'on' | 'leaving' | 'off' | 'refused' | 'unclear' | 'cut' | 'lost'

export interface Watched {
  readonly uri: string
  readonly route: 'subscribe' | 'listen'
  readonly status: SubscriptionStatus
  /** The request that the subscription belongs to. */
  readonly request: Seq
  /** The frame that last changed `status`. */
  readonly seq: Seq
  readonly why?: string
  /** The number of notifications, and the last of them. */
  readonly heard: number
  readonly last?: Update
  /** The stream was reopened here after a cut: updates in between are unknown (SUB-09). */
  readonly gap?: Seq
}

export interface Update {
  /** As notified: possibly a sub-resource of the one subscribed to (SF-RES-08). */
  readonly uri: string
  readonly seq: Seq
  readonly at: number
  readonly count: number
}

export interface LinkUpdates {
  /** By URI. Ended subscriptions stay until newer ones displace them. */
  readonly watched: Map<string, Watched>
  /** The last update by notified URI. */
  readonly updated: Map<string, Update>
  /** The number of updates without a subscription (SF-RES-07), and the last of them. */
  stray: number
  lastStray?: Update
  readonly inFlight: RequestsById<PendingRequest>
}

type PendingRequest =
  | { readonly kind: 'subscribe' | 'unsubscribe'; readonly seq: Seq; readonly uri: string }
  | { readonly kind: 'listen'; readonly seq: Seq; readonly uris: readonly string[] }

/** Limited, because a server may send updates for any URI and a filter may list many. */
const WATCHED_KEPT = 1000
const UPDATED_KEPT = 10_000

export type Updates = Map<Link, LinkUpdates>

export const updatesFold: Fold<Updates> = {
  initial: () => new Map(),

  step(all, frame) {
    if (frame.kind === 'session') return stepSession(all.get(frame.link), frame)
    if (frame.kind !== 'message') return false
    let moved = false
    for (const part of messagesIn(frame.message)) if (stepMessage(all, frame, part)) moved = true
    return moved ? undefined : false
  },
}

const stepMessage = (all: Updates, frame: FrameOf<'message'>, message: JsonObject): boolean => {
  const params = objectOf(message.params)
  if (frame.direction === 'sent') {
    const request = requestOf(message, params, frame.seq)
    if (!request || !isRequestId(message.id)) return false
    begin(stateOf(all, frame.link), message.id, request)
    return true
  }
  if (message.method === 'notifications/resources/updated') {
    if (typeof params.uri !== 'string') return false
    hear(stateOf(all, frame.link), params.uri, objectOf(params._meta)[META.subscription], frame)
    return true
  }
  const state = all.get(frame.link)
  if (!state) return false
  if (message.method === 'notifications/subscriptions/acknowledged') return acknowledge(state, params, frame.seq)
  if (typeof message.method === 'string' || !isRequestId(message.id)) return false
  const request = state.inFlight.take(message.id)
  if (!request) return false
  const failed = isErrorResponse(message)
  const why = failed && isErrorObject(message.error) ? `${message.error.message} (${message.error.code})` : undefined
  settle(state, request, statusAfter(request.kind, failed), frame.seq, why)
  return true
}

/** A result ends a `listen` request (SUB-08). A failed unsubscribe changes nothing. */
const statusAfter = (kind: PendingRequest['kind'], failed: boolean): SubscriptionStatus => {
  if (kind === 'unsubscribe') return failed ? 'on' : 'off'
  if (failed) return 'refused'
  return kind === 'subscribe' ? 'on' : 'off'
}

const requestOf = ({ method }: JsonObject, params: JsonObject, seq: Seq): PendingRequest | undefined => {
  if (method === 'subscriptions/listen') {
    const uris = objectOf(params.notifications).resourceSubscriptions
    return Array.isArray(uris) ? { kind: 'listen', seq, uris: stringsIn(uris).slice(0, WATCHED_KEPT) } : undefined
  }
  if ((method !== 'resources/subscribe' && method !== 'resources/unsubscribe') || typeof params.uri !== 'string') return
  return { kind: method === 'resources/subscribe' ? 'subscribe' : 'unsubscribe', seq, uri: params.uri }
}

const begin = (state: LinkUpdates, id: RequestId, request: PendingRequest): void => {
  state.inFlight.add(id, request)
  const { kind, seq } = request
  const route = kind === 'listen' ? 'listen' : 'subscribe'
  for (const uri of kind === 'listen' ? request.uris : [request.uri]) {
    const before = state.watched.get(uri)
    if (kind === 'unsubscribe') {
      if (before) state.watched.set(uri, { ...before, status: 'leaving', request: seq, seq })
      continue
    }
    // While a new stream replaces the current one (SUB-11), the subscription stays on.
    const status = before?.status === 'on' && route === before.route ? 'on' : 'asked'
    const gap = before?.status === 'cut' ? { gap: seq } : {}
    const { why: _why, ...rest } = before ?? { heard: 0 }
    setBounded(state.watched, uri, { ...rest, uri, route, status, request: seq, seq, ...gap }, WATCHED_KEPT)
  }
}

const acknowledge = (state: LinkUpdates, params: JsonObject, seq: Seq): boolean => {
  const id = objectOf(params._meta)[META.subscription]
  const request = state.inFlight.get(id)
  if (request?.kind !== 'listen') return false
  const granted = objectOf(params.notifications).resourceSubscriptions
  // SUB-03: URIs that weren't granted are marked as refused. Some servers only confirm with `true`.
  const uris = Array.isArray(granted) ? new Set(stringsIn(granted)) : granted === true ? undefined : new Set<string>()
  for (const [uri, one] of state.watched) {
    if (one.request !== request.seq) continue
    state.watched.set(uri, { ...one, status: !uris || uris.has(uri) ? 'on' : 'refused', seq })
  }
  return true
}

const settle = (
  state: LinkUpdates,
  request: PendingRequest,
  status: SubscriptionStatus,
  seq: Seq,
  why?: string,
): void => {
  for (const [uri, one] of state.watched) {
    // Another request has taken over this subscription.
    if (one.request !== request.seq) continue
    // A refused subscription stays refused when the stream ends.
    if (request.kind === 'listen' && one.status === 'refused' && status === 'off') continue
    const { why: _before, ...rest } = one
    state.watched.set(uri, { ...rest, status, seq, ...(why === undefined ? {} : { why: why.slice(0, 300) }) })
  }
}

const hear = (state: LinkUpdates, uri: string, listens: Json | undefined, frame: Frame): void => {
  const { seq, at } = frame
  const update: Update = { uri, seq, at, count: (state.updated.get(uri)?.count ?? 0) + 1 }
  setBounded(state.updated, uri, update, UPDATED_KEPT)
  const request = state.inFlight.get(listens)
  const within = request?.kind === 'listen' ? request.uris : undefined
  const owner = ownerOf(uri, within ?? openOf(state)) ?? (within?.length === 1 ? within[0] : undefined)
  const one = owner === undefined ? undefined : state.watched.get(owner)
  if (one) state.watched.set(one.uri, { ...one, heard: one.heard + 1, last: update })
  else {
    state.stray++
    state.lastStray = update
  }
}

const openOf = ({ watched }: LinkUpdates): string[] =>
  [...watched.values()].filter(({ status }) => status !== 'off' && status !== 'refused').map(({ uri }) => uri)

/** SF-RES-08: the URI itself, else the longest one that it belongs to. */
export const ownerOf = (uri: string, subscribed: readonly string[]): string | undefined => {
  let best: string | undefined
  for (const one of subscribed) {
    if (one === uri) return one
    if (isPartOf(uri, one) && (best === undefined || one.length > best.length)) best = one
  }
  return best
}

/** `a/b` and `a?b` belong to `a`; `ab` doesn't. */
const isPartOf = (uri: string, whole: string): boolean =>
  whole !== '' && uri.startsWith(whole) && (/[/?#]$/.test(whole) || /^[/?#]/.test(uri.slice(whole.length)))

const stepSession = (state: LinkUpdates | undefined, frame: FrameOf<'session'>): false | void => {
  if (!state || state.watched.size === 0) return false
  if (frame.phase === 'gave-up') {
    const given = state.inFlight.takeSent(frame.request)
    for (const request of given) {
      const status = request.kind === 'listen' ? AFTER_GIVING_UP[frame.why] : 'unclear'
      settle(state, request, status, frame.seq, status === 'off' ? undefined : frame.explanation)
    }
    return given.length > 0 ? undefined : false
  }
  const over = frame.phase === 'closed' || frame.phase === 'failed'
  // A renewed session doesn't inherit the subscriptions of the previous one.
  if (!over && frame.phase !== 'renewing') return false
  for (const [uri, one] of state.watched) {
    if (!SUBSCRIBED.has(one.status) || (!over && one.route === 'listen')) continue
    state.watched.set(uri, { ...one, status: 'lost', seq: frame.seq })
  }
  if (over) state.inFlight.takeAll()
}

const AFTER_GIVING_UP: Record<GiveUp, SubscriptionStatus> = {
  cancelled: 'off',
  closed: 'lost',
  lost: 'cut',
  timeout: 'cut',
}

const SUBSCRIBED: ReadonlySet<SubscriptionStatus> = new Set(['asked', 'on', 'unclear', 'cut'])

/** Requested and not ended, even if unconfirmed or cut: Unsubscribe applies to it. */
export const isSubscribed = (one: Watched | undefined): boolean => one !== undefined && SUBSCRIBED.has(one.status)

/** The latest update of a resource, or of a sub-resource of it. */
export const updateOf = (state: LinkUpdates | undefined, uri: string): Update | undefined => {
  const [own, part] = [state?.updated.get(uri), state?.watched.get(uri)?.last]
  return own && part ? (own.seq > part.seq ? own : part) : (own ?? part)
}

/** @param read the frame of the last request that read it; only later updates are news */
export const isNews = (state: LinkUpdates | undefined, uri: string, read: Seq | undefined): boolean => {
  const update = updateOf(state, uri)
  return update !== undefined && (read === undefined || update.seq > read)
}

/** The subscriptions lost with the previous session, to be requested again in a new one. */
export const lostOf = (state: LinkUpdates | undefined): readonly string[] =>
  [...(state?.watched.values() ?? [])].filter(({ status }) => status === 'lost').map(({ uri }) => uri)

const stateOf = (all: Updates, link: Link): LinkUpdates =>
  getOrInsert(all, link, () => ({ watched: new Map(), updated: new Map(), stray: 0, inFlight: new RequestsById() }))

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

const stringsIn = (values: readonly Json[]): string[] => values.filter((value) => typeof value === 'string')

/** The part of a Session that is used here. */
export type Subscriber = Pick<Session, 'listen' | 'request' | 'subscriptions' | 'peer' | 'state'> & {
  readonly trace: Trace
  readonly link: Link
}

/** SF-RES-07: whether the server declares resource subscriptions. */
export const canSubscribe = ({ capabilities }: Peer): boolean =>
  isObject(capabilities.resources) && capabilities.resources.subscribe === true

/** Never throws: rejections and losses are in the Trace. */
export const subscribe = (session: Subscriber, uris: readonly string[]): void => {
  if (session.state !== 'open' || uris.length === 0) return
  if (session.peer?.era !== 'stateless') {
    for (const uri of uris) void session.request('resources/subscribe', { uri }).catch(() => {})
    return
  }
  listenTo(session, (now) => [...new Set([...now, ...uris])])
}

/** Never throws; see `subscribe`. */
export const unsubscribe = (session: Subscriber, uri: string): void => {
  if (session.state !== 'open') return
  if (session.peer?.era === 'stateless') return listenTo(session, (now) => now.filter((one) => one !== uri))
  void session.request('resources/unsubscribe', { uri }).catch(() => {})
}

const LIVE: ReadonlySet<string> = new Set(['listening', 'granted', 'waiting'])

/**
 * SUB-11: a different filter needs a new stream. The old stream is closed once the new one is subscribed, so that no
 * update is missed. Browsers limit connections per server to six, so all URIs share one stream.
 */
const listenTo = (session: Subscriber, next: (uris: readonly string[]) => readonly string[]): void => {
  const old = session.subscriptions.filter(({ filter, state }) => LIVE.has(state) && urisOf(filter).length > 0)
  const before = [...new Set(old.flatMap(({ filter }) => urisOf(filter)))]
  const uris = next(before)
  const leave = () => {
    for (const one of old) one.close()
  }
  if (uris.length === 0) return leave()
  const fresh = session.listen({ resourceSubscriptions: [...uris] })
  if (old.length > 0) whenSettled(session, fresh, leave)
}

/** Calls `then` after the first frame that changes the subscription's state. */
const whenSettled = ({ trace, link }: Subscriber, subscription: Subscription, then: () => void): void => {
  const stop = trace.subscribe((frame) => {
    if (frame.link !== link || (frame.kind !== 'message' && frame.kind !== 'session')) return
    // The frame is recorded before the session handles it.
    queueMicrotask(() => {
      if (subscription.state === 'listening' || done) return
      done = true
      stop()
      then()
    })
  })
  let done = false
}

const urisOf = ({ resourceSubscriptions: uris }: JsonObject): string[] => (Array.isArray(uris) ? stringsIn(uris) : [])
