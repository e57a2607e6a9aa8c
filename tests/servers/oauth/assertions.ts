/**
 * Grants that exchange one assertion for another (enterprise-managed authorization, and workloads):
 *
 *     an identity provider takes an ID token and returns an ID-JAG         RFC 8693
 *     an authorization server takes an ID-JAG or a workload's JWT          RFC 7523
 *
 * For any invalid assertion: 400 `invalid_grant`, with the reason in `error_description`.
 */
import { randomUUID } from 'node:crypto'
import type { Client, TokenEndpointGrantContext } from 'oidc-provider'
import { JWT_BEARER, TOKEN_EXCHANGE } from './clients.ts'
import { decodeJwt, now, signJwt, verifyJwt, type Claims } from './jwt.ts'
import { knownClients, SCOPES, UNWANTED_USER } from './names.ts'
import { loadProvider, type Provider } from './provider.ts'
import type { Resource, World } from './world.ts'

/** The issuer of workload JWTs. */
const WORKLOAD_ISSUER = 'https://workloads.example'
/** The only known workload. */
const WORKLOAD = 'spiffe://example/periscope-tests'

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'
const ID_JAG_TYP = 'oauth-id-jag+jwt'

/** Lifetime of an ID-JAG in seconds. */
const ID_JAG_TTL = 60

/** Clients of the identity provider, mapped to their ids at the ID-JAG's audience. */
const SAME_CLIENT: Readonly<Record<string, string>> = {
  [knownClients.idp.id]: knownClients.enterprise.id,
  [knownClients.idpPublic.id]: knownClients.enterprisePublic.id,
}

/** An ID token like the one the identity provider issues at sign-in. */
export const idToken = (world: World, issuer: string, overrides: Claims = {}): string =>
  signJwt(world.keys.issuer, 'JWT', {
    iss: issuer,
    sub: 'ada',
    aud: knownClients.idp.id,
    iat: now(),
    exp: now() + 3600,
    ...overrides,
  })

/** The token a workload gets from its platform. */
export const workloadToken = (world: World, audience: string, overrides: Claims = {}): string =>
  signJwt(world.keys.workload, 'JWT', {
    iss: WORKLOAD_ISSUER,
    sub: WORKLOAD,
    aud: audience,
    jti: randomUUID(),
    iat: now(),
    exp: now() + 300,
    ...overrides,
  })

type Refuse = (error: string, why: string) => Error

const refusing = async (): Promise<Refuse> => {
  const { errors } = await loadProvider()
  return (error, why) => new errors.CustomOIDCProviderError(error, why)
}

interface ExchangeParameters {
  readonly [name: string]: unknown
  readonly requested_token_type?: string
  readonly subject_token?: string
  readonly subject_token_type?: string
  readonly audience?: string
  readonly resource?: string
  readonly scope?: string
}

/** Makes an issuer an identity provider whose ID-JAGs are for one authorization server. */
export const addTokenExchange = async (provider: Provider, world: World, audience: string): Promise<void> => {
  const refuse = await refusing()
  const exchange = ({ oidc }: TokenEndpointGrantContext<ExchangeParameters>): object => {
    const { params, client } = oidc
    for (const name of ['requested_token_type', 'subject_token', 'subject_token_type', 'audience', 'resource'])
      if (!params[name]) throw refuse('invalid_request', `${name} is missing`)
    if (params.requested_token_type !== ID_JAG) throw refuse('invalid_request', `requested_token_type is not ${ID_JAG}`)
    if (params.subject_token_type !== ID_TOKEN) throw refuse('invalid_request', `subject_token_type is not ${ID_TOKEN}`)
    const subject = readSubject(params.subject_token ?? '', provider.issuer, client, world, refuse)
    if (params.audience !== audience) throw refuse('invalid_target', `audience is not ${audience}`)
    if (!world.describe(params.resource ?? '')) throw refuse('invalid_target', 'resource is no MCP server known here')
    if (subject === UNWANTED_USER) throw refuse('access_denied', `${subject} may use no MCP server`)
    const asked = params.scope?.split(' ')
    // The enterprise's policy: no one gets the admin scope.
    const scope = SCOPES.filter((each) => each !== 'mcp:admin' && (asked?.includes(each) ?? true)).join(' ')
    const claims = {
      jti: randomUUID(),
      iss: provider.issuer,
      sub: subject,
      aud: audience,
      resource: params.resource,
      client_id: SAME_CLIENT[client.clientId] ?? client.clientId,
      iat: now(),
      exp: now() + ID_JAG_TTL,
      scope,
    }
    return {
      issued_token_type: ID_JAG,
      access_token: signJwt(world.keys.issuer, ID_JAG_TYP, claims),
      token_type: 'N_A',
      scope,
      expires_in: ID_JAG_TTL,
    }
  }
  const parameters = [
    'requested_token_type',
    'subject_token',
    'subject_token_type',
    'audience',
    'resource',
    'scope',
    'actor_token',
    'actor_token_type',
  ]
  provider.registerGrantType<ExchangeParameters>(
    TOKEN_EXCHANGE,
    (ctx) => {
      ctx.body = exchange(ctx)
    },
    parameters,
  )
}

