/**
 * One authorization server: an unmodified oidc-provider, configured by its kind, with our pages and a log in front of
 * it.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { allowPages } from '../listening.ts'
import { addJwtBearer, addTokenExchange, resourceServer } from './assertions.ts'
import { clientsOf } from './clients.ts'
import type { IssuerKind, Part } from './issuer-kinds.ts'
import { privateJwk } from './jwt.ts'
import { MemoryStore } from './memory-store.ts'
import { DEFAULT_SCOPE, SCOPES } from './names.ts'
import { errorPage, serveInteraction } from './pages.ts'
import { loadProvider, type Provider } from './provider.ts'
import type { Endpoint, RequestLog } from './request-log.ts'
import type { World } from './world.ts'

export interface AuthorizationServer {
  readonly issuer: string
  /** @param path oidc-provider's path: without the issuer's path, with well-known paths appended */
  serve(path: string, request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Revokes the refresh tokens and codes for a resource. */
  endGrants(resource: string): void
}

interface Neighbours {
  readonly world: World
  readonly log: RequestLog
  /** Issuers of the kinds `idp` and `enterprise`. */
  readonly idp: string
  readonly enterprise: string
}

const day = 24 * 60 * 60

export const makeAuthorizationServer = async (
  issuer: string,
  kind: IssuerKind,
  { world, log, idp, enterprise }: Neighbours,
): Promise<AuthorizationServer> => {
  const { Provider, errors } = await loadProvider()
  const store = new MemoryStore()
  const mount = new URL(issuer).pathname.replace(/\/$/, '')
  const configuration: Configuration = {
    adapter: store.adapter,
    clients: clientsOf(kind, world),
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clientBasedCORS: (_ctx, origin, client) =>
      kind.closed !== 'own' ||
      (client.tokenEndpointAuthMethod === 'none' &&
        (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin)),
    clockTolerance: 0,
    // Cookies ignore ports: without distinct names, issuers would overwrite each other's cookies.
    cookies: { names: cookieNames(issuer), keys: [randomBytes(32).toString('base64url')] },
    discovery: kind.grants === 'enterprise' ? { authorization_grant_profiles_supported: [ID_JAG_PROFILE] } : {},
    expiresWithSession: () => false,
    extraClientMetadata: {
      properties: kind.only ? ['application_type'] : [],
      validator: (ctx: KoaContextWithOIDC | undefined, _key, value, metadata) => {
        // oidc-provider also validates known clients, outside of any request.
        if (!ctx || !kind.only || value === kind.only || !metadata.redirect_uris?.some(isLoopback)) return
        throw new errors.CustomOIDCProviderError(
          'invalid_redirect_uri',
          `application_type ${String(value)} may not redirect to loopback here; ${kind.only} may`,
        )
      },
    },
    features: {
      clientCredentials: { enabled: true },
      clientIdMetadataDocument: {
        enabled: kind.documents ?? false,
        ack: 'draft-02',
        cacheDuration: { min: 0, max: 0 },
      },
      devInteractions: { enabled: false },
      dPoP: {
        enabled: true,
        requireNonce: () => kind.nonces ?? false,
        ...(kind.nonces ? { nonceSecret: randomBytes(32) } : {}),
      },
      introspection: { enabled: true, allowedPolicy: (_ctx, client) => client.tokenEndpointAuthMethod !== 'none' },
      registration: { enabled: kind.registration },
      resourceIndicators: {
        enabled: true,
        ...(kind.routes ? { defaultResource: async () => issuer } : {}),
        getResourceServerInfo: async (_ctx, resource) => {
          const described = world.describe(resource)
          if (!described) throw new errors.InvalidTarget()
          return resourceServer(described)
        },
      },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: { enabled: false },
    },
    fetch: (url) => world.fetch(url),
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    interactions: { url: (_ctx, { uid }) => `${mount}/interaction/${uid}` },
    issueRefreshToken: async (_ctx, client, source) =>
      kind.refresh !== 'never' &&
      client.grantTypeAllowed('refresh_token') &&
      (kind.refresh === 'granted' || source.scopes.has('offline_access')),
    jwks: { keys: [privateJwk(world.keys.issuer)] },
    pkce: { required: () => true },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = 'html'
      ctx.body = errorPage(error, description)
    },
    responseTypes: ['code'],
    revokeGrantPolicy: (ctx) => !(ctx.oidc.route === 'revocation' && ctx.oidc.entities.AccessToken),
    rotateRefreshToken: true,
    routes: kind.routes ?? {},
    scopes: ['openid', 'offline_access', ...SCOPES],
    ttl: {
      AccessToken: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? 3600,
      AuthorizationCode: 60,
      ClientCredentials: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? 3600,
      Grant: day,
      IdToken: 3600,
      Interaction: 3600,
      RefreshToken: day,
      Session: day,
    },
  }
  const provider = new Provider(issuer, configuration)
  if (kind.grants === 'idp') await addTokenExchange(provider, world, enterprise)
  if (kind.grants === 'enterprise') await addJwtBearer(provider, world, idp)
  rememberTokens(provider, world)
  provider.use(async (ctx, next) => {
    const { url, method } = ctx.req
    const query = { ...ctx.query }
    // RFC 6749 section 3.3: a default scope if none is requested.
    if (ctx.path === (kind.routes?.authorization ?? '/auth') && query['scope'] === undefined && ctx.method === 'GET')
      ctx.query = { ...query, scope: DEFAULT_SCOPE }
    await next()
    const { oidc } = ctx as Partial<KoaContextWithOIDC>
    if (!oidc || method === 'OPTIONS') return
    const given = (ctx.body as { readonly client_id?: unknown } | undefined)?.client_id
    const client = oidc.client?.clientId ?? (typeof given === 'string' ? given : undefined)
    log.add({
      issuer: mount === '' ? '/' : mount,
      endpoint: endpointOf(oidc.route),
      method: method ?? '',
      url: url ?? '',
      headers: ctx.req.headers,
      parameters: { ...query, ...oidc.body },
      status: ctx.status,
      ...(client === undefined ? {} : { client }),
    })
  })
  const answer = provider.callback()

  return {
    issuer,
    serve: async (path, request, response) => {
      const { pathname } = new URL(path, issuer)
      const part = partOf(pathname, kind)
      if (part && kind.closed !== 'own') {
        if (!kind.closed.includes(part)) {
          if (allowPages(request, response)) return
          response.setHeader('Access-Control-Expose-Headers', 'WWW-Authenticate, DPoP-Nonce')
        } else {
          if (request.method === 'OPTIONS') return void response.writeHead(404).end()
          withholdCors(response)
        }
      }
      if (pathname.startsWith('/interaction/')) {
        if (kind.severs) response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
        return serveInteraction(provider, request, response)
      }
      Object.assign(request, { url: path, baseUrl: mount })
      await answer(request, response)
    },
    endGrants: (resource) =>
      store.deleteWhere(
        ({ model, payload }) =>
          (model === 'RefreshToken' || model === 'AuthorizationCode') && [payload.resource].flat().includes(resource),
      ),
  }
}

