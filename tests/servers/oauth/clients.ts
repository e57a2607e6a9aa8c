/** The clients of `names.ts` in oidc-provider's format. */
import type { ClientMetadata } from 'oidc-provider'
import { publicJwk } from './jwt.ts'
import { knownClients } from './names.ts'
import type { IssuerKind } from './issuer-kinds.ts'
import type { World } from './world.ts'

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The client that protected servers use to introspect opaque tokens (RFC 7662). */
export const RESOURCE_SERVER = { id: 'resource-server', secret: 'resource-server-secret-of-the-tests' }

/** On loopback, ports are ignored (RFC 8252 section 7.3). */
const REDIRECT_URIS = ['127.0.0.1', 'localhost'].flatMap((host) => [
  `http://${host}/oauth/callback.html`,
  `http://${host}/callback`,
])

type KnownClient = (typeof knownClients)[keyof typeof knownClients]

const client = (known: KnownClient, rest: Partial<ClientMetadata>): ClientMetadata => ({
  client_id: known.id,
  client_name: known.id,
  ...('secret' in known ? { client_secret: known.secret } : {}),
  token_endpoint_auth_method: known.method,
  redirect_uris: [],
  response_types: [],
  ...rest,
})

const withUser: Partial<ClientMetadata> = {
  application_type: 'native',
  redirect_uris: REDIRECT_URIS,
  response_types: ['code'],
  grant_types: ['authorization_code', 'refresh_token'],
}

const withoutUser: Partial<ClientMetadata> = { grant_types: ['client_credentials'] }

export const clientsOf = (kind: IssuerKind, world: World): ClientMetadata[] => [
  client(knownClients.public, withUser),
  client(knownClients.basic, withUser),
  client(knownClients.post, withUser),
  client(knownClients.machine, withoutUser),
  client(knownClients.machinePost, withoutUser),
  client(knownClients.machineKey, {
    ...withoutUser,
    token_endpoint_auth_signing_alg: 'ES256',
    jwks: { keys: [publicJwk(world.keys.machine)] },
  }),
  {
    client_id: RESOURCE_SERVER.id,
    client_secret: RESOURCE_SERVER.secret,
    redirect_uris: [],
    response_types: [],
    grant_types: [],
  },
  ...(kind.grants === 'idp' ? atIdp : kind.grants === 'enterprise' ? atEnterprise : []),
]

const atIdp = [knownClients.idp, knownClients.idpPublic].map((known) =>
  client(known, { ...withUser, grant_types: ['authorization_code', 'refresh_token', TOKEN_EXCHANGE] }),
)

const atEnterprise = [knownClients.enterprise, knownClients.enterprisePublic, knownClients.workload].map((known) =>
  client(known, { grant_types: [JWT_BEARER] }),
)
