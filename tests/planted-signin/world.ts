/** A small MCP server and its authorization server on 127.0.0.1, without a fault unless a `Change` plants one. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parsedUrl } from '../../web/mcp/url.ts'
import { isObject, type Json } from '../../web/mcp/index.ts'
import { type Change, type Client, type Ctx, jsonReply, type Members, type Reply, textReply } from './change.ts'
import { McpServer, type Token } from './mcp-server.ts'

export interface World {
  readonly mcpUrl: string
  /** Ages all access tokens. */
  expire(): void
  close(): Promise<void>
}

const SCOPES = ['mcp:read', 'mcp:write', 'offline_access']
/** A client known beforehand: public, with any redirect URI. */
export const STATIC_CLIENT = 'static-client'
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }
const ALLOWED = 'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name'

const secret = (size = 24) => randomBytes(size).toString('base64url')
const parts = (scope: string | null): string[] => (scope ?? '').split(' ').filter((each) => each !== '')
const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

const membersOf = (raw: string): Members | undefined => {
  try {
    const value = JSON.parse(raw) as Json
    return isObject(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const writeChallenge = ({ scheme, params }: NonNullable<Reply['auth']>): string =>
  `${scheme} ${Object.entries(params)
    .map(([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&')}"`)
    .join(', ')}`.trim()

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const isRedirect = (uri: string): boolean => {
  const { hash, protocol, hostname } = parsedUrl(uri) ?? {}
  return (
    hash === '' &&
    (protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname ?? '')))
  )
}

export const start = async (change: Change): Promise<World> => {
  const { revisions = [] } = change
  const isOld = revisions.length === 1 && revisions[0] === '2025-03-26'
  const isOne = (change.layout ?? (isOld ? 'one' : 'two')) === 'one'
  const mcpHttp = createServer((request, response) => void serve(request, response, true))
  const asHttp = isOne ? mcpHttp : createServer((request, response) => void serve(request, response, false))
  const mcpOrigin = await listen(mcpHttp)
  const asOrigin = isOne ? mcpOrigin : await listen(asHttp)
  const { mcpPath = '/mcp', issuerPath = '' } = change
  const mcpUrl = mcpOrigin + mcpPath
  const issuer = asOrigin + issuerPath
  const prmAt =
    change.prmAt ?? (isOld ? [] : [`/.well-known/oauth-protected-resource${mcpPath === '/' ? '' : mcpPath}`])
  const metadataAt = change.metadataAt ?? [
    `/.well-known/oauth-authorization-server${issuerPath === '/' ? '' : issuerPath}`,
  ]
  const prmUrl = prmAt.length > 0 ? mcpOrigin + prmAt[0] : ''
  const paths = {
    authorize: '/authorize',
    token: '/token',
    register: '/register',
    revoke: '/revoke',
    ...change.endpoints,
  }

  const clients = new Map<string, Client>()
  clients.set(STATIC_CLIENT, { client_id: STATIC_CLIENT, redirect_uris: null, token_endpoint_auth_method: 'none' })
  const codes = new Map<string, { client: string; redirect: string; challenge: string; scopes: string[] }>()
  const tokens = new Map<string, Token>()
  const refreshTokens = new Map<string, { client: string; scopes: string[]; family: string; used: boolean }>()
  const mcpServer = new McpServer(change, tokens)

  const serve = async (request: IncomingMessage, response: ServerResponse, isMcp: boolean): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString('utf8')
    const json = membersOf(raw)
    const { method = 'GET', headers: requestHeaders } = request
    const url = new URL(request.url ?? '/', isMcp ? mcpOrigin : asOrigin)
    const form = new URLSearchParams(json ? '' : raw)
    const x: Ctx = { mcpUrl, mcpOrigin, asOrigin, issuer, prmUrl, method, url, requestHeaders, form, json }
    const reply = method === 'OPTIONS' ? textReply(204, '') : respond(x, isMcp)
    if (reply.auth) reply.headers['www-authenticate'] = writeChallenge(reply.auth)
    response.writeHead(reply.status, {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': ALLOWED,
      'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version',
      ...reply.headers,
    })
    response.end(reply.text ?? JSON.stringify(reply.body))
  }

  const respond = (x: Ctx, isMcp: boolean): Reply => {
    const { pathname } = x.url
    if (isMcp && pathname === mcpPath) return mcpServer.respond(x)
    if (isMcp && prmAt.includes(pathname)) {
      const reply = jsonReply(200, {
        resource: mcpUrl,
        authorization_servers: [issuer],
        scopes_supported: ['mcp:read', 'mcp:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Small world',
      })
      return change.prm?.(reply, x) ?? reply
    }
    if ((!isMcp || isOne) && metadataAt.includes(pathname)) {
      const reply = jsonReply(200, metadata())
      return change.metadata?.(reply, x) ?? reply
    }
    if (isMcp && !isOne && !change.endpointsAnywhere) return textReply(404, 'not here')
    if (pathname === paths.authorize) return authorize(x)
    if (pathname === paths.token) return token(x)
    if (pathname === paths.register) return register(x)
    return pathname === paths.revoke ? revoke(x) : textReply(404, 'not here')
  }

  const metadata = (): Members => ({
    issuer,
    authorization_endpoint: asOrigin + paths.authorize,
    token_endpoint: asOrigin + paths.token,
    registration_endpoint: asOrigin + paths.register,
    revocation_endpoint: asOrigin + paths.revoke,
    scopes_supported: ['mcp:read', 'mcp:write'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  })

  const register = (x: Ctx): Reply => {
    const early = change.refuseRegistration?.(x)
    if (early) return early
    const asked = x.json ?? {}
    const uris = Array.isArray(asked.redirect_uris) ? (asked.redirect_uris as readonly Json[]).map(String) : []
    if (uris.length === 0 || !uris.every(isRedirect)) return jsonReply(400, { error: 'invalid_redirect_uri' }, NO_STORE)
    const method = textOf(asked.token_endpoint_auth_method) ?? 'client_secret_basic'
    x.client = { client_id: `c-${secret(9)}`, redirect_uris: uris, token_endpoint_auth_method: method }
    if (method !== 'none') x.client.client_secret = secret()
    const reply = jsonReply(
      201,
      {
        ...{ grant_types: ['authorization_code'], response_types: ['code'] },
        ...asked,
        client_id: x.client.client_id,
        client_id_issued_at: Math.floor(Date.now() / 1000),
        token_endpoint_auth_method: method,
        ...(method === 'none' ? {} : { client_secret: x.client.client_secret, client_secret_expires_at: 0 }),
      },
      NO_STORE,
    )
    const changed = change.registration?.(reply, x) ?? reply
    clients.set(x.client.client_id, x.client)
    return changed
  }

  const clientOf = (id: string | null): Client | undefined => {
    const known = clients.get(id ?? '')
    if (known || !change.cimd || !/^https:\/\/[^/]+\/./.test(id ?? '')) return known
    return { client_id: id!, redirect_uris: null, token_endpoint_auth_method: 'none' }
  }

  const authorize = (x: Ctx): Reply => {
    const query = x.url.searchParams
    const client = clientOf(query.get('client_id'))
    const redirect = query.get('redirect_uri') ?? ''
    if (!client || redirect === '' || client.redirect_uris?.includes(redirect) === false) {
      return textReply(400, '<!doctype html><title>Not possible</title>', 'text/html; charset=utf-8')
    }
    const asked = parts(query.get('scope') ?? 'mcp:read').filter((scope) => SCOPES.includes(scope))
    const scopes = change.grant?.(asked) ?? asked
    const isUsable = query.get('response_type') === 'code' && query.get('code_challenge_method') === 'S256'
    const error = change.refuseAuthorize?.(x) ?? (isUsable ? undefined : 'invalid_request')
    const back = new URLSearchParams()
    if (error === undefined) {
      const code = change.makeCode?.() ?? secret()
      const challenge = query.get('code_challenge') ?? ''
      codes.set(code, { client: client.client_id, redirect, challenge, scopes })
      back.set('code', code)
    } else back.set('error', error)
    const state = query.get('state')
    if (state !== null) back.set('state', state)
    back.set('iss', issuer)
    change.authorize?.(back, x)
    const location = `${redirect}${redirect.includes('?') ? '&' : '?'}${back}`
    const reply: Reply = { ...textReply(302, ''), headers: { location, 'cache-control': 'no-store' } }
    return change.authorizeReply?.(reply, x) ?? reply
  }

  const token = (x: Ctx): Reply => {
    const grant = x.form.get('grant_type') ?? ''
    const fail = (error: string, status = 400): Reply => {
      const reply = jsonReply(status, { error, error_description: 'the token request was refused' }, NO_STORE)
      return change.tokenError?.(reply, x) ?? reply
    }
    const basic = /^Basic (.+)$/i.exec(x.requestHeaders.authorization ?? '')?.[1]
    const [user, ...rest] = Buffer.from(basic ?? '', 'base64')
      .toString('utf8')
      .split(':')
    const id = basic === undefined ? x.form.get('client_id') : decodeURIComponent(user!)
    const given = basic === undefined ? x.form.get('client_secret') : decodeURIComponent(rest.join(':'))
    const client = clientOf(id)
    if (!client || (client.client_secret !== undefined && client.client_secret !== given))
      return fail('invalid_client', 401)
    x.client = client
    const early = change.refuseToken?.(x, grant)
    if (early !== undefined) return fail(early)
    if (grant === 'authorization_code') {
      const code = codes.get(x.form.get('code') ?? '')
      codes.delete(x.form.get('code') ?? '')
      const hash = createHash('sha256')
        .update(x.form.get('code_verifier') ?? '')
        .digest('base64url')
      if (
        code?.client !== client.client_id ||
        code.redirect !== x.form.get('redirect_uri') ||
        hash !== code.challenge
      ) {
        return fail('invalid_grant')
      }
      const reply = issue(client, code.scopes, secret(6), change.firstTtl ?? 3600)
      return change.token?.(reply, x) ?? reply
    }
    return grant === 'refresh_token' ? refresh(x, client, fail) : fail('unsupported_grant_type')
  }

  const refresh = (x: Ctx, client: Client, fail: (error: string) => Reply): Reply => {
    const old = x.form.get('refresh_token') ?? ''
    const held = refreshTokens.get(old)
    const keeps = change.keepRefresh === true && client.client_secret !== undefined
    if (held?.client !== client.client_id || (held.used && !keeps && !change.lax?.keepRefresh))
      return fail('invalid_grant')
    held.used = true
    x.oldRefresh = old
    const reply = issue(client, held.scopes, held.family, 3600)
    if (keeps) delete reply.body.refresh_token
    return change.refresh?.(reply, x) ?? reply
  }

  const issue = (client: Client, scopes: string[], family: string, ttl: number): Reply => {
    const accessToken = change.makeToken?.() ?? secret()
    tokens.set(accessToken, { scopes, expires: Date.now() + ttl * 1000, family })
    const body: Members = { access_token: accessToken, token_type: 'Bearer', expires_in: ttl, scope: scopes.join(' ') }
    if (!change.noRefreshToken) {
      const refreshToken = secret()
      body.refresh_token = refreshToken
      refreshTokens.set(refreshToken, { client: client.client_id, scopes, family, used: false })
    }
    return jsonReply(200, body, NO_STORE)
  }

  const revoke = (x: Ctx): Reply => {
    const value = x.form.get('token') ?? ''
    const family = tokens.get(value)?.family ?? refreshTokens.get(value)?.family
    if (family !== undefined && !change.lax?.keepRevoked) {
      for (const list of [tokens, refreshTokens])
        for (const [key, each] of list) if (each.family === family) list.delete(key)
    }
    const reply = { ...textReply(200, ''), headers: { ...NO_STORE } }
    return change.revoke?.(reply, x) ?? reply
  }

  return {
    mcpUrl,
    expire: () => {
      for (const each of tokens.values()) each.expires = 0
    },
    close: async () => {
      for (const server of new Set([mcpHttp, asHttp])) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}
