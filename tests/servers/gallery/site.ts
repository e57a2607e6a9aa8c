/** Correct servers over HTTP in a few lines, made to be broken in one place each. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { createServer as createRawServer, type Server as RawServer, type Socket } from 'node:net'
import type { Server } from 'node:http'
import { bodyOf, listen } from '../listening.ts'
import type { Started } from './target.ts'

/** A message, as far as these servers read it. */
export interface Message {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: { readonly protocolVersion?: string; readonly [key: string]: unknown }
}

/** Handles a request. @returns whether it did */
type Handler = (request: IncomingMessage, response: ServerResponse) => boolean

export interface Options {
  /** The values of Access-Control-Allow-Origin. */
  readonly origin?: (request: IncomingMessage) => string | string[] | undefined
  /** Access-Control-Allow-Headers. */
  readonly allow?: string
  /** Access-Control-Allow-Methods. */
  readonly methods?: string
  /** Access-Control-Expose-Headers; `null`: none. */
  readonly expose?: string | null
  readonly preflight?: Handler
  /** Any other request. CORS headers are set. */
  readonly first?: Handler
  /** A message. */
  readonly message?: (message: Message, request: IncomingMessage, response: ServerResponse) => boolean
  readonly path?: string
  /** Without sessions. */
  readonly stateless?: true
  readonly tools?: readonly object[]
  /** The only protocol version it supports. */
  readonly version?: string
}

/** Headers that a correct server allows. */
export const ALLOWED =
  'Content-Type, Accept, Authorization, X-API-Key, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID, Cache-Control'
const EXPOSED = 'Mcp-Session-Id, WWW-Authenticate, MCP-Protocol-Version, Retry-After, Location, Cf-Mitigated'
const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const TOOLS = [{ name: 'forecast', description: 'Weather for a city', inputSchema: { type: 'object' } }]

export const setCors = (request: IncomingMessage, response: ServerResponse, options: Options = {}) => {
  const origin = options.origin ? options.origin(request) : '*'
  if (origin !== undefined) response.setHeader('Access-Control-Allow-Origin', origin)
  if (request.method === 'OPTIONS') {
    response.setHeader('Access-Control-Allow-Methods', options.methods ?? 'GET, POST, DELETE, OPTIONS')
    response.setHeader('Access-Control-Allow-Headers', options.allow ?? ALLOWED)
  } else if (options.expose !== null) response.setHeader('Access-Control-Expose-Headers', options.expose ?? EXPOSED)
}

/** @returns true, for a `Handler` */
export const respond = (
  response: ServerResponse,
  status: number,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): true => {
  const isPage = typeof body === 'string' && body.trimStart().startsWith('<')
  const type = typeof body === 'object' ? 'application/json' : isPage ? 'text/html; charset=utf-8' : 'text/plain'
  response.writeHead(status, { 'Content-Type': type, ...headers })
  response.end(typeof body === 'object' ? JSON.stringify(body) : body)
  return true
}

export const initializeResult = ({ params }: Message, { tools = TOOLS, version }: Options = {}) => ({
  protocolVersion:
    version ?? (VERSIONS.includes(params?.protocolVersion ?? '') ? params!.protocolVersion : '2025-11-25'),
  capabilities: tools.length > 0 ? { tools: {} } : { prompts: {} },
  serverInfo: { name: 'weather', version: '1.0.0' },
})

/** The response to a request. */
export const responseTo = (message: Message, options: Options = {}) => {
  const { id, method } = message
  const results: Readonly<Record<string, () => object>> = {
    initialize: () => initializeResult(message, options),
    ping: () => ({}),
    'tools/list': () => ({ tools: options.tools ?? TOOLS }),
  }
  const result = method === undefined ? undefined : results[method]?.()
  return result
    ? { jsonrpc: '2.0', id, result }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
}

export const rpcError = (code: number, message: string, id: Message['id'] = null) => ({ jsonrpc: '2.0', error: { code, message }, id }) // prettier-ignore

/** Where the header lines go that a remedy names. */
export const CONTROL = '/gallery-control'

