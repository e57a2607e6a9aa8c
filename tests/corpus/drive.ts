/**
 * Opens one server with Periscope's kernel like the page does, requests all its lists, closes it, and reports what it
 * saw.
 * Runs in Node and in a page.
 */
import type { SpawnRequest } from '../../proxy/wire.ts'
import {
  Bridge,
  codeOf,
  detailsOf,
  exchanges,
  foldAll,
  isObject,
  messageOf,
  ProtocolError,
  relayFetch,
  Session,
  StdioBridgeTransport,
  StreamableHttpTransport,
  Trace,
  type Answers,
  type Frame,
  type Json,
  type JsonObject,
  type Peer,
  type Revision,
} from '../../web/mcp/index.ts'
import { LISTS, type ListName } from './lists.ts'

/** The outcome of requesting a list. */
export type ListSeen =
  | { readonly names: readonly string[]; readonly pages: number }
  | {
      /** `server`: the server's own error; otherwise the request or response didn't get through. */
      readonly error: 'server' | 'transport'
      readonly code: number | string
      readonly message: string
      readonly status?: number
    }
  /** Not requested: the server doesn't declare it. */
  | undefined

export interface Seen {
  readonly frames: readonly Frame[]
  readonly openMs: number
  readonly peer?: Peer
  /** Name of the transport that was used in the end. */
  readonly transport?: string
  readonly failure?: { readonly code: string; readonly message: string; readonly details: JsonObject }
  readonly lists: Readonly<Partial<Record<ListName, ListSeen>>>
  /** The outcome of `ping` (handshake versions only), and of calling a tool that no server has. */
  readonly ping?: string
  readonly unknownTool?: string
  /** Number of server requests without a response from us. */
  readonly unanswered: number
}

/** Serializable, so that it can be passed to a page. */
export interface Wish {
  readonly target:
    | { readonly kind: 'stdio'; readonly spawn: SpawnRequest }
    | {
        readonly kind: 'http'
        readonly url: string
        readonly headers: readonly (readonly [string, string])[]
        readonly relayed: boolean
      }
  readonly proxy: { readonly base: string; readonly token: string }
  /** `file:` URI used as the only root. */
  readonly rootUri: string
  readonly pinned?: Revision
  /** ms for the whole run, and for the first response of a process. */
  readonly limits: { readonly all: number; readonly answer: number }
}

const LINK = 's1'

const METHODS: Readonly<Record<ListName, { method: string; key: string; name: string; capability: string }>> = {
  tools: { method: 'tools/list', key: 'tools', name: 'name', capability: 'tools' },
  resources: { method: 'resources/list', key: 'resources', name: 'uri', capability: 'resources' },
  templates: {
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    name: 'uriTemplate',
    capability: 'resources',
  },
  prompts: { method: 'prompts/list', key: 'prompts', name: 'name', capability: 'prompts' },
}

/** A list is reloaded when it changes, at most this many times. */
const REFRESHES = 3
const MOST_PAGES = 100

/** ms without a frame, after which a newly opened server is considered idle. */
const QUIET = 400
const QUIET_LIMIT = 3_000

/** ms the proxy may take to clean up after a process that ended without being asked to. */
const EXIT_LIMIT = 6_000

/** @param direct reaches servers without the relay */
export const drive = async (wish: Wish, direct: typeof fetch = fetch): Promise<Seen> => {
  const { target, proxy, rootUri, pinned, limits } = wish
  const trace = new Trace()
  const bridge = new Bridge(proxy)
  const session = new Session({
    trace,
    link: LINK,
    transport:
      target.kind === 'stdio'
        ? new StdioBridgeTransport({ bridge, spawn: target.spawn, limits: { answer: limits.answer } })
        : new StreamableHttpTransport({
            url: target.url,
            headers: target.headers,
            fetch: target.relayed ? relayFetch(proxy) : direct,
          }),
    clientInfo: { name: 'periscope-corpus', version: '0' },
    capabilities: () => ({ roots: { listChanged: true }, sampling: {}, elicitation: {} }),
    answers: answersFor(rootUri),
    limits: { idle: 20_000, total: 30_000 },
    ...(pinned ? { pinned } : {}),
  })
  // Pending requests fail because the session was closed, and the row then shows that.
  const timer = setTimeout(() => void session.close(), limits.all)
  const seen = await look(session)
  clearTimeout(timer)
  await session.close()
  await until(() => runningIn(trace) === 0, EXIT_LIMIT)
  bridge.leave()
  return { ...seen, frames: [...trace] }
}