const readSubject = (token: string, issuer: string, client: Client, world: World, refuse: Refuse): string => {
  try {
    const claims = verifyJwt(token, world.keys.issuer, [undefined, 'JWT'])
    if (claims['iss'] !== issuer) throw new Error(`its issuer is ${String(claims['iss'])}`)
    if (![claims['aud']].flat().includes(client.clientId)) throw new Error(`it was issued to ${String(claims['aud'])}`)
    return String(claims['sub'])
  } catch (error) {
    throw refuse('invalid_grant', `The subject token: ${(error as Error).message}`)
  }
}

interface AssertionParameters {
  readonly [name: string]: unknown
  readonly assertion?: string
  readonly resource?: string
  readonly scope?: string
}

/** Makes an issuer accept assertions: ID-JAGs of `idp`, and workload JWTs. */
export const addJwtBearer = async (provider: Provider, world: World, idp: string): Promise<void> => {
  const refuse = await refusing()
  const used = new Set<string>()
  const read = (assertion: string, client: Client): Claims => {
    const isJag = decodeJwt(assertion).header['typ'] === ID_JAG_TYP
    const claims = isJag
      ? verifyJwt(assertion, world.keys.issuer, [ID_JAG_TYP])
      : verifyJwt(assertion, world.keys.workload, [undefined, 'JWT'])
    const issuer = isJag ? idp : WORKLOAD_ISSUER
    if (claims['iss'] !== issuer) throw new Error(`its issuer is ${String(claims['iss'])}, not ${issuer}`)
    if (![claims['aud']].flat().includes(provider.issuer)) throw new Error(`its audience is not ${provider.issuer}`)
    if (isJag && claims['client_id'] !== client.clientId) throw new Error(`it is for ${String(claims['client_id'])}`)
    if (!isJag && (claims['sub'] !== WORKLOAD || client.clientId !== knownClients.workload.id))
      throw new Error(`no workload ${String(claims['sub'])} is known for ${client.clientId}`)
    if (typeof claims['jti'] !== 'string') throw new Error('it has no jti')
    // A workload's JWT is read from a file repeatedly; an ID-JAG is for single use.
    if (isJag && used.has(claims['jti'])) throw new Error('it was used already')
    used.add(claims['jti'])
    return claims
  }
  provider.registerGrantType<AssertionParameters>(
    JWT_BEARER,
    async (ctx) => {
      const { params, client } = ctx.oidc
      if (!params.assertion) throw refuse('invalid_request', 'assertion is missing')
      let claims: Claims
      try {
        claims = read(params.assertion, client)
      } catch (error) {
        throw refuse('invalid_grant', `The assertion: ${(error as Error).message}`)
      }
      const resource = typeof claims['resource'] === 'string' ? claims['resource'] : params.resource
      if (resource === undefined) throw refuse('invalid_target', 'resource is missing')
      if (params.resource !== undefined && params.resource !== resource)
        throw refuse('invalid_target', `The assertion is for ${resource}`)
      const described = world.describe(resource)
      if (!described) throw refuse('invalid_target', `There is no resource ${resource}`)
      const grant = { client, resource, scope: scopeOf(claims, params.scope), user: String(claims['sub']) }
      ctx.body = await issue(provider, grant, described)
    },
    ['assertion', 'resource', 'scope'],
  )
}

/** No more than the assertion allows, and no more than requested. */
const scopeOf = (claims: Claims, asked: string | undefined): string => {
  const granted = typeof claims['scope'] === 'string' ? claims['scope'].split(' ') : ['mcp:read', 'mcp:write']
  return granted.filter((scope) => asked === undefined || asked.split(' ').includes(scope)).join(' ')
}

interface Granted {
  readonly client: Client
  readonly user: string
  readonly resource: string
  readonly scope: string
}

const issue = async (
  provider: Provider,
  { client, user: accountId, resource, scope }: Granted,
  described: Resource,
): Promise<object> => {
  const grant = new provider.Grant({ accountId, clientId: client.clientId })
  grant.addResourceScope(resource, scope)
  const token = new provider.AccessToken({
    accountId,
    client,
    grantId: await grant.save(),
    gty: JWT_BEARER,
    scope,
    resourceServer: new provider.ResourceServer(resource, resourceServer(described)),
  })
  return { access_token: await token.save(), token_type: 'Bearer', expires_in: token.expiration, scope }
}

/** A resource in oidc-provider's format. */
export const resourceServer = ({ audience, format, ttl }: Resource) => ({
  audience,
  scope: SCOPES.join(' '),
  accessTokenTTL: ttl,
  accessTokenFormat: format,
  jwt: { sign: { alg: 'ES256' as const } },
})
