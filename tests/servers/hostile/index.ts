/**
 * A server of our own that misbehaves in one way at a time: `/h/<name>[/<key>]` speaks the handshake well, lists one
 * tool `t`, and shows the fault `<name>` where it belongs. `<key>` keeps tests apart. The names:
 *
 *     calls.ts   faults in the answer to tools/call: bad bytes, wrong ids, cut and endless streams, floods
 *     lists.ts   odd answers to tools/list: paging, errors, 1,083 tools, odd schemas
 *     here       faults of the handshake (`init-…`), of listening (`get-…`), of sessions, and of CORS
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { allowPages, listen, type Peer } from '../listening.ts'
import { callFaults, resumableFaults } from './calls.ts'
import { listAnswers } from './lists.ts'
import { beginEvents, event, json, result, type Exchange, type Json, type Message } from './wire.ts'

/** What one `/h/<name>/<key>` remembers. */
interface Place {
  readonly sessions: Set<string>
  /** Sessions that were ended on purpose, once. */
  expired: boolean
  /** The answer that waits for a resume. */
  waiting: Json | undefined
  listChanges: number
  readonly listeners: Set<ServerResponse>
}

const initializeAnswers: Record<string, (id: number) => Json | undefined> = {
  'init-error': (id) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'No database' } }),
  'init-older': (id) => initialized(id, '2024-11-05'),
  'init-unknown-version': (id) => initialized(id, '1999-01-01'),
  'init-never': () => undefined,
  'empty-info': (id) => ({
    jsonrpc: '2.0',
    id,
    result: {
      protocolVersion: '2025-11-25',
      serverInfo: { name: '', version: '' },
      capabilities: { sampling: {}, 'x-odd': [1] },
    },
  }),
}

const initialized = (id: number, version = '2025-11-25'): Json => ({
  jsonrpc: '2.0',
  id,
  result: {
    protocolVersion: version,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'hostile', version: '1.0.0' },
  },
})

export const start = async (): Promise<Peer> => {
  const places = new Map<string, Place>()

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const name = /^\/h\/([\w-]+)/.exec(path)?.[1]
    if (name === undefined) return void response.writeHead(404).end()
    if (name === 'no-cors') {
      if (request.method === 'OPTIONS') return void response.writeHead(404).end()
    } else if (allowPages(request, response)) return
    if (name === 'hidden-session') response.removeHeader('Access-Control-Expose-Headers')
    let place = places.get(path)
    if (!place)
      places.set(
        path,
        (place = { sessions: new Set(), expired: false, waiting: undefined, listChanges: 0, listeners: new Set() }),
      )
    if (request.method === 'GET') return listenTo(name, place, request, response)
    if (request.method === 'DELETE') return endSession(name, place, request, response)
    const message = JSON.parse(await bodyOf(request)) as Message
    await answer(name, place, { request, response, message })
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  return await listen(server)
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const answer = async (name: string, place: Place, exchange: Exchange): Promise<void> => {
  const { request, response, message } = exchange
  if (message.method === 'initialize') return initialize(name, place, exchange)
  const session = request.headers['mcp-session-id']
  if (typeof session !== 'string' || !place.sessions.has(session)) {
    return json(exchange, 'Bad Request: no valid session ID', session === undefined ? 400 : 404, 'text/plain')
  }
  if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end()
  if (message.method === 'ping') return json(exchange, { jsonrpc: '2.0', id: message.id, result: {} })
  if (message.method === 'tools/list') return list(name, place, exchange)
  if (message.method !== 'tools/call') {
    return json(exchange, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } })
  }
  await call(name, place, exchange)
}

const initialize = (name: string, place: Place, exchange: Exchange): void => {
  const { response, message } = exchange
  const id = message.id!
  if (name === 'init-error-unsupported' && message.params?.protocolVersion === '2025-11-25') {
    const data = { supported: ['2024-11-05', '2025-06-18'], requested: '2025-11-25' }
    return json(exchange, {
      jsonrpc: '2.0',
      id,
      error: { code: -32602, message: 'Unsupported protocol version', data },
    })
  }
  const odd = initializeAnswers[name]
  const said = odd ? odd(id) : initialized(id, name === 'init-error-unsupported' ? '2025-06-18' : undefined)
  if (said === undefined) return
  const session = randomUUID()
  place.sessions.add(session)
  response.setHeader('Mcp-Session-Id', session)
  if (name !== 'notification-before-init-answer') return json(exchange, said)
  beginEvents(exchange)
  response.end(
    event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'early' } }) + event(said),
  )
}

const list = (name: string, place: Place, exchange: Exchange): void => {
  const cursor = exchange.message.params?.cursor
  const odd = listAnswers[name]?.(typeof cursor === 'string' ? cursor : undefined)
  const head = { jsonrpc: '2.0', id: exchange.message.id! }
  if (odd) return json(exchange, 'error' in odd ? { ...head, ...odd } : { ...head, result: odd })
  if (name === 'list-changed-loop' && place.listChanges++ < 1000) {
    for (const listener of place.listeners)
      listener.write(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }))
  }
  json(exchange, {
    ...head,
    result: { tools: [{ name: 't', description: `Shows ${name}`, inputSchema: { type: 'object' } }] },
  })
}

const call = async (name: string, place: Place, exchange: Exchange): Promise<void> => {
  const { request, response, message } = exchange
  if ((name === 'session-404-once' || name === 'session-400') && !place.expired) {
    place.expired = true
    place.sessions.delete(String(request.headers['mcp-session-id']))
    return name === 'session-400'
      ? json(
          exchange,
          { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: No valid session ID provided' } },
          400,
        )
      : void response.writeHead(404).end()
  }
  const resumable = resumableFaults[name]
  if (resumable) {
    place.waiting = result(message.id!)
    return await resumable.post(exchange)
  }
  await (callFaults[name] ?? ((good: Exchange) => json(good, result(message.id!))))(exchange)
}

const listenTo = (name: string, place: Place, request: IncomingMessage, response: ServerResponse): void => {
  if (name === 'get-never') return
  const status = /^get-(\d{3})$/.exec(name)?.[1]
  if (status !== undefined) return void response.writeHead(Number(status)).end()
  const resumable = resumableFaults[name]
  const resumes = request.headers['last-event-id'] !== undefined
  if (resumable && !resumes) return void response.writeHead(405).end()
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.flushHeaders()
  if (resumable && place.waiting !== undefined) return resumable.resumed({ request, response }, place.waiting)
  if (name === 'get-events')
    response.write(
      event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'unasked' } }),
    )
  place.listeners.add(response)
  response.once('close', () => place.listeners.delete(response))
}

const endSession = (name: string, place: Place, request: IncomingMessage, response: ServerResponse): void => {
  if (name === 'delete-never') return
  place.sessions.delete(String(request.headers['mcp-session-id']))
  response.writeHead(name === 'delete-405' ? 405 : 204).end()
}
