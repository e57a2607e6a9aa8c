/** Faults of a session: how it opens, how its GET stream behaves, how it ends. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Behaviour } from './behaviours.ts'
import { resume } from './streams.ts'
import { beginEvents, event, json, logMessage, type Exchange, type Fault, type Json, type Place } from './wire.ts'

const NEWEST = '2025-11-25'

const initialized = (exchange: Exchange, version = NEWEST, differing: { [key: string]: Json } = {}): Json => {
  const { place, response, message } = exchange
  const session = randomUUID()
  place.sessions.add(session)
  response.setHeader('Mcp-Session-Id', session)
  return {
    jsonrpc: '2.0',
    id: message.id,
    result: {
      protocolVersion: version,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'hostile', version: '1.0.0' },
      ...differing,
    },
  }
}

const initializeFaults: Partial<Record<Behaviour, Fault>> = {
  'init-html': (exchange) => json(exchange, '<!doctype html><title>Welcome</title>', 200, 'text/html'),
  'init-404': (exchange) => json(exchange, 'No route for POST', 404, 'text/plain'),
  'init-error': (exchange) => json(exchange, refusal(exchange, { code: -32603, message: 'No database' })),
  'init-error-unsupported': (exchange) => {
    if (exchange.message.params?.protocolVersion !== NEWEST) return json(exchange, initialized(exchange, '2025-06-18'))
    const data = { supported: ['2024-11-05', '2025-06-18'], requested: NEWEST }
    json(exchange, refusal(exchange, { code: -32602, message: 'Unsupported protocol version', data }))
  },
  'init-older': (exchange) => json(exchange, initialized(exchange, '2024-11-05')),
  'init-unknown-version': (exchange) => json(exchange, initialized(exchange, '1999-01-01')),
  'init-never': () => {},
  'empty-info': (exchange) => {
    const capabilities = { tools: {}, sampling: {}, 'x-odd': [1] }
    json(exchange, initialized(exchange, NEWEST, { serverInfo: { name: '', version: '' }, capabilities }))
  },
  'notification-before-init-answer': (exchange) => {
    const answer = initialized(exchange)
    beginEvents(exchange)
    exchange.response.end(event(logMessage('early')) + event(answer))
  },
}

const refusal = ({ message }: Exchange, error: Json): Json => ({ jsonrpc: '2.0', id: message.id, error })

export const initialize = (name: Behaviour, exchange: Exchange): void | Promise<void> => {
  const fault = initializeFaults[name]
  if (fault) return fault(exchange)
  json(exchange, initialized(exchange))
}

/** @returns whether the request was rejected: 400 without a session ID, 404 with an unknown or expired one */
export const refuseSession = (place: Place, request: IncomingMessage, response: ServerResponse): boolean => {
  const session = request.headers['mcp-session-id']
  if (typeof session === 'string' && place.sessions.has(session)) return false
  json({ response }, 'Bad Request: no valid session ID', session === undefined ? 400 : 404, 'text/plain')
  return true
}

/** @returns whether the session was ended just now, and the request rejected because of that */
export const expire = (name: Behaviour, { place, request, response }: Exchange): boolean => {
  if ((name !== 'session-404-once' && name !== 'session-400') || place.expired) return false
  place.expired = true
  place.sessions.delete(String(request.headers['mcp-session-id']))
  const message = 'Bad Request: No valid session ID provided'
  if (name === 'session-404-once') response.writeHead(404).end()
  else json({ response }, { jsonrpc: '2.0', id: null, error: { code: -32000, message } }, 400)
  return true
}

export const listenTo = (name: Behaviour, place: Place, request: IncomingMessage, response: ServerResponse): void => {
  if (name === 'get-never') return
  const status = /^get-(\d{3})$/.exec(name)?.[1]
  if (status !== undefined) return void response.writeHead(Number(status)).end()
  if (refuseSession(place, request, response)) return
  const lastEventId = request.headers['last-event-id']
  if (typeof lastEventId === 'string') return resume(place, lastEventId, response)
  beginEvents({ response })
  if (name === 'get-events') response.write(event(logMessage('unasked')))
  place.listeners.add(response)
  response.once('close', () => place.listeners.delete(response))
}

export const endSession = (name: Behaviour, place: Place, request: IncomingMessage, response: ServerResponse): void => {
  if (name === 'delete-never') return
  if (name === 'delete-405') return void response.writeHead(405).end()
  if (refuseSession(place, request, response)) return
  place.sessions.delete(String(request.headers['mcp-session-id']))
  response.writeHead(204).end()
}