const ID_JAG_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag'

const cookieNames = (issuer: string) => {
  const own = createHash('sha256').update(issuer).digest('hex').slice(0, 8)
  return { session: `session_${own}`, interaction: `interaction_${own}`, resume: `resume_${own}` }
}

const isLoopback = (uri: string): boolean => /^(127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(uri).hostname)

const rememberTokens = (provider: Provider, world: World): void => {
  const remember = ({ aud, jti }: { aud?: string | string[]; jti: string }) => {
    for (const audience of [aud ?? []].flat()) world.issued(audience, jti)
  }
  provider.on('access_token.saved', remember)
  provider.on('access_token.issued', remember)
  provider.on('client_credentials.saved', remember)
  provider.on('client_credentials.issued', remember)
}

/** The route names are oidc-provider's. */
const endpointOf = (route: string): Endpoint => {
  switch (route) {
    case 'discovery':
      return 'metadata'
    case 'registration':
    case 'authorization':
    case 'token':
    case 'revocation':
    case 'introspection':
      return route
    default:
      return 'other'
  }
}

const partOf = (path: string, { routes }: IssuerKind): Part | undefined => {
  if (path.startsWith('/.well-known/') || path === '/jwks') return 'metadata'
  if (path === (routes?.registration ?? '/reg')) return 'registration'
  if (path === (routes?.token ?? '/token')) return 'token'
  if (path === '/token/revocation') return 'revocation'
  return undefined
}

/** Removes the CORS headers that oidc-provider sets by default. */
const withholdCors = (response: ServerResponse): void => {
  const set = response.setHeader.bind(response)
  response.setHeader = (name, value) => (/^access-control-/i.test(name) ? response : set(name, value))
}
