/**
 * What `tools/list` has brought so far, for each connection: a fold over the Trace alone.
 *
 * A gathering is one walk through the pages, begun by a request without a cursor. What an earlier gathering
 * brought stays until the next one is complete, so that a refresh never empties the screen.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination (SF-PAGE)
 */
import { idKey, isErrorObject, isObject, isRequestId } from '../../mcp/index.ts'
import type { Fold, Frame, GiveUp, Json, JsonObject, Link, MessageFrame, Seq } from '../../mcp/index.ts'
import { itemOf, type ToolItem } from './tool-item.ts'

/** SF-PAGE-07: bounds against cursors without end. */
export const PAGES_MAX = 1000
const TOOLS_MAX = 100_000

export type ListState = 'idle' | 'loading' | 'ready' | 'error' | 'stale'

export type ListError = { readonly request: Seq } & (
  | {
      readonly kind: 'refused'
      readonly code: number
      readonly message: string
      readonly data?: Json
      readonly seq: Seq
    }
  /** The result holds no array of tools, or the error is no error object. */
  | { readonly kind: 'shape'; readonly seq: Seq }
  | { readonly kind: 'gave-up'; readonly why: GiveUp; readonly explanation: string }
)

export interface Page {
  readonly request: Seq
  readonly response: Seq
  readonly count: number
  /** ms from request to answer. */
  readonly took: number
  /** As the server sent it, to be sent back unchanged (SF-PAGE-01). `''` is a cursor, too (SF-PAGE-03). */
  readonly nextCursor?: string
  /** `nextCursor` was there and was no string, such as `null`. */
  readonly badCursor?: true
}

export type Stop = 'repeated-cursor' | 'page-limit' | 'tool-limit'

interface Gathering {
  readonly begun: Seq
  readonly items: ToolItem[]
  readonly keys: Set<string>
  readonly names: Set<string>
  readonly cursors: Set<string>
  readonly pages: Page[]
}

export interface ToolList {
  state: ListState
  /** What to show: the last complete list, or as much of the first one as has come. */
  items: readonly ToolItem[]
  pages: readonly Page[]
  /** `items` is a whole list (as far as `stopped` allows). */
  complete: boolean
  /** The cursor to go on with; absent when the end is reached. */
  nextCursor?: string
  /** The request that began the current gathering. */
  begun?: Seq
  error?: ListError
  /** Why the walk ended before the server's last page. */
  stopped?: Stop
  /** The last `list_changed` that came after the current gathering began. */
  changed?: Seq
  /** Names that the last refresh brought or took away, against the list before it. */
  added: ReadonlySet<string>
  removed: readonly string[]
  /** Requests under way, by id. */
  readonly asked: Map<string, { readonly seq: Seq; readonly at: number }>
  gathering?: Gathering
}

export type ToolLists = Map<Link, ToolList>

const empty = (): ToolList => ({
  state: 'idle',
  items: [],
  pages: [],
  complete: false,
  added: new Set(),
  removed: [],
  asked: new Map(),
})

export const toolsFold: Fold<ToolLists> = {
  initial: () => new Map(),

  step(lists, frame) {
    if (frame.kind === 'session') return stepSession(lists.get(frame.link), frame)
    if (frame.kind !== 'message' || frame.byHand) return false
    const parts = Array.isArray(frame.message) ? (frame.message as readonly Json[]) : [frame.message]
    let moved = false
    for (const part of parts) if (isObject(part) && stepMessage(lists, frame, part)) moved = true
    return moved ? undefined : false
  },
}

const stepMessage = (lists: ToolLists, frame: MessageFrame, message: JsonObject): boolean => {
  if (frame.direction === 'sent') {
    if (message.method !== 'tools/list' || !isRequestId(message.id)) return false
    let list = lists.get(frame.link)
    if (!list) lists.set(frame.link, (list = empty()))
    const params = isObject(message.params) ? message.params : {}
    asked(list, frame, idKey(message.id), typeof params.cursor === 'string' ? params.cursor : undefined)
    return true
  }
  if (message.method === 'notifications/tools/list_changed') {
    let list = lists.get(frame.link)
    if (!list) lists.set(frame.link, (list = empty()))
    list.changed = frame.seq
    if (list.state === 'ready') list.state = 'stale'
    return true
  }
  if (typeof message.method === 'string' || !isRequestId(message.id)) return false
  const list = lists.get(frame.link)
  const request = list?.asked.get(idKey(message.id))
  if (!list || !request) return false
  list.asked.delete(idKey(message.id))
  // A newer gathering has begun since: this answer is nobody's any more.
  if (list.gathering && request.seq >= list.gathering.begun) answered(list, frame, message, request)
  return true
}

