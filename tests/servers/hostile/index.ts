/**
 * Our own server that misbehaves in one way at a time: `/h/<name>[/<key>]` does a correct handshake, lists one tool
 * `t`, and shows the fault `<name>` where it applies. `<key>` isolates tests. The names are in `behaviours.ts`.
 *
 * Controls, in Node on what `start` returns and over HTTP as in `control.ts`: `seen`, `reset`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { answerControl, record, type Seen } from '../control.ts'
import { allowPages, bodyOf, listen, type Peer } from '../listening.ts'
import { behaviours, type Behaviour } from './behaviours.ts'
import { listAnswers } from './lists.ts'
import { endSession, expire, initialize, listenTo, refuseSession } from './sessions.ts'
import { streamFaults } from './streams.ts'
import { beginEvents, event, json, makePlace, result, type Exchange, type Message, type Place } from './wire.ts'
import { wrongAnswers } from './wrong-answers.ts'

export interface HostilePeer extends Peer {
  /** The requests a place received, in order; a place is a path such as `/h/bad-json/my-test`. */
  seen(place: string): readonly Seen[]
  /** Clears a place's state. */
  reset(place: string): void
}

export const start = async (): Promise<HostilePeer> => {
  const places = new Map<string, Place>()
  const controls: Omit<HostilePeer, keyof Peer> = {
    seen: (path) => places.get(path)?.seen ?? [],
    reset: (path) => void places.delete(path),
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (await answerControl(request, response, controls)) return
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const name = /^\/h\/([\w-]+)/.exec(path)?.[1]
    // A mistyped name must not pass for a correct server.
    if (!isBehaviour(name)) return void response.writeHead(404).end(`No behaviour ${name}`)
    if (name === 'no-cors') {
      if (request.method === 'OPTIONS') return void response.writeHead(404).end()
    } else if (allowPages(request, response)) return
    if (name === 'hidden-session') response.removeHeader('Access-Control-Expose-Headers')
    const place = places.get(path) ?? makePlace()
    places.set(path, place)
    await serve(name, place, request, response)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  return { ...(await listen(server)), ...controls }
}

const isBehaviour = (name: string | undefined): name is Behaviour => name !== undefined && name in behaviours

const serve = async (
  name: Behaviour,
  place: Place,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (request.method !== 'POST') {
    record(place.seen, request)
    if (request.method === 'GET') return listenTo(name, place, request, response)
    if (request.method === 'DELETE') return endSession(name, place, request, response)
    return void response.writeHead(405).end()
  }
  const message = JSON.parse(await bodyOf(request)) as Message
  record(place.seen, request, message)
  const { id, method } = message
  if (method === 'initialize' && id !== undefined)
    return initialize(name, { place, request, response, message: { ...message, id } })
  if (refuseSession(place, request, response)) return
  if (method === undefined) place.answers.push(message)
  if (method === undefined || id === undefined) return void response.writeHead(202).end()
  await answer(name, { place, request, response, message: { ...message, id } })
}

const answer = async (name: Behaviour, exchange: Exchange): Promise<void> => {
  const { id, method } = exchange.message
  switch (method) {
    case 'ping':
      return json(exchange, { jsonrpc: '2.0', id, result: {} })
    case 'tools/list':
      return listTools(name, exchange)
    case 'tools/call': {
      if (expire(name, exchange)) return
      const fault = wrongAnswers[name] ?? streamFaults[name]
      return fault ? await fault(exchange) : json(exchange, result(id))
    }
    default:
      return json(exchange, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
  }
}

/** A limit for clients that fall into the loop. */
const MOST_LIST_CHANGES = 1000

const listTools = (name: Behaviour, exchange: Exchange): void => {
  const { place, response, message } = exchange
  const cursor = message.params?.cursor
  const odd = listAnswers[name]?.(typeof cursor === 'string' ? cursor : undefined)
  const head = { jsonrpc: '2.0', id: message.id }
  if (odd) return json(exchange, 'error' in odd ? { ...head, ...odd } : { ...head, result: odd })
  const tool = { name: 't', description: `Shows ${name}`, inputSchema: { type: 'object' } }
  const answer = { ...head, result: { tools: [tool] } }
  if (name !== 'list-changed-loop' || place.listChanges++ >= MOST_LIST_CHANGES) return json(exchange, answer)
  const changed = event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  for (const listener of place.listeners) listener.write(changed)
  if (place.listeners.size > 0) return json(exchange, answer)
  beginEvents(exchange)
  response.end(changed + event(answer))
}
