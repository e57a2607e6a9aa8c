/**
 * Collects paged lists (`tools/list`, `prompts/list`, `resources/list`, `resources/templates/list`) for each
 * connection: a fold over the Trace alone. A gathering is one walk through the pages, begun by a request without a
 * cursor. The items of the previous gathering stay until the next one is complete, so that a refresh never empties the
 * screen.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination (SF-PAGE)
 */
import type { ServerView } from '../feature.ts'
import {
  isErrorResponse,
  getOrInsert,
  isErrorObject,
  isObject,
  isRequestId,
  messagesIn,
  RequestsById,
} from '../../mcp/index.ts'
import type { Fold, Frame, GiveUp, Json, JsonObject, Link, MessageFrame, RequestId, Seq } from '../../mcp/index.ts'

/** SF-PAGE-07: limits against endless cursors. After this many pages the user is asked whether to continue. */
export const PAGES_MAX = 1000
const ITEMS_MAX = 100_000

/** One of the protocol's lists. */
export interface Listed<Item> {
  readonly method: string
  /** The member of the result that holds the array. */
  readonly member: string
  /** The notification that the list has changed. */
  readonly changed: string
  /**
   * Parses one untrusted entry. Never throws, so that an invalid item doesn't spoil the others.
   * @param taken names and keys of the items before it; this item's are to be added
   */
  readonly itemOf: (raw: Json, index: number, seq: Seq, taken: Taken) => Item
  /** The name that identifies an item when two lists are compared; `undefined` if it has none. */
  readonly nameOf: (item: Item) => string | undefined
}

export interface Taken {
  /** Unique keys that identify items in URLs of the page. */
  readonly keys: Set<string>
  /** Names (or URIs) as sent by the server. */
  readonly names: Set<string>
}

export type ListState = 'idle' | 'loading' | 'ready' | 'error' | 'stale'

export type ListError = { readonly request: Seq } & (
  | {
      readonly kind: 'refused'
      readonly code: number
      readonly message: string
      readonly data?: Json
      readonly seq: Seq
    }
  /** The result doesn't hold an array where the list belongs, or the error isn't a valid error object. */
  | { readonly kind: 'shape'; readonly seq: Seq }
  | { readonly kind: 'gave-up'; readonly why: GiveUp; readonly explanation: string }
)

export interface Page {
  readonly request: Seq
  readonly response: Seq
  readonly count: number
  /** ms from request to response. */
  readonly took: number
  /** As sent by the server, to be returned unchanged (SF-PAGE-01). `''` is also a cursor (SF-PAGE-03). */
  readonly nextCursor?: string
  /** `nextCursor` was present but not a string, such as `null`. */
  readonly badCursor?: true
}

export type Stop = 'repeated-cursor' | 'page-limit' | 'item-limit'

interface Gathering<Item> {
  readonly begun: Seq
  readonly items: Item[]
  readonly taken: Taken
  readonly cursors: Set<string>
  readonly pages: Page[]
}

export interface Listing<Item> {
  state: ListState
  /** The items to show: the last complete list, or the part of the first one received so far. */
  items: readonly Item[]
  pages: readonly Page[]
  /** `items` is a complete list, unless `stopped` says otherwise. */
  complete: boolean
  /** The cursor of the next page; absent at the end of the list. */
  nextCursor?: string
  /** The request that began the current gathering. */
  begun?: Seq
  error?: ListError
  /** Why the walk ended before the last page. */
  stopped?: Stop
  /** The cursor to continue with after `page-limit`, in this session (SF-PAGE-04). */
  more?: string
  /** The last `list_changed` received since the current gathering began. */
  changed?: Seq
  /** Names that the last refresh added or removed, compared with the previous list. */
  added: ReadonlySet<string>
  removed: readonly string[]
  readonly inFlight: RequestsById<{ readonly seq: Seq; readonly at: number }>
  gathering?: Gathering<Item>
}

export type Listings<Item> = Map<Link, Listing<Item>>

