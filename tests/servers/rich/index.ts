/**
 * A server that uses every feature, with both ways of requesting input:
 *
 *     /v1/<key>   the official SDK v1 at 2025-11-25, with sessions: sends requests of its own
 *     /v2/<key>   the official SDK v2 at 2026-07-28: requests input in results
 *
 * `<key>` isolates tests.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { allowPages, listen, type Peer } from '../listening.ts'
import { makeState } from './offer.ts'
import { makeServer as makeV1 } from './v1.ts'
import { makeServer as makeV2 } from './v2.ts'

interface Place {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  close(): Promise<void>
}

export const start = async (): Promise<Peer> => {
  const places = new Map<string, Place>()
  const placeAt = (path: string): Place | undefined => {
    const way = path.split('/')[1]
    const made = places.get(path) ?? (way === 'v1' ? withSessions() : way === 'v2' ? stateless() : undefined)
    if (made) places.set(path, made)
    return made
  }
  const server = createServer((request, response) => {
    if (allowPages(request, response)) return
    const place = placeAt(new URL(request.url ?? '/', 'http://localhost').pathname)
    if (!place) return void response.writeHead(404).end()
    place.serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  return await listen(server, async () => void (await Promise.all([...places.values()].map((place) => place.close()))))
}

const withSessions = (): Place => {
  const state = makeState()
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  return {
    serve: async (request, response) => {
      const id = request.headers['mcp-session-id']
      let transport = typeof id === 'string' ? sessions.get(id) : undefined
      if (!transport) {
        if (typeof id === 'string') return void response.writeHead(404).end('Session not found')
        const made = new StreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (known) => void sessions.set(known, made),
          onsessionclosed: (known) => void sessions.delete(known),
        })
        await makeV1(state).connect(made)
        transport = made
      }
      await transport.handleRequest(request, response)
    },
    close: async () => void (await Promise.all([...sessions.values()].map((transport) => transport.close()))),
  }
}

const stateless = (): Place => {
  const state = makeState()
  const handler: McpHttpHandler = createMcpHandler(
    () => makeV2(state, { resourceUpdated: (uri) => handler.notify.resourceUpdated(uri) }),
    { legacy: 'reject', keepAliveMs: 5000 },
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
