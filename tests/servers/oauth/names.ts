/**
 * Everything under the URLs of the authorization peers, by name. Plain data: a test in a page may import it.
 *
 *     <oauthUrl>/<behind>/<variant>/<key>    an MCP server behind a gate; `<key>` isolates tests
 *     <oauthIssuerUrl>                       an authorization server (the kind `plain`), and
 *     <oauthIssuerUrl>/<kind>                one of each other kind: issuers with a path
 *     <oauthRootUrl>/<key>                   an MCP server (v1) at any path: the metadata is at the root only, and the
 *                                            resource is the origin
 *     <oauth2025Url>/mcp/<key>               an MCP server (v1) as in 2025-03-26: its origin is the issuer, with
 *                                            metadata; no resource metadata
 *     <oauth2025BareUrl>/mcp/<key>           the same without metadata: /authorize, /token and /register
 *
 * For each issuer kind, the variant `as-<kind>` uses it as its authorization server.
 */

/** The servers behind a gate. All of them have the tools `echo` and those of `TOOL_SCOPES`. */
export const behind = {
  v1: 'The official SDK v1: 2025-11-25 with sessions',
  dual: 'The official SDK v2: 2026-07-28, and older revisions without sessions',
  modern: 'The official SDK v2: 2026-07-28 alone',
} as const

/** Every request needs the first one; in the order of the metadata. */
export const SCOPES = ['mcp:read', 'mcp:write', 'mcp:admin'] as const

/** Additional scope needed to call these; without it: 403, `insufficient_scope`, naming only the missing scope. */
export const TOOL_SCOPES: Readonly<Record<string, string>> = { touch: 'mcp:write', 'add-tool': 'mcp:admin' }

/** Granted when an authorization request names no scope. */
export const DEFAULT_SCOPE = 'mcp:read'

export const issuerKinds = {
  // where the metadata is; for all others: at the three well-known URLs
  plain: 'At the origin, without a path: everything allows CORS, anyone may register, refresh tokens rotate',
  tenant1: 'Like plain, and its issuer has a path',
  'oidc-inserted': 'Its only metadata are those of OpenID, with the path inserted',
  'oidc-appended': 'Its only metadata are those of OpenID, appended to the path',

  // CORS
  'own-cors':
    'CORS as oidc-provider does it: not at registration; at the token endpoint for public clients of that origin',
  'closed-metadata': 'Its metadata have no CORS headers; all else has',
  'closed-registration': 'Its registration has no CORS headers; all else has',
  'closed-token': 'Its token endpoint has no CORS headers; all else has',
  'closed-revocation': 'Its revocation has no CORS headers; all else has',
  closed: 'Nothing has CORS headers',

  // registration
  'by-hand': 'Nobody may register: only clients it knows already',
  documents: 'Takes client id metadata documents (published by the control `publish`), and nobody may register',
  'documents-too': 'Takes client id metadata documents, and anyone may register',
  'native-only': 'Refuses to register application_type web with a redirect URI on loopback: invalid_redirect_uri',
  'web-only': 'Refuses to register application_type native: invalid_redirect_uri',

  // tokens
  nonces: 'Wants a nonce in every DPoP proof at the token endpoint',
  offline: 'Gives a refresh token only for offline_access, which OpenID grants only with prompt=consent',
  'no-refresh': 'Gives no refresh token, though it may be registered for',

  // pages
  coop: 'Its pages send Cross-Origin-Opener-Policy: same-origin, which severs the opener',

  // enterprise
  enterprise: 'Takes assertions: ID-JAGs of the kind idp, and JWTs of workloads (control `workload-token`)',
  idp: 'The identity provider: exchanges its ID tokens (control `id-token`, or sign in with openid) for ID-JAGs',
} as const

export type IssuerKindName = keyof typeof issuerKinds

const ownVariants = {
  plain: 'All as it should be: challenge with metadata and scope, readable in a page; tokens are JWTs for an hour',
  opaque: 'Its tokens are opaque, and asked about at the issuer: to revoke one works at once',
  short: 'Its tokens live 3 s',

  // challenge and metadata
  hidden: 'Does not expose WWW-Authenticate to pages (Mcp-Session-Id it does)',
  mute: '401 without WWW-Authenticate; the metadata are at the well-known address of its path',
  unnamed: 'Its challenge has no resource_metadata; they are at the well-known address of its path',
  'no-scope': 'Its challenge names no scope; its metadata name all three',
  'no-scopes': 'Neither its challenge nor its metadata name a scope',
  'closed-401': 'Its 401 and 403 have no CORS headers; its preflights and all else have',
  'closed-metadata': 'Its protected resource metadata have no CORS headers',
  several: 'Names three authorization servers: by-hand, plain, tenant1; takes tokens of all',

  // when a token is required
  free: 'Works without a token, and has metadata that offer one; ignores tokens',
  late: 'Asks for a token at tools/call and nowhere else',

  // DPoP
  dpop: 'Takes only tokens bound to a key (RFC 9449)',
  'dpop-nonces': 'Like dpop, with nonces of its own; its authorization server is nonces',
} as const

type OwnVariantName = keyof typeof ownVariants
export type VariantName = OwnVariantName | `as-${IssuerKindName}`

const ofKinds = Object.fromEntries(
  Object.entries(issuerKinds).map(([kind, sentence]) => [
    `as-${kind}`,
    `Its authorization server is ${kind}: ${sentence}`,
  ]),
) as Record<`as-${IssuerKindName}`, string>

/** The variants of protected servers: name, and what each does. */
export const oauthVariants: Readonly<Record<VariantName, string>> = { ...ownVariants, ...ofKinds }

/**
 * Clients that every issuer knows in advance. Redirect URIs, where a client has any: `/oauth/callback.html` and
 * `/callback` on `127.0.0.1` and `localhost`, any port. The control `keys` returns the key of `machineKey`.
 */
export const knownClients = {
  public: { id: 'known-public', method: 'none' },
  basic: { id: 'known-basic', method: 'client_secret_basic', secret: 'basic-secret-of-the-tests' },
  post: { id: 'known-post', method: 'client_secret_post', secret: 'post-secret-of-the-tests' },
  /** For client_credentials only. */
  machine: { id: 'machine', method: 'client_secret_basic', secret: 'machine-secret-of-the-tests' },
  machinePost: { id: 'machine-post', method: 'client_secret_post', secret: 'machine-secret-of-the-tests' },
  machineKey: { id: 'machine-key', method: 'private_key_jwt', algorithm: 'ES256' },
  /** At the kind idp: may sign users in, and exchange their ID tokens. */
  idp: { id: 'at-the-idp', method: 'client_secret_basic', secret: 'idp-secret-of-the-tests' },
  idpPublic: { id: 'at-the-idp-public', method: 'none' },
  /** At the kind enterprise: the audience client of ID-JAGs from `idp` and `idpPublic`. */
  enterprise: { id: 'at-the-enterprise', method: 'client_secret_basic', secret: 'enterprise-secret-of-the-tests' },
  enterprisePublic: { id: 'at-the-enterprise-public', method: 'none' },
  /** At the kind enterprise: for workload assertions. */
  workload: { id: 'workload', method: 'none' },
} as const

/** The user to whom the identity provider denies every MCP server. */
export const UNWANTED_USER = 'mallory'

/** The user who signs in by default. */
export const USER = 'ada'