const empty = <Item>(): Listing<Item> => ({
  state: 'idle',
  items: [],
  pages: [],
  complete: false,
  added: new Set(),
  removed: [],
  inFlight: new RequestsById(),
})

/** Call it once per list and reuse the result: projections are shared by fold identity. */
export const listingFold = <Item>(listed: Listed<Item>): Fold<Listings<Item>> => ({
  initial: () => new Map(),

  step(lists, frame) {
    if (frame.kind === 'session') return stepSession(lists.get(frame.link), frame)
    if (frame.kind !== 'message' || frame.byHand) return false
    let moved = false
    for (const part of messagesIn(frame.message)) if (stepMessage(listed, lists, frame, part)) moved = true
    return moved ? undefined : false
  },
})

/** The number of items in a server's lists, for the badge of a tab; `undefined` while nothing is known of them. */
export const countIn = (
  server: Pick<ServerView, 'link' | 'state'>,
  ...folds: readonly Fold<Listings<unknown>>[]
): number | undefined => {
  const lists = folds.flatMap((fold) => server.state(fold).current.get(server.link) ?? [])
  const known = lists.filter(({ complete, items }) => complete || items.length > 0)
  return known.length === 0 ? undefined : known.reduce((sum, { items }) => sum + items.length, 0)
}

const listOf = <Item>(lists: Listings<Item>, link: Link): Listing<Item> => getOrInsert(lists, link, () => empty<Item>())

const stepMessage = <Item>(
  listed: Listed<Item>,
  lists: Listings<Item>,
  frame: MessageFrame,
  message: JsonObject,
): boolean => {
  if (frame.direction === 'sent') {
    if (message.method !== listed.method || !isRequestId(message.id)) return false
    const params = isObject(message.params) ? message.params : {}
    const cursor = typeof params.cursor === 'string' ? params.cursor : undefined
    onRequest(listOf(lists, frame.link), frame, message.id, cursor)
    return true
  }
  if (message.method === listed.changed) {
    const list = listOf(lists, frame.link)
    list.changed = frame.seq
    if (list.state === 'ready') list.state = 'stale'
    return true
  }
  if (typeof message.method === 'string' || !isRequestId(message.id)) return false
  const list = lists.get(frame.link)
  const request = list?.inFlight.take(message.id)
  if (!list || !request) return false
  // If a newer gathering has begun, ignore this response.
  if (list.gathering && request.seq >= list.gathering.begun) onResponse(listed, list, frame, message, request)
  return true
}

const onRequest = <Item>(list: Listing<Item>, frame: Frame, id: RequestId, cursor: string | undefined): void => {
  list.inFlight.add(id, { seq: frame.seq, at: frame.at })
  // A request with an unknown cursor (from another tool, or after a new session) doesn't begin a gathering.
  if (cursor !== undefined && (!list.gathering || !list.gathering.cursors.has(cursor))) return
  if (cursor === undefined) {
    list.gathering = {
      begun: frame.seq,
      items: [],
      taken: { keys: new Set(), names: new Set() },
      cursors: new Set(),
      pages: [],
    }
    list.begun = frame.seq
    delete list.nextCursor
    delete list.stopped
    delete list.more
    delete list.changed
  } else if (cursor === list.more) {
    delete list.stopped
    delete list.more
  }
  list.state = 'loading'
  delete list.error
}

