/**
 * Our own servers, stateless, with handshake, and everything in between, one kind at a time: `/<kind>[/<key>]`, where
 * `<key>` isolates tests. The kinds are in `kinds.ts`; those limited to another transport aren't here.
 *
 * `/garbage[/<key>]?kind=<name>` and its settings are in `../garbage-kinds.ts`.
 *
 * Controls, in Node on what `start` returns and over HTTP as in `control.ts`: `seen`, `reset`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { answerControl, record, type Seen } from '../control.ts'
import { allowPages, bodyOf, listen, pause, type Peer } from '../listening.ts'
import { garbageKind } from './garbage.ts'
import { kinds } from './kinds.ts'
import { batches, collect, handle } from './serve.ts'
import { makePlace, type Exchange, type Kind, type Message, type Place } from './wire.ts'

export interface ErasPeer extends Peer {
  /** The requests a place received, in order; a place is a path such as `/good-both/my-test`. */
  seen(place: string): readonly Seen[]
  reset(place: string): void
}

export const start = async (): Promise<ErasPeer> => {
  const places = new Map<string, Place>()
  const controls: Omit<ErasPeer, keyof Peer> = {
    seen: (path) => places.get(path)?.seen ?? [],
    reset: (path) => void places.delete(path),
  }
  const serveOne = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (await answerControl(request, response, controls)) return
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const name = path.split('/')[1] ?? ''
    const kind = name === 'garbage' ? garbageKind(searchParams) : Object.hasOwn(kinds, name) ? kinds[name] : undefined
    // A mistyped name must not pass for a correct server.
    if (!kind || kind.only === 'stdio') return void response.writeHead(404).end(`No kind ${path}`)
    if (answerPreflight(kind, request, response)) return
    const place = places.get(path) ?? makePlace()
    places.set(path, place)
    await serve(kind, place, request, response)
  }
  const server = createServer((request, response) => {
    serveOne(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  return { ...(await listen(server)), ...controls }
}

const answerPreflight = (kind: Kind, request: IncomingMessage, response: ServerResponse): boolean => {
  const { preflight } = kind
  if (request.method === 'OPTIONS' && preflight !== undefined) {
    if (preflight === null) response.writeHead(404).end()
    else {
      const allowed = { 'Access-Control-Allow-Headers': preflight, 'Access-Control-Allow-Private-Network': 'true' }
      const methods = { 'Access-Control-Allow-Methods': 'GET, POST, DELETE', 'Access-Control-Allow-Origin': '*' }
      response.writeHead(204, { ...allowed, ...methods }).end()
    }
    return true
  }
  const answered = allowPages(request, response)
  if (!answered) response.setHeader('Access-Control-Expose-Headers', '*')
  return answered
}

const serve = async (kind: Kind, place: Place, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = request.method === 'POST' ? await bodyOf(request) : ''
  const message = body === '' ? undefined : (JSON.parse(body) as Message | Message[])
  record(place.seen, request, message)
  if (kind.gate?.(request, response, place)) return
  if (message === undefined) return void response.writeHead(405, { Allow: 'POST' }).end()
  if (kind.batch !== undefined && (Array.isArray(message) || message.method !== 'initialize'))
    return serveBatch(kind, place, Array.isArray(message) ? message : [message], request, response)
  if (Array.isArray(message)) {
    const error = { code: -32600, message: 'Batches are not for this revision' }
    return sendJson(response, { jsonrpc: '2.0', error }, 400)
  }
  await handle(kind, exchangeFor(message, place, request, response))
}

const exchangeFor = (message: Message, place: Place, request: IncomingMessage, response: ServerResponse): Exchange => {
  const { id } = message
  const raw = (text: string | Uint8Array) => {
    if (!response.headersSent) beginEvents(response)
    if (response.writableEnded) return
    if (typeof text === 'string') return void response.write(`data: ${text.replaceAll('\n', '\ndata: ')}\n\n`)
    response.write('data: ')
    response.write(text)
    response.write('\n\n')
  }
  const say = (each: object) => raw(JSON.stringify({ jsonrpc: '2.0', ...each }))
  const settle = (answer: object, status = 200) => {
    if (!response.headersSent) return sendJson(response, { jsonrpc: '2.0', ...answer }, status)
    say(answer)
    response.end()
  }
  return {
    message,
    place,
    say,
    raw,
    answer: (result) => settle({ id, result }),
    refuse: (code, words, { data, status } = {}) => settle({ id, error: { code, message: words, data } }, status),
    finish: () => {
      // No response written: 202 is the protocol's response to a notification.
      if (!response.headersSent) response.writeHead(202)
      response.end()
    },
    die: () => void response.destroy(),
    pause: async (ms) => {
      await pause(ms, response)
      return !response.destroyed
    },
    onGone: (then) => void response.once('close', then),
    http: { request, response },
  }
}

const serveBatch = async (
  kind: Kind,
  place: Place,
  messages: Message[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const exchanges = messages.map((message) => exchangeFor(message, place, request, response))
  const parts = batches(kind, await collect(kind, exchanges))
  if (parts.length === 0) return void response.writeHead(202).end()
  if (kind.batch === 'array') return sendJson(response, parts[0]!)
  beginEvents(response)
  for (const part of parts) {
    response.write(`data: ${JSON.stringify(part)}\n\n`)
    if (kind.batch === 'parts') await pause(20, response)
  }
  response.end()
}

const beginEvents = (response: ServerResponse): void => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  response.flushHeaders()
}

const sendJson = (response: ServerResponse, body: object, status = 200): void =>
  void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
