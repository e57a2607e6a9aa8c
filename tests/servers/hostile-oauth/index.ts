/**
 * MCP servers that require a token, each with its own authorization server, each wrong in one way: `/<kind>[/<key>]`,
 * where `<key>` isolates tests. The kinds are in `kinds.ts`. Below a world:
 *
 *     /mcp                       the MCP endpoint; issuer, endpoints and documents: `addresses` in `kind.ts`
 *     GET  /where                its URLs, as `control.ts` reads them (worlds at a root have an origin of their own)
 *     GET  /log                  the requests it received, in order; DELETE clears the world's state
 *     GET  /secrets              the secrets it issued, which must not leak
 *     POST /expire               expires all access tokens
 *
 * A second origin, `evilUrl`, leads to the same worlds and logs its requests separately: `<evil>/<kind>[/<key>]/log`,
 * and `<evil>/log` for all, including requests outside any world.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { allowPages, bodyOf, listen, type Peer } from '../listening.ts'
import { kinds } from './kinds.ts'
import {
  addresses,
  count,
  push,
  type Client,
  type Door,
  type Endpoint,
  type Exchange,
  type Grant,
  type Kind,
  type Logged,
  type Reply,
  type Secret,
  type World,
} from './kind.ts'
import { elsewhere, find, wellFor, type Found } from './routes.ts'

interface HostileOauthPeer extends Peer {
  /** The origin that must never receive a secret. */
  readonly evilUrl: string
}

export const start = async (): Promise<HostileOauthPeer> => {
  const worlds = new Map<string, World>()
  const evilLog: Logged[] = []
  const peers: Peer[] = []
  const begin = async (door: Door, rooted?: string): Promise<Peer> => {
    const peer = await listen(serverFor((request, response) => serve(door, rooted, request, response)))
    peers.push(peer)
    return peer
  }

  const worldOf = (name: string, key: string | undefined): World | undefined => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (!kind) return
    // At a root, the URL has no room for a key.
    const path = key === undefined || kind.root ? `/${name}` : `/${name}/${key}`
    const known = worlds.get(path)
    if (known) return known
    const own = kind.root ? { origin: roots.get(name)!.url, path: '' } : { origin: main.url, path }
    const world = makeWorld(kind, { own, evil: { origin: evil.url, path } })
    worlds.set(path, world)
    return world
  }

  const serve = async (door: Door, rooted: string | undefined, request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const found = find(pathname, rooted)
    const world = found && worldOf(found.name, found.key)
    if (door === 'evil' && pathname === '/log') return answerLog(request, response, evilLog, () => (evilLog.length = 0))
    if (world && found.control !== undefined)
      return answerControl(world, door, found.control, request, response, worlds)
    const endpoint = found?.endpoint
    if (answerPreflight(world?.kind, door, endpoint, request, response)) return
    const body = request.method === 'POST' ? await bodyOf(request) : ''
    const logged = entryFor(request, endpoint ?? 'elsewhere', body)
    if (door === 'evil') push(evilLog, logged)
    if (world) push(world.logs[door], logged)
    // A mistyped name must not pass for a correct server.
    if (!world || !endpoint) return void response.writeHead(404).end(`Nothing at ${pathname}`)
    await answer({ world, door, endpoint, request, response, place: found.place, query: searchParams, body }, found)
  }

  const main = await begin('own')
  const evil = await begin('evil')
  const names = Object.keys(kinds).filter((name) => kinds[name]?.root)
  const roots = new Map(await Promise.all(names.map(async (name) => [name, await begin('own', name)] as const)))
  return {
    url: main.url,
    evilUrl: evil.url,
    close: async () => void (await Promise.all(peers.map((peer) => peer.close()))),
  }
}

const serverFor = (serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Server =>
  createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })

const makeWorld = (kind: Kind, doors: World['doors']): World => ({
  kind,
  doors,
  clients: new Map<string, Client>(),
  codes: new Map<string, Grant>(),
  access: new Map<string, Grant>(),
  refresh: new Map<string, Grant>(),
  used: new Map<string, string>(),
  counts: new Map<string, number>(),
  kept: new Map<string, string>(),
  logs: { own: [], evil: [] },
  secrets: [] as Secret[],
})

const OF_INTEREST = [
  'authorization',
  'content-type',
  'accept',
  'origin',
  'referer',
  'cookie',
  'dpop',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-session-id',
]

const MOST_BODY = 10_000

const entryFor = (request: IncomingMessage, at: Logged['at'], body: string): Logged => ({
  at,
  method: request.method ?? '',
  path: request.url ?? '',
  headers: Object.fromEntries(
    OF_INTEREST.flatMap((name) => {
      const value = request.headers[name]
      return value === undefined ? [] : [[name, String(value)]]
    }),
  ),
  body: body.slice(0, MOST_BODY),
})

const sayJson = (response: ServerResponse, body: unknown): void =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

const answerLog = (
  request: IncomingMessage,
  response: ServerResponse,
  log: readonly Logged[],
  forget: () => unknown,
): void => {
  if (allowPages(request, response)) return
  if (request.method === 'DELETE') forget()
  sayJson(response, log)
}

const answerControl = (
  world: World,
  door: Door,
  control: Found['control'],
  request: IncomingMessage,
  response: ServerResponse,
  worlds: Map<string, World>,
): void => {
  if (control === 'log')
    return answerLog(request, response, world.logs[door], () => worlds.delete(world.doors.evil.path))
  if (allowPages(request, response)) return
  if (control === 'secrets') return sayJson(response, world.secrets)
  if (control === 'expire') {
    count(world, 'expire')
    world.access.clear()
    return void response.writeHead(204).end()
  }
  const { moved: _, ...own } = addresses(world)
  sayJson(response, { ...own, evil: addresses(world, 'evil').base })
}

/** An endpoint hidden on one origin may be readable on the other. */
const answerPreflight = (
  kind: Kind | undefined,
  door: Door,
  endpoint: Endpoint | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): boolean => {
  const preflights = request.method === 'OPTIONS'
  if (door === 'own' && endpoint && kind?.hides?.includes(endpoint)) {
    if (preflights) response.writeHead(404).end()
    return preflights
  }
  const allowed = door === 'own' && endpoint ? kind?.preflight?.[endpoint] : undefined
  if (!preflights || allowed === undefined) return allowPages(request, response)
  if (allowed === null) response.writeHead(404)
  else {
    response.writeHead(204, {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, POST, DELETE',
      'Access-Control-Allow-Headers': allowed,
      'Access-Control-Allow-Private-Network': 'true',
    })
  }
  response.end()
  return true
}

const answer = async (exchange: Exchange, { moved }: Found): Promise<void> => {
  const { world, endpoint, response } = exchange
  const well = async () => wellFor(exchange)
  const hook = moved ? undefined : world.kind.on?.[endpoint]
  const reply = elsewhere(exchange) ?? (hook ? await hook(exchange, well) : await well())
  if (reply) send(response, reply)
}

const send = (response: ServerResponse, { status, headers, body, text }: Reply): void => {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  response.writeHead(status, { ...type, ...headers })
  response.end(text ?? (body === undefined ? undefined : JSON.stringify(body)))
}