const onResponse = <Item>(
  listed: Listed<Item>,
  list: Listing<Item>,
  frame: Frame,
  message: JsonObject,
  request: { readonly seq: Seq; readonly at: number },
): void => {
  const gathering = list.gathering!
  if (isErrorResponse(message)) return fail(list, refusal(message.error, request.seq, frame.seq))
  const result = isObject(message.result) ? message.result : {}
  const values = result[listed.member]
  if (!Array.isArray(values)) return fail(list, { kind: 'shape', request: request.seq, seq: frame.seq })

  const room = ITEMS_MAX - gathering.items.length
  for (const raw of (values as readonly Json[]).slice(0, room)) {
    gathering.items.push(listed.itemOf(raw, gathering.items.length, frame.seq, gathering.taken))
  }
  const { nextCursor } = result
  const next = typeof nextCursor === 'string' ? nextCursor : undefined
  gathering.pages.push({
    request: request.seq,
    response: frame.seq,
    count: values.length,
    took: frame.at - request.at,
    ...(next === undefined ? {} : { nextCursor: next }),
    ...(next === undefined && nextCursor !== undefined ? { badCursor: true as const } : {}),
  })
  const stopped = stopOf(gathering, next, values.length > room)
  if (next !== undefined && (stopped === undefined || stopped === 'page-limit')) gathering.cursors.add(next)
  if (next === undefined || stopped) return finish(listed, list, gathering, stopped, next)
  list.nextCursor = next
  if (!list.complete) show(list, gathering)
}

const refusal = (error: Json | undefined, request: Seq, seq: Seq): ListError => {
  if (!isErrorObject(error)) return { kind: 'shape', request, seq }
  const { code, message, data } = error
  return { kind: 'refused', request, seq, code, message, ...(data === undefined ? {} : { data }) }
}

const stopOf = <Item>(gathering: Gathering<Item>, next: string | undefined, overfull: boolean): Stop | undefined => {
  if (overfull) return 'item-limit'
  if (next === undefined) return undefined
  if (gathering.cursors.has(next)) return 'repeated-cursor'
  if (gathering.pages.length % PAGES_MAX === 0) return 'page-limit'
  return gathering.items.length >= ITEMS_MAX ? 'item-limit' : undefined
}

const finish = <Item>(
  listed: Listed<Item>,
  list: Listing<Item>,
  gathering: Gathering<Item>,
  stopped: Stop | undefined,
  next: string | undefined,
): void => {
  if (list.complete) {
    const before = new Set(list.items.map(listed.nameOf))
    const now = gathering.taken.names
    list.added = new Set([...now].filter((name) => !before.has(name)))
    list.removed = [...before].filter((name) => name !== undefined && !now.has(name)) as string[]
  }
  show(list, gathering)
  list.complete = true
  list.state = list.changed === undefined ? 'ready' : 'stale'
  delete list.nextCursor
  if (stopped) list.stopped = stopped
  if (stopped === 'page-limit') list.more = next!
  else delete list.gathering
}

/** A new array, so that readers holding the old one can detect the change. */
const show = <Item>(list: Listing<Item>, gathering: Gathering<Item>): void => {
  list.items = [...gathering.items]
  list.pages = [...gathering.pages]
}

/**
 * The items so far stay on screen beside the error. So does the gathering: a new session may request the same page
 * again.
 */
const fail = <Item>(list: Listing<Item>, error: ListError): void => {
  list.state = 'error'
  list.error = error
  delete list.nextCursor
}

const ENDS: ReadonlySet<string> = new Set(['closed', 'failed', 'renewing'])

const stepSession = <Item>(list: Listing<Item> | undefined, frame: Frame & { kind: 'session' }): void | false => {
  if (!list) return false
  // SF-PAGE-04: cursors aren't valid beyond their session.
  const dropped = ENDS.has(frame.phase) && list.more !== undefined
  if (dropped) delete list.more
  if (list.inFlight.size === 0) return dropped ? undefined : false
  if (frame.phase === 'gave-up') {
    if (list.inFlight.takeSent(frame.request).length === 0) return false
    if (!list.gathering || frame.request < list.gathering.begun) return
    return fail(list, { kind: 'gave-up', request: frame.request, why: frame.why, explanation: frame.explanation })
  }
  if (frame.phase !== 'closed' && frame.phase !== 'failed') return dropped ? undefined : false
  const [request] = list.inFlight.takeAll()
  if (!list.gathering) return
  const explanation = frame.phase === 'closed' ? frame.why : frame.explanation
  fail(list, { kind: 'gave-up', request: request!.seq, why: 'closed', explanation })
}
