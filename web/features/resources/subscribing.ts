/**
 * Subscribes to resources in every protocol version: one request per URI, or one stream for all. The state is read from
 * the Trace by `updatesFold`.
 */
import { isObject } from '../../mcp/index.ts'
import type { JsonObject, Link, Peer, Session, Subscription, Trace } from '../../mcp/index.ts'

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

const STANDS: ReadonlySet<string> = new Set(['listening', 'granted', 'waiting'])

/**
 * SUB-11: a different filter needs a new stream. The old stream is closed once the new one is subscribed, so that no
 * update is missed. Browsers limit connections per server to six, so all URIs share one stream.
 */
const listenTo = (session: Subscriber, next: (uris: readonly string[]) => readonly string[]): void => {
  const old = session.subscriptions.filter(({ filter, state }) => STANDS.has(state) && urisOf(filter).length > 0)
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

const urisOf = ({ resourceSubscriptions: uris }: JsonObject): string[] =>
  Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : []
