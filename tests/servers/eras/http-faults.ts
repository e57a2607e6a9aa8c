/** Faults possible over HTTP only: statuses, bodies that aren't messages, preflights. */
import type { ServerResponse } from 'node:http'
import { count, versionOf, type Handler, type Kind, type Kinds } from './wire.ts'

type Reply = (response: ServerResponse) => void

const reply =
  (status: number, body = '', headers: { [name: string]: string } = {}): Reply =>
  (response) => {
    response.writeHead(status, body === '' ? headers : { 'Content-Type': 'text/plain', ...headers }).end(body)
  }

const html = (status: number) =>
  reply(status, '<!doctype html><title>Nothing here</title>', { 'Content-Type': 'text/html' })
const json = (status: number, body: unknown) =>
  reply(status, JSON.stringify(body), { 'Content-Type': 'application/json' })
const rpcError = (code: number, id: unknown = null) => ({ jsonrpc: '2.0', id, error: { code, message: 'No' } })

/** For stateless requests, detected by their envelope; the handshake works. */
const toModern = (says: string, answer: Reply): Kind => ({
  says: `${says} to modern requests; speaks the handshake`,
  speaks: 'handshake',
  only: 'http',
  on: {
    '*': (({ message, http }) => {
      if (versionOf(message) === undefined || !http) return 'well'
      answer(http.response)
    }) satisfies Handler,
  },
})

const toAll = (says: string, answer: Reply): Kind => ({
  says,
  speaks: 'handshake',
  only: 'http',
  gate: (_, response) => (answer(response), true),
})

const REALM = 'Bearer realm="eras", resource_metadata="http://127.0.0.1:1/.well-known/oauth-protected-resource"'

export const httpFaults = {
  '400-empty': toModern('400 and no body', reply(400)),
  '400-text': toModern('400 with plain text', reply(400, 'Bad Request: no valid session ID')),
  '400-html': toModern('400 with a page', html(400)),
  '400-error-32600': toModern('400 with the error -32600', json(400, rpcError(-32600))),
  '400-error-32000': toModern('400 with the error -32000', json(400, rpcError(-32000))),
  '400-json': toModern('400 with JSON that is no message', json(400, { error: 'invalid_request' })),
  '404-bare': toModern('404 and no body', reply(404)),
  '404-text': toModern('404 that speaks of the session', reply(404, 'Session not found')),
  '405-bare': toModern('405', reply(405, '', { Allow: 'GET' })),
  '406-bare': toModern('406', reply(406)),
  '415-bare': toModern('415', reply(415)),
  '200-empty': toModern('200 and no body', reply(200)),
  '200-html': toModern('200 with a page', html(200)),
  '202-bare': toModern('202, as for a notification', reply(202)),
  '500-modern': toModern('500', reply(500, 'stack overflow in line 7')),
  '500-error': toModern('500 with the error -32603', json(500, rpcError(-32603))),
  '502-modern': toModern('502 with a page', html(502)),

  '202-null': {
    says: 'Accepts a notification with the JSON null; speaks the handshake',
    speaks: 'handshake',
    only: 'http',
    on: { 'notifications/initialized': ({ http }) => json(202, null)(http!.response) },
  },

  '400-always': toAll('400 and no body, to every method', reply(400)),
  '404-always': toAll('404 and no body, to every method', reply(404)),
  '405-always': toAll('405 to every method', reply(405)),
  '403-always': toAll('403 with plain text', reply(403, 'Forbidden')),
  '429-always': toAll('429 with Retry-After: 1', reply(429, 'Slow down', { 'Retry-After': '1' })),
  '503-always': toAll('503 with a page', html(503)),
  'hangs-always': toAll('Takes every request, and never says a word', () => {}),
  'breaks-always': toAll('Breaks every connection', (response) => void response.destroy()),
  '401-always': toAll('401 with WWW-Authenticate', reply(401, '', { 'WWW-Authenticate': REALM })),
  '401-until-token': {
    says: '401 with WWW-Authenticate to every request without a Bearer token; then speaks both eras',
    speaks: 'both',
    only: 'http',
    gate: ({ headers }, response) => {
      if (headers.authorization?.startsWith('Bearer ')) return false
      reply(401, '', { 'WWW-Authenticate': REALM })(response)
      return true
    },
  },
  '403-foreign-origin': {
    says: '403 to every request with an Origin; else speaks both eras',
    speaks: 'both',
    only: 'http',
    gate: ({ headers }, response) => {
      if (headers.origin === undefined) return false
      reply(403, 'Origin not allowed')(response)
      return true
    },
  },
  '500-after-first': {
    says: 'Answers one request, whatever it is, and 500 to all that follow; speaks the handshake',
    speaks: 'handshake',
    only: 'http',
    gate: ({ method }, response, place) => {
      if (method !== 'POST' || count(place, 'posts') === 1) return false
      reply(500, 'Already connected to a transport')(response)
      return true
    },
  },
  '307-elsewhere': {
    says: '307 to good-both beside it',
    speaks: 'both',
    only: 'http',
    gate: (_, response) => (reply(307, '', { Location: '/good-both/redirected' })(response), true),
  },
  'preflight-refused': {
    says: 'Preflights allow what the handshake needs and no more; speaks the handshake',
    speaks: 'handshake',
    only: 'http',
    preflight: 'Content-Type, Accept, Authorization, Mcp-Session-Id, MCP-Protocol-Version, Last-Event-ID',
  },
  'preflight-old': {
    says: 'Preflights allow Content-Type alone; speaks the handshake, at 2025-03-26',
    speaks: 'handshake',
    revision: '2025-03-26',
    only: 'http',
    preflight: 'Content-Type',
  },
  'preflight-404': {
    says: 'Preflights get 404 without a CORS header; speaks both eras',
    speaks: 'both',
    only: 'http',
    preflight: null,
  },
  'session-id': {
    says: 'A modern server that sends Mcp-Session-Id with every answer (TR-HTTP-31)',
    speaks: 'modern',
    only: 'http',
    gate: (_, response) => (response.setHeader('Mcp-Session-Id', 'no-such-thing'), false),
  },
  'stale-header': {
    says: 'The annotation of t is another after the first tools/list; tools/call wants the newest, else -32020 (TR-XH-08)',
    speaks: 'modern',
    only: 'http',
    on: {
      'tools/list': ({ place, answer }) => {
        const name = count(place, 'lists') === 1 ? 'Old' : 'New'
        const a = { type: 'string', 'x-mcp-header': name }
        const t = { name: 't', inputSchema: { type: 'object', properties: { a } } }
        answer({ resultType: 'complete', tools: [t], ttlMs: 60_000, cacheScope: 'private' })
      },
      'tools/call': ({ http, message, refuse }) => {
        const given = (message.params?.['arguments'] as { a?: string } | undefined)?.a
        if (http?.request.headers['mcp-param-new'] === given) return 'well'
        refuse(-32020, 'Header mismatch: Mcp-Param-New', { status: 400 })
      },
    },
  },
} as const satisfies Kinds