const asked = (list: ToolList, frame: Frame, id: string, cursor: string | undefined): void => {
  list.asked.set(id, { seq: frame.seq, at: frame.at })
  // A cursor nobody handed out (sent by another tool, or after a new session) begins nothing.
  if (cursor !== undefined && (!list.gathering || !list.gathering.cursors.has(cursor))) return
  if (cursor === undefined) {
    list.gathering = {
      begun: frame.seq,
      items: [],
      keys: new Set(),
      names: new Set(),
      cursors: new Set(),
      pages: [],
    }
    list.begun = frame.seq
    delete list.nextCursor
    delete list.stopped
    delete list.changed
  }
  list.state = 'loading'
  delete list.error
}

const answered = (
  list: ToolList,
  frame: Frame,
  message: JsonObject,
  request: { readonly seq: Seq; readonly at: number },
): void => {
  const gathering = list.gathering!
  if ('error' in message) {
    const { error } = message
    return fail(
      list,
      isErrorObject(error)
        ? {
            kind: 'refused',
            request: request.seq,
            seq: frame.seq,
            code: error.code,
            message: error.message,
            ...(error.data === undefined ? {} : { data: error.data }),
          }
        : { kind: 'shape', request: request.seq, seq: frame.seq },
    )
  }
  const result = isObject(message.result) ? message.result : {}
  if (!Array.isArray(result.tools)) return fail(list, { kind: 'shape', request: request.seq, seq: frame.seq })

  const tools = result.tools as readonly Json[]
  const room = TOOLS_MAX - gathering.items.length
  for (const raw of tools.slice(0, room)) {
    gathering.items.push(itemOf(raw, gathering.items.length, frame.seq, gathering.keys, gathering.names))
  }
  const { nextCursor } = result
  const next = typeof nextCursor === 'string' ? nextCursor : undefined
  gathering.pages.push({
    request: request.seq,
    response: frame.seq,
    count: tools.length,
    took: frame.at - request.at,
    ...(next === undefined ? {} : { nextCursor: next }),
    ...(next === undefined && nextCursor !== undefined ? { badCursor: true as const } : {}),
  })
  const stopped = stopOf(gathering, next, tools.length > room)
  if (next === undefined || stopped) return finish(list, gathering, stopped)
  gathering.cursors.add(next)
  list.nextCursor = next
  if (!list.complete) show(list, gathering)
}

const stopOf = (gathering: Gathering, next: string | undefined, overfull: boolean): Stop | undefined => {
  if (overfull) return 'tool-limit'
  if (next === undefined) return undefined
  if (gathering.cursors.has(next)) return 'repeated-cursor'
  if (gathering.pages.length >= PAGES_MAX) return 'page-limit'
  return gathering.items.length >= TOOLS_MAX ? 'tool-limit' : undefined
}

const finish = (list: ToolList, gathering: Gathering, stopped: Stop | undefined): void => {
  if (list.complete) {
    const before = new Set(list.items.map(({ name }) => name))
    list.added = new Set([...gathering.names].filter((name) => !before.has(name)))
    list.removed = [...before].filter((name) => name !== undefined && !gathering.names.has(name)) as string[]
  }
  show(list, gathering)
  list.complete = true
  list.state = list.changed === undefined ? 'ready' : 'stale'
  delete list.nextCursor
  delete list.gathering
  if (stopped) list.stopped = stopped
}

/** A new array, so that who holds the old one can tell that something has changed. */
const show = (list: ToolList, gathering: Gathering): void => {
  list.items = [...gathering.items]
  list.pages = [...gathering.pages]
}

/** What had come stays on screen, beside the error. The gathering stays, too: a new session may ask for the same page again. */
const fail = (list: ToolList, error: ListError): void => {
  list.state = 'error'
  list.error = error
  delete list.nextCursor
}

const stepSession = (list: ToolList | undefined, frame: Frame & { kind: 'session' }): void | false => {
  if (!list || list.asked.size === 0) return false
  if (frame.phase === 'gave-up') {
    const found = [...list.asked].find(([, request]) => request.seq === frame.request)
    if (!found) return false
    list.asked.delete(found[0])
    if (!list.gathering || frame.request < list.gathering.begun) return
    return fail(list, { kind: 'gave-up', request: frame.request, why: frame.why, explanation: frame.explanation })
  }
  if (frame.phase !== 'closed' && frame.phase !== 'failed') return false
  const [request] = [...list.asked.values()]
  list.asked.clear()
  if (!list.gathering) return
  const explanation = frame.phase === 'closed' ? frame.why : frame.explanation
  fail(list, { kind: 'gave-up', request: request!.seq, why: 'closed', explanation })
}
