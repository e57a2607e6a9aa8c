/**
 * A server on the official SDK, with an event store, whose streams are cut. The path says how:
 *
 *     /cut/<events>/<rest…>       every SSE response is destroyed after that many events, in the middle of the next one
 *     /between/<events>/<rest…>   the same, right after the last of them
 *     /poll/<ms>/<rest…>          the server itself closes the stream at every second step of `slow-count` and asks the
 *                                 client to reconnect after this time (SEP-1699)
 *     /whole/<rest…>              nothing is cut until a control says so
 *
 * A whole path is a place: `<rest>` is anything and isolates tests. Controls, in Node on what `start` returns and over
 * HTTP as in `control.ts`: `cut-after` {events, where?} ({} ends it), `hold` {step}, `cut-now`, `notify` {n}, `seen`,
 * `reset`.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server as McpServer } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { answerControl, record, type Seen } from './control.ts'
import { makeServer } from './counting-tools.ts'
import { cut, isStream, type Knife, ReadingTime } from './cut.ts'
import { allowPages, listen, type Peer } from './listening.ts'
import { MemoryEvents } from './memory-events.ts'

export interface CuttingPeer extends Peer {
  /** From now on, cuts each stream of a place after this many events; without a knife, none. */
  cutAfter(place: string, knife?: Knife): void
  /** Counts of a place wait after this step until `cutNow`, so that their streams are open by then. */
  hold(place: string, step: number): void
  /** Destroys the open streams of a place. Resolves to their number. */
  cutNow(place: string): number
  /**
   * Sends `n` notifications, with numbers continuing from the last call, on the GET stream of the place's newest
   * session. Waits for the first such stream, because messages sent before it opens aren't stored.
   * @throws {Error} if none opens within 5 s
   */
  notify(place: string, n: number): Promise<{ first: number; last: number }>
  seen(place: string): { requests: readonly Seen[]; cuts: number }
  /** Ends a place's sessions and clears its state: the next request with a session ID gets 404. */
  reset(place: string): void
}

interface Session {
  readonly server: McpServer
  readonly transport: StreamableHTTPServerTransport
}

interface Place {
  knife: Knife | undefined
  /** The retry time in ms; only if the server closes its streams itself. */
  readonly poll: number | undefined
  readonly sessions: Map<string, Session>
  readonly open: Set<ServerResponse>
  /** Responses to GET requests that resume nothing. */
  readonly listeners: ServerResponse[]
  readonly seen: Seen[]
  readonly reading: ReadingTime
  cuts: number
  notified: number
  /** The step after which counts wait, and what lets them go on. */
  hold: number
  readonly held: (() => void)[]
}

/** ms until the client reconnects, unless the server asks for a longer wait. */
const RETRY = 20

export const start = async (): Promise<CuttingPeer> => {
  const places = new Map<string, Place>()
  const placeAt = (path: string): Place => {
    const known = places.get(path) ?? makePlace(path)
    if (!known) throw new Error(`No place ${path}: it begins with /cut/<n>/, /between/<n>/, /poll/<ms>/ or /whole/`)
    places.set(path, known)
    return known
  }

  const controls: Omit<CuttingPeer, keyof Peer> = {
    cutAfter: (path, knife) => {
      if (knife && !(knife.events >= 1)) throw new Error('events is 1 or more')
      placeAt(path).knife = knife
    },
    hold: (path, step) => void (placeAt(path).hold = step),
    cutNow: (path) => {
      const place = placeAt(path)
      place.hold = Infinity
      for (const goOn of place.held.splice(0)) goOn()
      const streams = [...place.open].filter((response) => response.headersSent && isStream(response))
      for (const stream of streams) stream.destroy()
      place.cuts += streams.length
      return streams.length
    },
    notify: async (path, n) => {
      const place = placeAt(path)
      const first = place.notified + 1
      place.notified += n
      await listened(place)
      const session = [...place.sessions.values()].at(-1)
      if (!session) throw new Error(`${path} has no session`)
      for (let data = first; data < first + n; data++)
        await session.server.notification({ method: 'notifications/message', params: { level: 'info', data } })
      return { first, last: first + n - 1 }
    },
    seen: (path) => ({ requests: placeAt(path).seen, cuts: placeAt(path).cuts }),
    reset: (path) => {
      for (const { transport } of placeAt(path).sessions.values()) void transport.close()
      places.delete(path)
    },
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const known = await answerControl(request, response, {
      'cut-after': (path, { events, where = 'inside' }) =>
        controls.cutAfter(path, events === undefined ? undefined : ({ events, where } as Knife)),
      hold: (path, { step }) => controls.hold(path, Number(step)),
      'cut-now': (path) => controls.cutNow(path),
      notify: (path, { n }) => controls.notify(path, Number(n)),
      seen: (path) => controls.seen(path),
      reset: (path) => controls.reset(path),
    })
    if (known || allowPages(request, response)) return
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (!/^\/(cut|between|poll|whole)\//.test(path)) return void response.writeHead(404).end()
    await serve(placeAt(path), request, response)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  const peer = await listen(server, async () => {
    for (const path of places.keys()) controls.reset(path)
  })
  return { ...peer, ...controls }
}

const makePlace = (path: string): Place | undefined => {
  const [, mode, value] = /^\/(?:(cut|between|poll)\/(\d+)|whole)\//.exec(path) ?? []
  if (mode === undefined && !path.startsWith('/whole/')) return
  const events = Math.max(1, Number(value))
  return {
    knife: mode === 'cut' ? { events, where: 'inside' } : mode === 'between' ? { events, where: 'between' } : undefined,
    poll: mode === 'poll' ? Number(value) : undefined,
    sessions: new Map(),
    open: new Set(),
    listeners: [],
    seen: [],
    reading: new ReadingTime(),
    cuts: 0,
    notified: 0,
    hold: Infinity,
    held: [],
  }
}

const serve = async (place: Place, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  record(place.seen, request)
  place.open.add(response)
  response.once('close', () => place.open.delete(response))
  if (request.method === 'GET' && request.headers['last-event-id'] === undefined) place.listeners.push(response)
  const id = request.headers['mcp-session-id']
  const session = typeof id === 'string' ? place.sessions.get(id) : await makeSession(place)
  if (!session) return void response.writeHead(404).end('Session not found')
  cut(
    response,
    place.reading.of(request),
    () => place.knife,
    () => place.cuts++,
  )
  await session.transport.handleRequest(request, response)
}

const makeSession = async (place: Place): Promise<Session> => {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: new MemoryEvents(),
    retryInterval: place.poll ?? RETRY,
    onsessioninitialized: (id) => void place.sessions.set(id, session),
    onsessionclosed: (id) => void place.sessions.delete(id),
  })
  const server = makeServer(
    (id) => {
      if (place.poll !== undefined) transport.closeSSEStream(id)
    },
    async (step) => {
      if (step > place.hold) await new Promise<void>((goOn) => place.held.push(goOn))
    },
  )
  const session: Session = { server, transport }
  await server.connect(transport)
  return session
}

/** Resolves when a GET stream is or was open: from then on, everything sent to it is stored. */
const listened = async (place: Place): Promise<void> => {
  const deadline = Date.now() + 30_000
  while (!place.listeners.some(({ headersSent, statusCode }) => headersSent && statusCode === 200)) {
    if (Date.now() > deadline) throw new Error('Nobody listens: no GET stream within 30 s')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
