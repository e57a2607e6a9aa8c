/**
 * An MCP server, stateless and with handshake, that requires a token and has one tool `t`: the baseline of all kinds.
 */
import { complete, HANDSHAKES, MODERN, text, versionOf, type JsonObject, type Message } from '../eras/wire.ts'
import { SCOPES } from './authorization-server.ts'
import { addresses, bearer, type Exchange, type Reply } from './kind.ts'

const TOOL: JsonObject = { name: 't', description: 'Answers', inputSchema: { type: 'object' } }
const capabilities: JsonObject = { tools: {} }

export const mcp = (exchange: Exchange): Reply => {
  const refusal = guard(exchange)
  if (refusal) return refusal
  if (exchange.request.method !== 'POST') return { status: 405, headers: { Allow: 'POST' } }
  return answer(exchange.body)
}

/** RFC 6750 section 3: no `error` without a token. */
const guard = (exchange: Exchange): Reply | undefined => {
  const token = bearer(exchange)
  if (token !== undefined && exchange.world.access.has(token)) return
  const parameters = { resource_metadata: addresses(exchange.world)['resource-metadata'], scope: SCOPES[0] }
  const error = { error: 'invalid_token', error_description: 'Expired, or not from here' }
  return unauthorized(token === undefined ? parameters : { ...error, ...parameters })
}

/** The valid challenge with these parameters. */
export const bearerChallenge = (parameters: { readonly [name: string]: string | undefined }): string => {
  const quoted = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`],
  )
  return `Bearer ${quoted.join(', ')}`.trim()
}

export const unauthorized = (parameters: { readonly [name: string]: string | undefined }, status = 401): Reply => ({
  status,
  headers: { 'WWW-Authenticate': bearerChallenge(parameters), 'Content-Type': 'application/json' },
  body: { error: 'unauthorized' },
})

/** RFC 6750 section 3.1. */
export const insufficient = (exchange: Exchange, scope: string | undefined): Reply =>
  unauthorized(
    { error: 'insufficient_scope', scope, resource_metadata: addresses(exchange.world)['resource-metadata'] },
    403,
  )

const answer = (body: string): Reply => {
  const message = JSON.parse(body) as Message
  const { id, method, params } = message
  if (id === undefined || method === undefined) return { status: 202 }
  const modern = versionOf(message) !== undefined
  const say = (result: JsonObject, cached = false): Reply => ({
    status: 200,
    body: {
      jsonrpc: '2.0',
      id,
      result: modern ? complete(cached ? { ...result, ttlMs: 0, cacheScope: 'private' } : result) : result,
    },
  })
  const refuse = (code: number, words: string, status = 200): Reply => ({
    status,
    body: { jsonrpc: '2.0', id, error: { code, message: words } },
  })
  switch (method) {
    case 'server/discover':
      return say({ supportedVersions: [MODERN], capabilities }, true)
    case 'initialize': {
      const offered = params?.['protocolVersion'] as string
      const protocolVersion = HANDSHAKES.includes(offered) ? offered : HANDSHAKES.at(-1)!
      return say({ protocolVersion, capabilities, serverInfo: { name: 'hostile-oauth', version: '1.0.0' } })
    }
    case 'ping':
      return say({})
    case 'tools/list':
      return say({ tools: [TOOL] }, true)
    case 'tools/call':
      return params?.['name'] === 't' ? say(text('Let in')) : refuse(-32602, 'Unknown tool')
    default:
      return refuse(-32601, 'Method not found', modern ? 404 : 200)
  }
}
