/**
 * Servers on both official SDKs that behave the same in every protocol version, for tests of all transports and
 * versions:
 *
 *     /v1/<newest>/<key>    the SDK v1 over Streamable HTTP, with sessions; supports no protocol version after <newest>
 *     /sse/<newest>/<key>   the same over HTTP+SSE; its messages go to `/messages`
 *     /v2/<key>             the SDK v2, which supports 2026-07-28 only
 *
 * `<key>` isolates tests. `../versed-stdio.mjs` starts the same over stdio.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { allowPages, bodyOf, listen, type Peer } from '../listening.ts'
import { makeState, type VersedState } from './tools.ts'
import { connect, makeServer as makeV1 } from './v1.ts'
import { makeServer as makeV2 } from './v2.ts'

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface Place {
  readonly serve: Serve
  close(): Promise<void>
}

export const start = async (): Promise<Peer> => {
  const places = new Map<string, Place>()
  const streams = new Map<string, SSEServerTransport>()
  const placeAt = (path: string): Place | undefined => {
    const [, mode, newest = ''] = path.split('/')
    const made =
      places.get(path) ??
      (mode === 'v1'
        ? overHttp(newest)
        : mode === 'sse'
          ? overSse(newest, streams)
          : mode === 'v2'
            ? stateless()
            : undefined)
    if (made) places.set(path, made)
    return made
  }
  const handle: Serve = async (request, response) => {
    if (allowPages(request, response)) return
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/messages')
      return takeMessage(streams.get(searchParams.get('sessionId') ?? ''), request, response)
    const place = placeAt(pathname)
    if (!place) return void response.writeHead(404).end()
    await place.serve(request, response)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  return await listen(server, async () => void (await Promise.all([...places.values()].map((place) => place.close()))))
}

const overHttp = (newest: string): Place => {
  const state = makeState()
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await connect(makeV1(state), transport, newest)
    return transport
  }
  return {
    serve: async (request, response) => {
      // Read here, because the SDK itself accepts 4 MB at most.
      const body = request.method === 'POST' ? await bodyOf(request) : undefined
      const message = body === undefined ? undefined : parsed(body)
      const id = request.headers['mcp-session-id']
      const known = typeof id === 'string' ? sessions.get(id) : await begin()
      if (!known) return void response.writeHead(404).end('Session not found')
      if (body !== undefined && message === undefined) {
        const error = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }
        return void response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify(error))
      }
      await known.handleRequest(request, response, message)
    },
    close: async () => void (await Promise.all([...sessions.values()].map((transport) => transport.close()))),
  }
}

const overSse = (newest: string, streams: Map<string, SSEServerTransport>): Place => {
  const state: VersedState = makeState()
  const mine = new Set<SSEServerTransport>()
  return {
    serve: async (request, response) => {
      if (request.method !== 'GET') return void response.writeHead(405).end()
      const transport = new SSEServerTransport('/messages', response)
      mine.add(transport)
      streams.set(transport.sessionId, transport)
      response.once('close', () => {
        mine.delete(transport)
        streams.delete(transport.sessionId)
      })
      await connect(makeV1(state), transport, newest)
    },
    close: async () => void (await Promise.all([...mine].map((transport) => transport.close()))),
  }
}

const takeMessage = async (
  transport: SSEServerTransport | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const message = parsed(await bodyOf(request))
  if (!transport) return void response.writeHead(404).end('Session not found')
  if (message === undefined) return void response.writeHead(400).end('Not JSON')
  if (!Array.isArray(message)) return transport.handlePostMessage(request, response, message)
  // The SDK doesn't support batches here; separate responses are equivalent.
  for (const part of message) await transport.handleMessage(part)
  response.writeHead(202).end('Accepted')
}

const stateless = (): Place => {
  const state = makeState()
  const handler: McpHttpHandler = createMcpHandler(
    () =>
      makeV2(state, {
        toolsChanged: () => handler.notify.toolsChanged(),
        resourceUpdated: (uri) => handler.notify.resourceUpdated(uri),
      }),
    { legacy: 'reject', keepAliveMs: 1000, maxRequestBodySize: 20_000_000 },
  )
  const serve = getRequestListener((request) => handler.fetch(request))
  return {
    serve: async (request, response) => {
      response.setHeader('Access-Control-Expose-Headers', '*')
      await serve(request, response)
    },
    close: () => handler.close(),
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
