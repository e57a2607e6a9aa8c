/**
 * How long a response stays fresh (2026-07-28). Periscope never responds from a cache, because an inspector must show
 * the server's current response; it shows what a caching client would do.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
import type { Frame, Json, JsonObject, Link, MessageFrame, Seq } from './frame.ts'
import { isObject, isRequestId } from './jsonrpc.ts'
import { getOrInsert } from './maps.ts'
import type { Fold } from './projection.ts'
import { RequestsById } from './requests-by-id.ts'

/**
 * `why`: the effective time to live comes from the server, or is 0 because the server sent no usable one (CACHE-02).
 */
export interface Freshness {
  /** Effective time to live, in ms. */
  readonly ttlMs: number
  readonly scope: 'public' | 'private' | undefined
  readonly why: 'told' | 'absent' | 'negative' | 'not-a-number'
}

export const freshnessOf = (result: JsonObject): Freshness => {
  const { ttlMs, cacheScope } = result
  const scope = cacheScope === 'public' || cacheScope === 'private' ? cacheScope : undefined
  if (ttlMs === undefined) return { ttlMs: 0, scope, why: 'absent' }
  if (typeof ttlMs !== 'number' || Number.isNaN(ttlMs)) return { ttlMs: 0, scope, why: 'not-a-number' }
  return ttlMs < 0 ? { ttlMs: 0, scope, why: 'negative' } : { ttlMs, scope, why: 'told' }
}

/** One response that a client could cache. */
export interface CacheEntry {
  readonly link: Link
  readonly method: string
  /**
   * The parameters that determine the response, as JSON: pages and resources expire separately (CACHE-05, CACHE-08).
   */
  readonly params: string
  readonly response: Seq
  readonly receivedAt: number
  /** ms since the start of the trace; fresh before that time (CACHE-03). */
  readonly freshUntil: number
  readonly freshness: Freshness
  /** The notification that made it stale early (CACHE-07). */
  readonly invalidatedBy?: Seq
}

export interface Caches {
  /** Link, method and parameters -> the newest response. */
  readonly entries: Map<string, CacheEntry>
  readonly inFlight: Map<Link, RequestsById<{ readonly seq: Seq; readonly method: string; readonly params: string }>>
  readonly stateless: Set<Link>
}

/** CACHE-01: the methods whose results carry hints. */
export const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])
const MOST_ENTRIES = 2000

export const caches: Fold<Caches> = {
  initial: () => ({ entries: new Map(), inFlight: new Map(), stateless: new Set() }),
  step(state, frame) {
    if (frame.kind === 'session' && frame.phase === 'open') return opened(state, frame)
    if (frame.kind !== 'message' || !isObject(frame.message)) return false
    const { message } = frame
    if (frame.direction === 'sent') return asked(state, frame, message)
    if (!state.stateless.has(frame.link)) return false
    return typeof message.method === 'string' ? changed(state, frame, message) : answered(state, frame, message)
  },
}

/** The entry for a method and the parameters that determine its response. */
export const cacheEntry = (
  caches: Caches,
  link: Link,
  method: string,
  params: JsonObject = {},
): CacheEntry | undefined => caches.entries.get(keyOf(link, method, decisive(params)))

const keyOf = (link: Link, method: string, params: string): string => JSON.stringify([link, method, params])

const decisive = ({ _meta, ...params }: JsonObject): string => JSON.stringify(params)

/** CACHE-06: another connection may belong to another user, so private entries aren't carried over. */
const opened = (state: Caches, frame: Frame & { kind: 'session'; phase: 'open' }): false | void => {
  if (frame.peer.era === 'stateless') state.stateless.add(frame.link)
  else state.stateless.delete(frame.link)
  let moved = false
  for (const [key, entry] of state.entries) {
    if (entry.link !== frame.link || entry.freshness.scope === 'public' || entry.method === 'server/discover') continue
    moved = state.entries.delete(key)
  }
  return moved ? undefined : false
}

const asked = (state: Caches, frame: MessageFrame, message: JsonObject): false => {
  if (typeof message.method !== 'string' || !CACHEABLE.has(message.method) || !isRequestId(message.id)) return false
  const params = isObject(message.params) ? message.params : {}
  // The first request is sent before the server's lifecycle is known.
  if (message.method === 'server/discover') state.stateless.add(frame.link)
  // MRTR-12: a result based on input responses is valid for this call only.
  if (params.inputResponses !== undefined || params.requestState !== undefined) return false
  const requests = getOrInsert(state.inFlight, frame.link, () => new RequestsById())
  requests.add(message.id, { seq: frame.seq, method: message.method, params: decisive(params) })
  return false
}

const answered = (state: Caches, frame: MessageFrame, { id, result }: JsonObject): false | void => {
  // CACHE-10: a result that asks for input isn't final.
  if (!isObject(result) || result.resultType === 'input_required') return false
  const request = state.inFlight.get(frame.link)?.take(id)
  if (!request) return false
  const freshness = freshnessOf(result)
  const { link, seq, at } = frame
  const place = keyOf(link, request.method, request.params)
  state.entries.delete(place)
  state.entries.set(place, {
    link,
    method: request.method,
    params: request.params,
    response: seq,
    receivedAt: at,
    freshUntil: at + freshness.ttlMs,
    freshness,
  })
  if (state.entries.size > MOST_ENTRIES) state.entries.delete(state.entries.keys().next().value!)
}

const CHANGED: Readonly<Record<string, readonly string[]>> = {
  'notifications/tools/list_changed': ['tools/list'],
  'notifications/prompts/list_changed': ['prompts/list'],
  'notifications/resources/list_changed': ['resources/list', 'resources/templates/list'],
}

const changed = (state: Caches, frame: MessageFrame, message: JsonObject): false | void => {
  const params = isObject(message.params) ? message.params : {}
  const methods = CHANGED[message.method as string]
  const uri = message.method === 'notifications/resources/updated' ? params.uri : undefined
  if (!methods && typeof uri !== 'string') return false
  let moved = false
  for (const [key, entry] of state.entries) {
    if (entry.link !== frame.link || entry.invalidatedBy !== undefined) continue
    const hit = methods ? methods.includes(entry.method) : entry.method === 'resources/read' && reads(entry.params, uri)
    if (!hit) continue
    state.entries.set(key, { ...entry, invalidatedBy: frame.seq, freshUntil: Math.min(entry.freshUntil, frame.at) })
    moved = true
  }
  return moved ? undefined : false
}

const reads = (params: string, uri: Json | undefined): boolean => (JSON.parse(params) as JsonObject).uri === uri
