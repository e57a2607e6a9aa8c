/** HTTP+SSE of 2024-11-05 without an SDK, one variant at a time; see `variants.ts` for their descriptions. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { record, type Seen } from '../control.ts'
import { bodyOf, pause } from '../listening.ts'
import type { SseVariant } from './variants.ts'

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly [key: string]: unknown }
}

/** One open SSE stream. */
interface Stream {
  readonly response: ServerResponse
  /** Number of the client's responses to our requests. */
  answers: number
  received: number
}

export interface Place {
  readonly streams: Map<string, Stream>
  readonly seen: Seen[]
}

export interface Exchange {
  readonly variant: SseVariant
  readonly place: Place
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  /** The origin that `other-origin` sends clients to. */
  readonly strangerUrl: string
}

/** ms for the client to read what was sent: a broken stream loses its unread data. */
const READING_TIME = 10

export const serve = async (exchange: Exchange): Promise<void> => {
  const { place, request, response, url } = exchange
  if (request.method === 'GET') {
    record(place.seen, request)
    return open(exchange)
  }
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const message = JSON.parse(await bodyOf(request)) as Message
  record(place.seen, request, message)
  if (url.pathname.endsWith('/sse')) return refusePost(exchange)
  const stream = place.streams.get(url.searchParams.get('session') ?? '')
  if (!stream) return void response.writeHead(404).end('No such session')
  if (!queryIsWhole(exchange)) return void response.writeHead(400).end(`The query is not the one given: ${url.search}`)
  await receive(exchange, stream, message)
}

const refusePost = ({ variant, response }: Exchange): void => {
  if (variant === 'post-never') return
  if (variant === 'post-400') return void response.writeHead(400, { 'Content-Type': 'text/plain' }).end('Bad Request')
  if (variant === 'post-405') return void response.writeHead(405, { Allow: 'GET' }).end()
  // Express's response for a route that only supports GET.
  response.writeHead(404, { 'Content-Type': 'text/html; charset=utf-8' }).end('<pre>Cannot POST /sse</pre>')
}

const open = async (exchange: Exchange): Promise<void> => {
  const { variant, place, response, url } = exchange
  if (!url.pathname.endsWith('/sse')) return void response.writeHead(404).end()
  if (variant === 'get-500') return void response.writeHead(500).end('stack overflow in line 7')
  if (variant === 'get-html')
    return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Welcome</title>')
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  response.flushHeaders()
  const session = randomUUID()
  place.streams.set(session, { response, answers: 0, received: 0 })
  response.once('close', () => place.streams.delete(session))
  if (variant === 'no-endpoint') return
  if (variant === 'json-endpoint') return void response.write(event(variant, log('no endpoint here')))
  if (variant === 'late-endpoint') {
    response.write(`: wait\n\n${event(variant, log('not yet'))}`)
    await pause(200, response)
  }
  response.write(endpointEvent(exchange, endpointOf(exchange, session)))
}

const endpointOf = ({ variant, url, strangerUrl, request }: Exchange, session: string): string => {
  const path = url.pathname.replace(/sse$/, 'messages')
  const query = `?session=${session}`
  switch (variant) {
    case 'relative':
      return `messages${query}`
    case 'absolute':
      return `http://${request.headers.host}${path}${query}`
    case 'query':
      return `${path}${query}&a=b%20c&redirect=%2Fx%3Fy%3D1&a=2`
    case 'other-origin':
      return `${strangerUrl}${path}${query}`
    case 'other-host': {
      const { hostname, port } = new URL(`http://${request.headers.host}`)
      return `http://${hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}${path}${query}`
    }
    case 'script-url':
      return 'javascript:alert(1)'
    case 'empty-endpoint':
      return ''
    default:
      return `${path}${query}`
  }
}

const queryIsWhole = ({ variant, url }: Exchange): boolean =>
  variant !== 'query' || url.search.endsWith('&a=b%20c&redirect=%2Fx%3Fy%3D1&a=2')

const endpointEvent = ({ variant }: Exchange, endpoint: string): string =>
  variant === 'crlf-bom'
    ? `\uFEFF: hello\r\n\r\nevent: endpoint\r\ndata: ${endpoint}\r\n\r\n`
    : `event: endpoint\ndata: ${endpoint}\n\n`

const event = (variant: SseVariant, message: object): string => {
  const json = JSON.stringify({ jsonrpc: '2.0', ...message })
  if (variant === 'unnamed-events') return `data: ${json}\n\n`
  if (variant !== 'crlf-bom') return `event: message\ndata: ${json}\n\n`
  // JSON strings contain no line breaks, and one between two tokens changes nothing.
  return `: keep-alive\r\n\r\nevent: message\r\n${json
    .replace(/^\{/, '{\n')
    .split('\n')
    .map((line) => `data: ${line}\r\n`)
    .join('')}\r\n`
}

const log = (data: string) => ({ method: 'notifications/message', params: { level: 'info', data } })

const receive = async (exchange: Exchange, stream: Stream, message: Message): Promise<void> => {
  const { variant, response } = exchange
  if (variant === 'message-400') return void response.writeHead(400).end('Invalid message')
  if (message.method === undefined) stream.answers++
  const answer = answerTo(exchange, message)
  if (variant === 'stream-first' && answer) {
    stream.response.write(event(variant, answer))
    await pause(50, response)
    return void response.writeHead(202).end()
  }
  if (variant.startsWith('message-') && variant !== 'message-202-body' && answer) {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...answer }))
    if (variant === 'message-both') stream.response.write(event(variant, answer))
    return
  }
  response.writeHead(202).end(variant === 'message-202-body' ? 'Accepted' : undefined)
  if (variant === 'two-endpoints' && stream.received++ === 1)
    stream.response.write('event: endpoint\ndata: /variant/two-endpoints/nowhere\n\n')
  if (!answer) return
  if (message.method === 'tools/call') await answerCall(exchange, stream, answer)
  else stream.response.write(event(variant, answer))
}

/** ms to wait for a client's responses, which may never come. */
const PATIENCE = 20_000

const answerCall = async ({ variant }: Exchange, stream: Stream, answer: object): Promise<void> => {
  const text = event(variant, answer)
  const { response } = stream
  if (variant === 'ends') return void response.end()
  if (variant === 'bad-json') return void response.write('event: message\ndata: {"jsonrpc":"2.0","id":\n\n')
  if (variant === 'cut') {
    response.write(text.slice(0, text.length / 2))
    await pause(READING_TIME, response)
    return void response.destroy()
  }
  if (variant === 'asks-back') {
    const settled = stream.answers + 2
    for (const method of ['ping', 'roots/list']) response.write(event(variant, { id: `s-${method}`, method }))
    for (let waited = 0; waited < PATIENCE && stream.answers < settled; waited += 5) await pause(5, response)
  }
  response.write(text)
}

const answerTo = ({ variant }: Exchange, { id, method }: Message): object | undefined => {
  if (id === undefined || method === undefined) return
  switch (method) {
    case 'initialize':
      return {
        id,
        result: {
          protocolVersion: '2024-11-05',
          capabilities: { tools: {}, logging: {} },
          serverInfo: { name: `sse ${variant}`, version: '1.0.0' },
        },
      }
    case 'ping':
      return { id, result: {} }
    case 'tools/list':
      return {
        id,
        result: { tools: [{ name: 't', description: `Shows ${variant}`, inputSchema: { type: 'object' } }] },
      }
    case 'tools/call':
      return { id, result: { content: [{ type: 'text', text: 'Grüße, 世界 🎈' }] } }
    default:
      return { id, error: { code: -32601, message: 'Method not found' } }
  }
}
