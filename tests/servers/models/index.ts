/**
 * Model endpoints on loopback: OpenAI's Chat Completions and Anthropic's Messages API as documented, and the same with
 * faults. No model is behind them: their responses report the request.
 *
 *     <url>/<road>/<fault>/<key>/v1/chat/completions   and   …/v1/models, …/v1/messages
 *
 * road: `open` allows pages of other origins, `closed` sends no CORS header. fault: one of FAULTS. key: names the place
 * whose requests `GET <url>/seen/<key>` returns.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { allowPages, bodyOf, listen, pause, type Peer } from '../listening.ts'
import { anthropicAnswer, anthropicFault } from './anthropic.ts'
import { openaiAnswer, openaiFault } from './openai.ts'

export const FAULTS = [
  'none',
  /** Rejects any key. */
  'key',
  'busy',
  'broken',
  'page',
  'shape',
  /** JSON that isn't an object. */
  'array',
  'endless',
  'silent',
  'redirect',
  /** Accepts only `max_completion_tokens`. */
  'new-limit',
  'wrong-arguments',
  /** Repeats the key in its response. */
  'echo',
  'wordy',
] as const

export type Fault = (typeof FAULTS)[number]

export const API_KEY = 'sk-test-0123456789'

export interface Seen {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown> | undefined
}

export const start = async (): Promise<Peer> => {
  const seen = new Map<string, Seen[]>()
  return await listen(createServer((request, response) => void answer(request, response, seen)))
}

const answer = async (request: IncomingMessage, response: ServerResponse, seen: Map<string, Seen[]>) => {
  const [road = '', fault = '', key = '', ...rest] = (request.url ?? '').split('/').slice(1)
  if (road === 'seen') return send(response, 200, seen.get(fault) ?? [])
  if (road === 'open' && allowPages(request, response)) return
  const text = await bodyOf(request)
  const path = `/${rest.join('/')}`
  const body = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>)
  seen.set(key, [...(seen.get(key) ?? []), { path, headers: request.headers, body }])
  const anthropic = path === '/v1/messages' || request.headers['anthropic-version'] !== undefined
  const refuse = anthropic ? anthropicFault : openaiFault
  const given = anthropic ? request.headers['x-api-key'] : request.headers.authorization?.replace(/^Bearer /, '')
  switch (fault as Fault) {
    case 'busy':
      response.setHeader('Retry-After', '7')
      response.setHeader('Access-Control-Expose-Headers', 'Retry-After')
      return send(response, 429, refuse('rate_limit_error', 'Too many requests'))
    case 'broken':
      return send(response, 500, refuse('api_error', 'Out of order'))
    case 'page':
      return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>A page</title>')
    case 'shape':
      return send(response, 200, { id: 'x', choices: [] })
    case 'array':
      return send(response, 200, ['up'])
    case 'endless':
      return await endless(response)
    case 'silent':
      return
    case 'redirect':
      return void response.writeHead(307, { Location: `/open/none/led-astray${path}` }).end()
    case 'echo':
      return send(response, 400, refuse('invalid_request_error', `The key ${String(given)} is not used here`))
    case 'key':
      return send(response, 401, refuse('authentication_error', 'invalid x-api-key'))
    default:
  }
  if (given !== API_KEY) return send(response, 401, refuse('authentication_error', 'No such key'))
  if (path === '/v1/models')
    return send(response, 200, { data: [{ id: 'small-2' }, { id: 'large-1' }, { id: 'tiny' }] })
  if (path === '/v1/chat/completions') {
    if (fault === 'new-limit' && body?.['max_tokens'] !== undefined) {
      const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
      return send(response, 400, refuse('invalid_request_error', message))
    }
    return sendChecked(response, openaiAnswer(body ?? {}, fault), refuse)
  }
  if (path === '/v1/messages') return sendChecked(response, anthropicAnswer(body ?? {}, fault), refuse)
  return send(response, 404, refuse('not_found_error', `No such address: ${path}`))
}

const sendChecked = (
  response: ServerResponse,
  result: object | string,
  refuse: (type: string, message: string) => object,
) =>
  typeof result === 'string'
    ? send(response, 400, refuse('invalid_request_error', result))
    : send(response, 200, result)

const send = (response: ServerResponse, status: number, body: object) =>
  void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

const endless = async (response: ServerResponse) => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  const chunk = `"${'x'.repeat(65_536)}",`
  response.write('{"choices":[')
  while (!response.destroyed) {
    if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
    await pause(1, response)
  }
}