const look = async (session: Session): Promise<Omit<Seen, 'frames'>> => {
  const begun = performance.now()
  try {
    const peer = await session.open()
    const openMs = performance.now() - begun
    const lists = await fetchLists(session, peer)
    const asides = {
      ...(peer.era === 'handshake' ? { ping: await outcome(session, 'ping') } : {}),
      ...(isObject(peer.capabilities.tools) ? { unknownTool: await outcome(session, 'tools/call', NO_TOOL) } : {}),
    }
    const unanswered = foldAll(exchanges, session.trace).all.filter(
      ({ direction, status }) => direction === 'received' && status === 'pending',
    ).length
    return { openMs, peer, transport: transportOf(session.trace), lists, ...asides, unanswered }
  } catch (error) {
    const failure = { code: codeOf(error), message: messageOf(error), details: detailsOf(error) }
    return { openMs: performance.now() - begun, failure, lists: {}, unanswered: 0 }
  }
}

/** Number of processes whose end hasn't been reported. */
const runningIn = (trace: Trace): number => {
  let running = 0
  for (const frame of trace) {
    if (frame.kind !== 'process') continue
    if (frame.event === 'spawn') running++
    if (frame.event === 'exit') running--
  }
  return running
}

/** The responses of a person who accepts everything. */
const answersFor = (uri: string): Answers => ({
  'roots/list': () => ({ roots: [{ uri, name: 'scratch' }] }),
  'sampling/createMessage': () => ({
    role: 'assistant',
    content: { type: 'text', text: 'Thank you for asking.' },
    model: 'none',
    stopReason: 'endTurn',
  }),
  'elicitation/create': () => ({ action: 'decline' }),
})

const transportOf = (trace: Trace): string =>
  [...trace].flatMap((frame) => (frame.kind === 'session' && frame.phase === 'open' ? [frame.transport] : [])).at(-1)!

const NO_TOOL = { name: '__no_such_tool__', arguments: {} }

/** In the terms of the corpus. */
const outcome = async (session: Session, method: string, params?: JsonObject): Promise<string> => {
  try {
    const result = await session.request(method, params, { idle: 6_000 })
    return result.isError === true ? 'isError result' : 'ok'
  } catch (error) {
    return error instanceof ProtocolError ? `error ${error.code}` : codeOf(error)
  }
}

const fetchLists = async (session: Session, peer: Peer): Promise<Partial<Record<ListName, ListSeen>>> => {
  const lists: Partial<Record<ListName, ListSeen>> = {}
  const begun: Partial<Record<ListName, number>> = {}
  for (let round = 0; round <= REFRESHES; round++) {
    const due = LISTS.filter((name) => {
      if (!isObject(peer.capabilities[METHODS[name].capability])) return false
      const from = begun[name]
      return from === undefined || hasChanged(session.trace, name, from)
    })
    if (due.length === 0) break
    for (const name of due) {
      begun[name] = session.trace.length
      lists[name] = await fetchList(session, name)
    }
    await quiet(session.trace)
  }
  return lists
}

/** All pages; a repeated cursor would form an infinite loop. */
const fetchList = async (session: Session, list: ListName): Promise<ListSeen> => {
  const { method, key, name } = METHODS[list]
  const names: string[] = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  do {
    let result: JsonObject
    try {
      result = await session.request(method, cursor === undefined ? undefined : { cursor })
    } catch (error) {
      return failed(error)
    }
    const items = result[key]
    if (!Array.isArray(items)) return { error: 'transport', code: 'wrong-shape', message: `${key} is no array` }
    for (const item of items as readonly Json[]) names.push(isObject(item) ? nameIn(item, name) : '')
    const next = result.nextCursor
    if (typeof next !== 'string' || cursors.has(next)) return { names, pages: cursors.size + 1 }
    cursors.add((cursor = next))
  } while (cursors.size < MOST_PAGES)
  return { names, pages: cursors.size }
}

const nameIn = (item: JsonObject, key: string): string => {
  const name = item[key]
  return typeof name === 'string' ? name : ''
}

const failed = (error: unknown): ListSeen => {
  const message = messageOf(error)
  if (error instanceof ProtocolError) {
    const { code, status } = error
    return { error: 'server', code, message, ...(status === undefined ? {} : { status }) }
  }
  const { status } = detailsOf(error)
  return { error: 'transport', code: codeOf(error), message, ...(typeof status === 'number' ? { status } : {}) }
}

const hasChanged = (trace: Trace, list: ListName, from: number): boolean => {
  const method = `notifications/${METHODS[list].capability}/list_changed`
  for (let seq = from; seq < trace.length; seq++) {
    const frame = trace.at(seq)
    if (frame?.kind === 'message' && isObject(frame.message) && frame.message.method === method) return true
  }
  return false
}

const quiet = async (trace: Trace): Promise<void> => {
  let { length } = trace
  let since = performance.now()
  await until(() => {
    if (trace.length !== length) since = performance.now()
    length = trace.length
    return performance.now() - since >= QUIET
  }, QUIET_LIMIT)
}

/** Polls for at most `limit` ms. */
const until = async (is: () => boolean, limit: number): Promise<void> => {
  const end = performance.now() + limit
  while (!is() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50))
}