/** A correct Streamable HTTP server of the protocol versions with sessions. */
export const mcp = (options: Options = {}): RequestListener => {
  const sessions = new Set<string>()
  /** What the author adds: header lines that were POSTed to `CONTROL`. OPTIONS then gets 204. */
  let added: readonly (readonly [string, string])[] | undefined
  const answer = (message: Message, request: IncomingMessage, response: ServerResponse): unknown => {
    const isRequest = message.id !== undefined && message.method !== undefined
    if (options.stateless) {
      if (message.method === 'server/discover')
        return respond(response, 400, rpcError(-32000, 'Bad Request: Server not initialized'))
      return isRequest ? respond(response, 200, responseTo(message, options)) : response.writeHead(202).end()
    }
    if (message.method === 'initialize') {
      const id = randomUUID()
      sessions.add(id)
      return respond(response, 200, responseTo(message, options), { 'Mcp-Session-Id': id })
    }
    const session = request.headers['mcp-session-id']
    if (session === undefined)
      return respond(response, 400, rpcError(-32000, 'Bad Request: Mcp-Session-Id header is required'))
    if (!sessions.has(String(session))) return respond(response, 404, rpcError(-32001, 'Session not found'))
    return isRequest ? respond(response, 200, responseTo(message, options)) : response.writeHead(202).end()
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === CONTROL) {
      const lines = (await bodyOf(request)).split('\n')
      added = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
      return void response.writeHead(204).end()
    }
    const allow = () => {
      setCors(request, response, options)
      for (const [name, value] of added ?? []) response.setHeader(name, value)
    }
    if (request.method === 'OPTIONS') {
      if (!added && options.preflight?.(request, response)) return
      allow()
      return void response.writeHead(204).end()
    }
    allow()
    if (options.first?.(request, response)) return
    const [path] = request.url!.split('?')
    if (path !== (options.path ?? '/mcp'))
      return void respond(response, 404, `<!DOCTYPE html><html><body><pre>Cannot ${request.method} ${path}</pre></body></html>`) // prettier-ignore
    if (request.method === 'DELETE') return void response.writeHead(200).end()
    if (request.method !== 'POST')
      return void respond(response, 405, rpcError(-32000, 'Method not allowed.'), { Allow: 'POST, DELETE' })
    const message = JSON.parse(await bodyOf(request)) as Message
    if (!options.message?.(message, request, response)) answer(message, request, response)
  }
  return (request, response) => void serve(request, response).catch(() => response.destroy())
}

/** Changes only the response to `initialize`. Without sessions, nothing else can fail. */
export const initializing = (respondTo: (message: Message, response: ServerResponse) => unknown): RequestListener =>
  mcp({
    stateless: true,
    message: (message, _, response) => {
      if (message.method !== 'initialize') return false
      respondTo(message, response)
      return true
    },
  })

interface Place {
  readonly path?: string
  readonly host?: string
  readonly port?: number
}

/** Serves it on a free port. */
export const site = async (listener: RequestListener, { path = '/mcp', ...at }: Place = {}): Promise<Started> => {
  const { url, close } = await listen(createServer(listener), undefined, at)
  return { line: `${url}${path}`, close }
}

/** Serves it over TLS. */
export const secureSite = async (listener: RequestListener, tls: ServerOptions): Promise<Started> => {
  const server = createTlsServer(tls, listener)
  server.on('tlsClientError', () => {})
  const { url, close } = await listen(server)
  return { line: `${url.replace('http://127.0.0.1', 'https://localhost')}/mcp`, close }
}

/** A port that doesn't speak HTTP. */
export const rawSite = async (onConnection: (socket: Socket) => void, scheme = 'http'): Promise<Started> => {
  const server: RawServer = createRawServer((socket) => {
    socket.on('error', () => {})
    onConnection(socket)
  })
  const { url, close } = await listen(server as Server)
  return { line: `${url.replace('http', scheme)}/mcp`, close }
}

/** A URL where nothing listens: port 4 is unassigned, below those given to programs, and none that browsers block. */
export const nowhere = (scheme = 'http'): Started => ({ line: `${scheme}://127.0.0.1:4/mcp`, close: async () => {} })

interface SseOptions {
  /** The URL of the endpoint event; `null`: the event never comes. */
  readonly endpoint?: string | null
  /** The origin of the URL in the endpoint event. */
  readonly at?: () => string
  /** CORS of the URL for messages. */
  readonly messages?: Options
  /** What ends a line. */
  readonly newline?: '\r\n'
}

/** A correct HTTP+SSE server (2024-11-05) at `/sse`. */
export const sse = (options: SseOptions = {}): RequestListener => {
  const streams = new Map<string, ServerResponse>()
  const newline = options.newline ?? '\n'
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { pathname, searchParams } = new URL(request.url!, 'http://h')
    const isMessage = pathname === '/messages/'
    const cors = isMessage ? (options.messages ?? {}) : {}
    if (request.method === 'OPTIONS') {
      if (cors.preflight?.(request, response)) return
      setCors(request, response, cors)
      return response.writeHead(204).end()
    }
    setCors(request, response, cors)
    if (pathname === '/sse' && request.method === 'GET') {
      const id = randomUUID()
      streams.set(id, response)
      response.on('close', () => streams.delete(id))
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' })
      response.write(`: connected${newline}${newline}`)
      if (options.endpoint === null) return
      const endpoint = options.endpoint ?? `${options.at?.() ?? ''}/messages/?session_id=${id}`
      return response.write(`event: endpoint${newline}data: ${endpoint}${newline}${newline}`)
    }
    if (isMessage && request.method === 'POST') {
      const message = JSON.parse(await bodyOf(request)) as Message
      const stream = streams.get(searchParams.get('session_id') ?? '')
      if (!stream) return respond(response, 404, 'Could not find session')
      response.writeHead(202).end('Accepted')
      if (message.id === undefined || message.method === undefined) return
      const data = JSON.stringify(responseTo(message))
      return stream.write(`event: message${newline}data: ${data}${newline}${newline}`)
    }
    return pathname === '/sse'
      ? respond(response, 405, 'Method Not Allowed', { Allow: 'GET, HEAD' })
      : respond(response, 404, { detail: 'Not Found' })
  }
  return (request, response) => void serve(request, response).catch(() => response.destroy())
}

/** The page of a gateway or web server. */
export const errorPage = (title: string, server = 'nginx/1.26.2') =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>${server}</center>\r\n</body>\r\n</html>\r\n`
