/**
 * Servers of 2024-11-05 over HTTP+SSE:
 *
 *     /sse                              the official SDK v1 (`SSEServerTransport`), messages at `/messages`
 *     /variant/<name>[/<key>]/sse       without an SDK, one oddity each; the names are in `variants.ts`
 *
 * `<key>` isolates tests. Controls, in Node on what `start` returns and over HTTP as in `control.ts`: `seen` (what a
 * place received; a place is such a path), `stranger` (requests at the other origin; must be empty).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { answerControl, record, type Seen } from '../control.ts'
import { makeServer } from '../counting-tools.ts'
import { allowPages, bodyOf, listen, type Peer } from '../listening.ts'
import { serve, type Place } from './hand-written.ts'
import { sseVariants, type SseVariant } from './variants.ts'

export interface SsePeer extends Peer {
  seen(place: string): readonly Seen[]
  /** Requests at the origin that `other-origin` sends its clients to. */
  stranger(): readonly Seen[]
}

export const start = async (): Promise<SsePeer> => {
  const strange: Seen[] = []
  const stranger = await listen(
    createServer((request, response) => {
      record(strange, request)
      allowPages(request, response)
      if (request.method !== 'OPTIONS') response.writeHead(202).end()
    }),
  )
  const places = new Map<string, Place>()
  const sessions = new Map<string, SSEServerTransport>()
  const sdkSeen: Seen[] = []
  const controls: Omit<SsePeer, keyof Peer> = {
    seen: (path) => (path === '/sse' ? sdkSeen : (places.get(path)?.seen ?? [])),
    stranger: () => strange,
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (await answerControl(request, response, controls)) return
    if (allowPages(request, response)) return
    const url = new URL(request.url ?? '/', 'http://localhost')
    const [, place = '', name = ''] = /^(\/variant\/([\w-]+)(?:\/.*)?)\/[^/]*$/.exec(url.pathname) ?? []
    if (place === '') return serveSdk(request, response, url)
    // A mistyped name must not pass for a correct server.
    if (!Object.hasOwn(sseVariants, name)) return void response.writeHead(404).end(`No variant ${name}`)
    const known = places.get(`${place}/sse`) ?? { streams: new Map(), seen: [] }
    places.set(`${place}/sse`, known)
    const variant = name as SseVariant
    await serve({ variant, place: known, request, response, url, strangerUrl: stranger.url })
  }

  const serveSdk = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    if (request.method === 'GET' && url.pathname === '/sse') {
      record(sdkSeen, request)
      const transport = new SSEServerTransport('/messages', response)
      sessions.set(transport.sessionId, transport)
      response.once('close', () => sessions.delete(transport.sessionId))
      return makeServer(() => {}).connect(transport)
    }
    if (request.method === 'POST' && url.pathname === '/messages') {
      const message: unknown = JSON.parse(await bodyOf(request))
      record(sdkSeen, request, message)
      const transport = sessions.get(url.searchParams.get('sessionId') ?? '')
      if (transport) return transport.handlePostMessage(request, response, message)
      return void response.writeHead(400).end('No transport found for sessionId')
    }
    record(sdkSeen, request)
    // Express's response for an unknown route.
    const words = `<pre>Cannot ${request.method} ${url.pathname}</pre>`
    response.writeHead(404, { 'Content-Type': 'text/html; charset=utf-8' }).end(words)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  const peer = await listen(server)
  return { url: peer.url, close: async () => void (await Promise.all([peer.close(), stranger.close()])), ...controls }
}
