/**
 * A correct authorization server that grants consent automatically: the baseline of all kinds.
 * It accepts the client `by-hand` without registration, at any redirect URI on loopback.
 */
import {
  addresses,
  count,
  keep,
  push,
  resourceOf,
  type Client,
  type Door,
  type Exchange,
  type Grant,
  type Json,
  type JsonObject,
  type Reply,
  type Secret,
  type World,
} from './kind.ts'

export const SCOPES = ['mcp:read', 'mcp:write']

const BY_HAND = 'by-hand'

/** 128 random bits with a prefix, so that tests can find them wherever they end up. */
export const random = (prefix: string): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `${prefix}-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

export const remember = (world: World, door: Door, what: Secret['what'], value: string): string => {
  push(world.secrets, { what, door, value })
  return value
}

export const resourceMetadata = ({ world, door }: Exchange): JsonObject => ({
  resource: resourceOf(world),
  authorization_servers: [addresses(world, door).issuer],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
})

export const serverMetadata = ({ world, door }: Exchange): JsonObject => {
  const { issuer, authorize, token, register, revoke } = addresses(world, door)
  return {
    issuer,
    authorization_endpoint: authorize,
    token_endpoint: token,
    registration_endpoint: register,
    revocation_endpoint: revoke,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: [...SCOPES, 'offline_access'],
    authorization_response_iss_parameter_supported: true,
  }
}

const ok = (body: Json, status = 200): Reply => ({ status, headers: { 'Cache-Control': 'no-store' }, body })

const refuse = (error: string, error_description: string, status = 400): Reply => ({
  status,
  headers: { 'Cache-Control': 'no-store' },
  body: { error, error_description },
})

/** RFC 8707 section 2. */
const isResource = (world: World, resource: string | null): boolean =>
  resource === addresses(world).mcp || resource === resourceOf(world)

const isLoopback = (uri: string) => /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(uri)

/** RFC 7591 section 3. */
export const register = ({ world, door, body }: Exchange): Reply => {
  let asked: { [key: string]: Json }
  try {
    asked = JSON.parse(body) as { [key: string]: Json }
  } catch {
    return refuse('invalid_client_metadata', 'That is no JSON')
  }
  const uris = asked['redirect_uris']
  if (!Array.isArray(uris) || uris.length === 0) return refuse('invalid_redirect_uri', 'redirect_uris is missing')
  const redirectUris = uris.map(String)
  if (!redirectUris.every((uri) => isLoopback(uri) || uri.startsWith('https://')))
    return refuse('invalid_redirect_uri', 'Redirect URIs are https, or http on loopback')
  const method = (asked['token_endpoint_auth_method'] ?? 'client_secret_basic') as string
  return ok(registered(world, door, { redirectUris, method }, asked), 201)
}

/** Creates a client and returns its registration. */
export const registered = (
  world: World,
  door: Door,
  { redirectUris, method, id, secret }: { redirectUris: string[]; method: string; id?: string; secret?: string },
  asked: JsonObject,
): JsonObject => {
  const grants = asked['grant_types']
  const client: Client = {
    id: id ?? random('client'),
    redirectUris,
    method,
    secret: method === 'none' ? undefined : remember(world, door, 'client-secret', secret ?? random('secret')),
    refreshes: Array.isArray(grants) && grants.includes('refresh_token'),
  }
  keep(world.clients, client.id, client)
  return {
    ...asked,
    client_id: client.id,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    redirect_uris: redirectUris,
    token_endpoint_auth_method: method,
    ...(client.secret === undefined ? {} : { client_secret: client.secret, client_secret_expires_at: 0 }),
  }
}

const clientOf = ({ clients }: World, id: string | null): Client | undefined =>
  id === BY_HAND ? { id, redirectUris: [], method: 'none', secret: undefined, refreshes: true } : clients.get(id ?? '')

/** RFC 6749 section 4.1.1, RFC 7636, RFC 8707, RFC 9207. */
export const authorize = ({ world, door, query }: Exchange): Reply => {
  const client = clientOf(world, query.get('client_id'))
  const redirectUri = query.get('redirect_uri') ?? ''
  // Without a trusted redirect URI, show a page instead of redirecting: RFC 6749 section 4.1.2.1.
  const page = (text: string): Reply => ({ status: 400, headers: { 'Content-Type': 'text/plain' }, text })
  if (!client) return page('Unknown client')
  if (client.id === BY_HAND ? !isLoopback(redirectUri) : !client.redirectUris.includes(redirectUri))
    return page('This redirect URI is not registered')

  const back = (parameters: { [name: string]: string }): Reply => {
    const location = new URL(redirectUri)
    for (const [name, value] of Object.entries(parameters)) location.searchParams.append(name, value)
    const state = query.get('state')
    if (state !== null) location.searchParams.append('state', state)
    location.searchParams.append('iss', addresses(world, door).issuer)
    return { status: 302, headers: { Location: location.href, 'Cache-Control': 'no-store' } }
  }
  const fail = (error: string, error_description: string) => back({ error, error_description })
  if (query.get('response_type') !== 'code') return fail('unsupported_response_type', 'Only code')
  const challenge = query.get('code_challenge')
  if (!challenge || query.get('code_challenge_method') !== 'S256') return fail('invalid_request', 'PKCE with S256')
  if (!isResource(world, query.get('resource'))) return fail('invalid_target', 'resource is another server')
  const code = remember(world, door, 'code', random('code'))
  const scope = query.get('scope') ?? SCOPES[0]!
  keep(world.codes, code, { client: client.id, scope, redirectUri, challenge, family: code })
  count(world, 'codes')
  return back({ code })
}

/** RFC 6749 section 2.3.1: both parts are form-encoded within Basic. */
const readBasic = (header: string): [id: string, secret: string] | undefined => {
  const encoded = /^Basic (.+)$/i.exec(header)?.[1]
  if (encoded === undefined) return
  const parts = atob(encoded).split(':')
  const decode = (part: string) => new URLSearchParams(`v=${part}`).get('v') ?? ''
  return [decode(parts[0] ?? ''), decode(parts.slice(1).join(':'))]
}

/** The client, if it authenticates as registered; otherwise the reason for the failure. */
const authenticate = ({ world, request }: Exchange, form: URLSearchParams): Client | string => {
  const basic = readBasic(request.headers.authorization ?? '')
  const client = clientOf(world, basic?.[0] ?? form.get('client_id'))
  if (!client) return 'Unknown client'
  const used = basic ? 'client_secret_basic' : form.has('client_secret') ? 'client_secret_post' : 'none'
  if (used !== client.method) return `This client was registered with ${client.method}, not ${used}`
  if (used !== 'none' && (basic?.[1] ?? form.get('client_secret')) !== client.secret) return 'Wrong secret'
  return client
}

const challengeOf = async (verifier: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const binary = String.fromCharCode(...new Uint8Array(digest))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** RFC 6749 sections 4.1.3 and 6. */
export const token = async (exchange: Exchange): Promise<Reply> => {
  const { world, door } = exchange
  const form = new URLSearchParams(exchange.body)
  const verifier = form.get('code_verifier')
  if (verifier) remember(world, door, 'verifier', verifier)
  const client = authenticate(exchange, form)
  if (typeof client === 'string') return refuse('invalid_client', client, 401)
  if (!isResource(world, form.get('resource'))) return refuse('invalid_target', 'resource is another server')
  switch (form.get('grant_type')) {
    case 'authorization_code': {
      const code = form.get('code') ?? ''
      const grant = take(world, world.codes, code)
      if (!grant || grant.client !== client.id) return refuse('invalid_grant', 'This code was used, or is unknown')
      const redirectUri = form.get('redirect_uri')
      if (redirectUri !== null && redirectUri !== grant.redirectUri) return refuse('invalid_grant', 'redirect_uri')
      if ((await challengeOf(verifier ?? '')) !== grant.challenge) return refuse('invalid_grant', 'code_verifier')
      return ok(issue(world, door, grant, client.refreshes))
    }
    case 'refresh_token': {
      const grant = take(world, world.refresh, form.get('refresh_token') ?? '')
      if (!grant || grant.client !== client.id) return refuse('invalid_grant', 'This refresh token was used')
      const scope = form.get('scope') ?? grant.scope
      const wider = scope.split(' ').some((each) => !grant.scope.split(' ').includes(each))
      if (wider) return refuse('invalid_scope', 'More than was granted')
      return ok(issue(world, door, { ...grant, scope }, true))
    }
    default:
      return refuse('unsupported_grant_type', 'authorization_code and refresh_token')
  }
}

/** Works once. A second use revokes everything issued from it (RFC 6749 section 4.1.2, RFC 9700 section 4.14.2). */
const take = (world: World, from: Map<string, Grant>, value: string): Grant | undefined => {
  const grant = from.get(value)
  from.delete(value)
  if (grant) keep(world.used, value, grant.family)
  else endFamily(world, world.used.get(value))
  return grant
}

const endFamily = (world: World, family: string | undefined): void => {
  for (const tokens of [world.access, world.refresh])
    for (const [value, grant] of tokens) if (grant.family === family) tokens.delete(value)
}

/** @param accessToken a token in a custom form */
export const issue = (
  world: World,
  door: Door,
  grant: Grant,
  refreshes: boolean,
  accessToken = random('access'),
): JsonObject => {
  keep(world.access, remember(world, door, 'access-token', accessToken), grant)
  const refresh = refreshes ? remember(world, door, 'refresh-token', random('refresh')) : undefined
  if (refresh !== undefined) keep(world.refresh, refresh, grant)
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: 3600,
    ...(refresh === undefined ? {} : { refresh_token: refresh }),
    scope: grant.scope,
  }
}

/** RFC 7009: unknown tokens aren't an error. */
export const revoke = (exchange: Exchange): Reply => {
  const { world, body } = exchange
  const form = new URLSearchParams(body)
  const client = authenticate(exchange, form)
  if (typeof client === 'string') return refuse('invalid_client', client, 401)
  const value = form.get('token') ?? ''
  const grant = world.refresh.get(value) ?? world.access.get(value)
  if (world.refresh.has(value)) endFamily(world, grant?.family)
  world.access.delete(value)
  return { status: 200 }
}
