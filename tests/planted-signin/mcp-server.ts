/** The MCP server of a world: it refuses requests without a valid token, and has one tool. */
import { randomUuid } from '../../web/mcp/web-crypto.ts'
import { isObject, type Json, type JsonObject } from '../../web/mcp/index.ts'
import { type Change, type Ctx, jsonReply, type Members, type Reply, textReply } from './change.ts'

export interface Token {
  readonly scopes: readonly string[]
  expires: number
  readonly family: string
}

const MODERN = '2026-07-28'
const VERSION = 'io.modelcontextprotocol/protocolVersion'
const SERVER = { name: 'small-world', version: '1.0.0' }
const TOOL = {
  name: 'echo',
  description: 'Says the text again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

const objectAt = (value: JsonObject | Members | undefined, name: string): JsonObject | undefined => {
  const member = value?.[name]
  return isObject(member) ? member : undefined
}

const result = (id: Json | undefined, value: JsonObject): Reply => jsonReply(200, { jsonrpc: '2.0', id, result: value })

const failure = (status: number, id: Json | undefined, code: number, message: string, data?: JsonObject): Reply =>
  jsonReply(status, { jsonrpc: '2.0', id, error: { code, message, ...(data ? { data } : {}) } })

export class McpServer {
  readonly #change: Change
  readonly #tokens: ReadonlyMap<string, Token>
  readonly #sessions = new Set<string>()

  constructor(change: Change, tokens: ReadonlyMap<string, Token>) {
    this.#change = change
    this.#tokens = tokens
  }

  respond(x: Ctx): Reply {
    const { lax, stepUp, forbidden } = this.#change
    const given = /^Bearer +(\S+)$/i.exec(x.requestHeaders.authorization ?? '')?.[1]
    const value = given ?? (lax?.queryToken ? x.url.searchParams.get('access_token') : null)
    if (value === null) return this.#refuse(x, 'missing')
    const token = this.#tokens.get(value)
    if (!lax?.anyToken) {
      if (!token) return this.#refuse(x, 'invalid')
      if (token.expires <= Date.now()) return this.#refuse(x, 'expired')
    }
    const isCall = x.json?.method === 'tools/call'
    const lacks = stepUp === true && token?.scopes.includes('mcp:write') !== true
    if (isCall && (lacks || lax?.scope)) {
      x.reason = 'scope'
      const error = { error: 'insufficient_scope', error_description: 'Calling a tool needs mcp:write' }
      const params = { realm: 'mcp', ...error, scope: 'mcp:read mcp:write', ...this.#metadataOf(x) }
      const reply = { ...textReply(403, 'Insufficient scope'), auth: { scheme: 'Bearer', params } }
      return forbidden?.(reply, x) ?? reply
    }
    return this.#rpc(x)
  }

  #metadataOf({ prmUrl }: Ctx): Record<string, string> {
    return prmUrl === '' ? {} : { resource_metadata: prmUrl }
  }

  #refuse(x: Ctx, reason: 'missing' | 'invalid' | 'expired'): Reply {
    x.reason = reason
    const error: Record<string, string> = { error: 'invalid_token', error_description: `The access token is ${reason}` }
    const named = this.#metadataOf(x)
    const scope: Record<string, string> = x.prmUrl === '' ? {} : { scope: 'mcp:read' }
    const params: Record<string, string> = { realm: 'mcp', ...(reason === 'missing' ? {} : error), ...named, ...scope }
    const reply = { ...textReply(401, 'Authorization is needed'), auth: { scheme: 'Bearer', params } }
    return this.#change.challenge?.(reply, x) ?? reply
  }

  #rpc(x: Ctx): Reply {
    const { revisions = [] } = this.#change
    const [revision = MODERN] = revisions
    const session = String(x.requestHeaders['mcp-session-id'] ?? '')
    if (x.method === 'DELETE') return textReply(this.#sessions.delete(session) ? 204 : 404, '')
    if (x.method !== 'POST' || !x.json) return { ...textReply(405, 'POST only'), headers: { allow: 'POST, DELETE' } }
    const { id, method } = x.json
    const asked = objectAt(objectAt(x.json, 'params'), '_meta')?.[VERSION]
    if (revision === MODERN) return this.#modern(x.json, asked)
    if (asked !== undefined || method === 'server/discover')
      return failure(400, id, -32600, 'no session: initialize first')
    if (method === 'initialize') {
      const name = randomUuid()
      this.#sessions.add(name)
      const reply = result(id, { protocolVersion: revision, capabilities: { tools: {} }, serverInfo: SERVER })
      reply.headers['mcp-session-id'] = name
      return reply
    }
    if (!this.#sessions.has(session)) return failure(404, id, -32600, 'session not found')
    if (id === undefined) return textReply(202, '')
    return this.#method(x.json, {}, {})
  }

  #modern(message: Members, asked: Json | undefined): Reply {
    const { id, method } = message
    if (asked !== MODERN) {
      const data = { supported: [MODERN], requested: asked ?? '' }
      return failure(400, id, -32022, 'unsupported protocol version', data)
    }
    const extra = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': SERVER } }
    const cache = { ttlMs: 0, cacheScope: 'private' }
    if (method === 'server/discover') {
      return result(id, { ...extra, ...cache, supportedVersions: [MODERN], capabilities: { tools: {} } })
    }
    return this.#method(message, extra, cache)
  }

  #method(message: Members, extra: JsonObject, cache: JsonObject): Reply {
    const { id, method } = message
    const text = objectAt(objectAt(message, 'params'), 'arguments')?.text ?? ''
    if (method === 'tools/list') return result(id, { ...extra, ...cache, tools: [TOOL] })
    if (method === 'tools/call') return result(id, { ...extra, content: [{ type: 'text', text }] })
    if (method === 'ping') return result(id, {})
    return failure(extra.resultType === undefined ? 200 : 404, id, -32601, 'method not found')
  }
}
