/** Worlds that are unusual but allowed: a violation that is found in one of them is a false alarm. */
import { textReply, type Change, type Ctx, type Members, type Reply } from './change.ts'
import { signed } from './edits.ts'

export interface Clean {
  readonly id: string
  readonly what: string
  readonly change: Change
  /** The client has the ID `static-client`. */
  readonly registered?: true
}

export const clean: Clean[] = []

const allow = (
  id: string,
  revision: string,
  what: string,
  change: Change = {},
  more: { registered?: true } = {},
): void => void clean.push({ id, what, change: { revisions: [revision], ...change }, ...more })

type Edit = (r: Reply, x: Ctx) => void
const set =
  (members: Members): Edit =>
  (r) =>
    void Object.assign(r.body, members)
const named =
  (members: (x: Ctx) => Members): Edit =>
  (r, x) =>
    void Object.assign(r.body, members(x))
const drop =
  (...names: readonly string[]): Edit =>
  (r) => {
    for (const name of names) delete r.body[name]
  }
const type =
  (value: string): Edit =>
  (r) =>
    void (r.headers['content-type'] = value)
const raw =
  (write: (x: Ctx) => string | string[]): Edit =>
  (r, x) => {
    r.auth = undefined
    r.headers['www-authenticate'] = write(x)
  }
const noParam =
  (name: string): Edit =>
  (r) =>
    void delete r.auth?.params[name]
const confidential =
  (method: string): Edit =>
  (r, x) => {
    x.client!.client_secret = 'given-secret'
    x.client!.token_endpoint_auth_method = method
    Object.assign(r.body, {
      client_secret: 'given-secret',
      client_secret_expires_at: 0,
      token_endpoint_auth_method: method,
    })
  }
const openId = named(({ asOrigin }) => ({
  jwks_uri: `${asOrigin}/jwks`,
  userinfo_endpoint: `${asOrigin}/userinfo`,
  subject_types_supported: ['public', 'pairwise'],
  id_token_signing_alg_values_supported: ['RS256'],
  claims_supported: ['sub', 'iss'],
}))

const notThere: Edit = (r) => void Object.assign(r, { ...textReply(404, 'Not found'), headers: {} })
/** As AWS WAF does. */
const captcha: Edit = (r) =>
  void Object.assign(r, { ...textReply(405, 'Are you human?'), headers: { 'x-amzn-waf-action': 'captcha' } })

const [A, B, C, D] = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

allow('a03-own', A, 'the server is its own authorization server, with metadata at its root')
allow('a03-fallback', A, 'no metadata; the default endpoints at the root work', { metadataAt: [] })
allow('a03-short-challenge', A, 'WWW-Authenticate has an empty realm only', { challenge: raw(() => 'Bearer realm=""') })
allow('a03-secret', A, 'registration gives a confidential client, with a secret that never expires', {
  registration: confidential('client_secret_basic'),
})
allow('a03-no-refresh', A, 'no refresh tokens', {
  noRefreshToken: true,
  metadata: set({ grant_types_supported: ['authorization_code', 'client_credentials'] }),
  registration: set({ grant_types: ['authorization_code'] }),
})
allow('a03-deep-path', A, 'the endpoint lies deep, the metadata at the root of the origin', { mcpPath: '/v1/team/mcp' })

allow('b06-plain', B, 'the clean world')
allow('b06-odd-prm-address', B, 'the challenge names a resource metadata address that is not well-known', {
  prmAt: ['/meta/mcp-resource.json'],
})
allow('b06-tenant', B, 'issuer with a path, metadata at the path-inserted address', { issuerPath: '/tenants/one' })
allow('b06-extra-members', B, 'extra members in the resource metadata', {
  prm: set({
    'resource_name#de': 'Kleine Welt',
    resource_documentation: 'https://docs.example.test/',
    resource_policy_uri: 'https://docs.example.test/policy',
    dpop_bound_access_tokens_required: false,
    tls_client_certificate_bound_access_tokens: false,
    'x-vendor': { anything: [1, 2] },
  }),
})
allow('b06-several-servers', B, 'two authorization servers, the first one works', {
  prm: named(({ issuer }) => ({ authorization_servers: [issuer, 'https://auth.example.test/'] })),
})
allow('b06-schemes', B, 'one long challenge header with several schemes, quoted commas, escapes and a token68', {
  challenge: raw(
    (x) =>
      `Basic realm="a, b \\"c\\" Bearer error=", DPoP algs="ES256 PS256", Negotiate YWJjZA==, bearer x-info="https://docs.example.test/${'a'.repeat(1500)}", RESOURCE_METADATA = "${x.prmUrl}" , realm="mcp", charset=utf-8`,
  ),
})
allow('b06-two-headers', B, 'two WWW-Authenticate header lines', {
  challenge: raw((x) => ['Basic realm="staff"', `Bearer resource_metadata="${x.prmUrl}", scope="mcp:read"`]),
})
allow('b06-lower-case-type', B, 'token_type is "bearer", JSON answers carry charset=utf-8', {
  token: (r, x) => {
    set({ token_type: 'bearer' })(r, x)
    type('application/json; charset=utf-8')(r, x)
  },
  prm: type('application/json;charset=UTF-8'),
})
allow('b06-long-tokens', B, 'opaque tokens of 4000 characters with every character a Bearer token may have', {
  makeToken: () => 'A-._~+/z'.repeat(500) + Math.random().toString(36).slice(2) + '==',
})
allow('b06-no-scopes', B, 'scopes nowhere: challenge, both metadata documents, token response', {
  challenge: noParam('scope'),
  prm: drop('scopes_supported'),
  metadata: drop('scopes_supported'),
  token: drop('scope'),
  refresh: drop('scope'),
})
allow('b06-redirect-303', B, 'the authorization endpoint redirects with 303', {
  authorizeReply: (r) => void (r.status = 303),
})

allow('c11-plain', C, 'the clean world')
allow(
  'c11-well-known-only',
  C,
  'no resource_metadata in the challenge, resource metadata at the path-inserted address',
  { challenge: noParam('resource_metadata') },
)
allow('c11-root-endpoint', C, 'the endpoint is the root of the origin, resource metadata at the root address', {
  mcpPath: '/',
})
allow('c11-oidc-only', C, 'OpenID Connect discovery only', {
  metadataAt: ['/.well-known/openid-configuration'],
  metadata: openId,
})
allow('c11-oidc-appended', C, 'issuer with a path, OpenID Connect discovery at the path-appended address only', {
  issuerPath: '/realms/one',
  metadataAt: ['/realms/one/.well-known/openid-configuration'],
  metadata: openId,
})
allow('c11-oidc-inserted', C, 'issuer with a path, OpenID Connect discovery at the path-inserted address only', {
  issuerPath: '/realms/one',
  metadataAt: ['/.well-known/openid-configuration/realms/one'],
  metadata: openId,
})
allow('c11-cimd-only', C, 'no registration endpoint, client ID metadata documents supported', {
  cimd: true,
  metadata: set({ registration_endpoint: undefined, client_id_metadata_document_supported: true }),
  endpoints: { register: '/none' },
})
allow(
  'c11-pre-registered',
  C,
  'neither registration nor client ID metadata documents; the client id "static-client" is known',
  { metadata: drop('registration_endpoint'), endpoints: { register: '/none' } },
  { registered: true },
)
allow('c11-trailing-slash', C, 'the endpoint has a trailing slash, and so has resource', { mcpPath: '/mcp/' })
allow('c11-issuer-slash', C, 'the issuer ends in a slash everywhere', { issuerPath: '/' })
allow('c11-no-expiry', C, 'tokens without expires_in', { token: drop('expires_in'), refresh: drop('expires_in') })
allow('c11-scope-as-asked', C, 'token response without scope, granted as asked', {
  token: drop('scope'),
  refresh: drop('scope'),
})
allow('c11-narrower', C, 'grants less than asked for and says so', {
  grant: (s) => s.filter((q) => q !== 'mcp:write'),
  challenge: (r) => void (r.auth!.params.scope = 'mcp:read mcp:write'),
})
allow('c11-extra-members', C, 'extra members in the authorization server metadata', {
  metadata: named(({ asOrigin }) => ({
    mtls_endpoint_aliases: { token_endpoint: `${asOrigin}/mtls/token` },
    pushed_authorization_request_endpoint: `${asOrigin}/par`,
    require_pushed_authorization_requests: false,
    dpop_signing_alg_values_supported: ['ES256'],
    ui_locales_supported: ['de', 'en'],
    'x-vendor': { a: 1 },
  })),
})
allow('c11-plain-too', C, 'code_challenge_methods_supported lists plain and S256', {
  metadata: set({ code_challenge_methods_supported: ['plain', 'S256'] }),
})
allow('c11-step-up', C, 'a proper step-up: 403 insufficient_scope, then the wider token works', { stepUp: true })
allow('c11-step-up-schemes', C, 'a proper step-up whose challenge comes after a DPoP one', {
  stepUp: true,
  forbidden: raw(
    (x) =>
      `DPoP error="insufficient_scope", algs="ES256", Bearer error="insufficient_scope", scope="mcp:write mcp:read", resource_metadata="${x.prmUrl}", error_description="needs mcp:write"`,
  ),
})
allow('c11-endpoints-elsewhere', C, 'token and registration endpoints on another origin than the issuer', {
  endpointsAnywhere: true,
  metadata: named(({ mcpOrigin }) => ({
    token_endpoint: `${mcpOrigin}/token`,
    registration_endpoint: `${mcpOrigin}/register`,
  })),
})
allow('c11-endpoint-query', C, 'authorization_endpoint has a query of its own, which must be kept (RFC 6749 §3.1)', {
  metadata: named(({ asOrigin }) => ({ authorization_endpoint: `${asOrigin}/authorize?tenant=one&lang=de` })),
  refuseAuthorize: ({ url }) => (url.searchParams.get('tenant') === 'one' ? undefined : 'invalid_request'),
})
allow('c11-code-signs', C, 'the code is 1500 characters with signs that need encoding', {
  makeCode: () => 'a+b/c=d e&f%g'.repeat(115) + Math.random(),
})
allow('c11-confidential-keeps', C, 'a confidential client keeps its refresh token (no rotation asked for)', {
  keepRefresh: true,
  registration: confidential('client_secret_post'),
})
allow('c11-reg-more', C, 'the registration answer has more members than were asked for', {
  registration: named(({ asOrigin }) => ({
    registration_client_uri: `${asOrigin}/register/1`,
    registration_access_token: 'reg-token',
    scope: 'mcp:read mcp:write',
    software_id: 'x',
    contacts: ['a@example.test'],
  })),
})
allow('c11-json-401', C, 'the 401 has an OAuth error as its JSON body', {
  challenge: (r) =>
    void Object.assign(r, {
      body: { error: 'invalid_token', error_description: 'No token' },
      text: undefined,
      headers: { 'content-type': 'application/json' },
    }),
})

allow('c11-signed', C, 'signed_metadata with the values of the document, lists in another order', {
  metadata: (r, x) =>
    void (r.body.signed_metadata = signed({
      ...r.body,
      iss: x.issuer,
      iat: 1_700_000_000,
      grant_types_supported: ['refresh_token', 'authorization_code'],
    })),
  prm: (r, x) => void (r.body.signed_metadata = signed({ ...r.body, iss: x.mcpOrigin })),
})
allow('c11-signed-by-another', C, 'signed_metadata of an operator that attests to less', {
  metadata: (r) =>
    void (r.body.signed_metadata = signed({
      iss: 'https://operator.example',
      op_policy_uri: 'https://operator.example/policy',
    })),
})
allow('c11-hybrid', C, 'the server also has the implicit grant and hybrid response types', {
  metadata: set({
    response_types_supported: ['code', 'code token', 'id_token token'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'implicit'],
  }),
})
allow(
  'c11-hybrid-unlisted',
  C,
  'hybrid response types, while grant_types_supported leaves implicit out, as at Google',
  {
    metadata: set({ response_types_supported: ['code', 'token', 'code token', 'code id_token token', 'none'] }),
  },
)
allow('c11-form-post', C, 'response_modes_supported lists form_post only, but codes return in the query, as at Slack', {
  metadata: set({ response_modes_supported: ['form_post'] }),
})
allow('c11-reg-implicit', C, 'the registration also has the implicit grant with its response type (RFC 7591 §3.2.1)', {
  registration: set({
    response_types: ['code', 'token'],
    grant_types: ['authorization_code', 'refresh_token', 'implicit'],
  }),
})
allow(
  'c11-unknown-client',
  C,
  'the client id is unknown, and the authorization endpoint says so with a page and 404',
  { metadata: drop('registration_endpoint'), endpoints: { register: '/none' }, authorizeReply: notThere },
  { registered: true },
)
allow('c11-captcha', C, 'a firewall wants a CAPTCHA at the authorization endpoint', { authorizeReply: captcha })
allow('d07-plain', D, 'the clean world')
allow('d07-no-iss', D, 'iss is neither promised nor sent', {
  metadata: drop('authorization_response_iss_parameter_supported'),
  authorize: (q) => q.delete('iss'),
})
allow('d07-iss-unpromised', D, 'iss is not promised, but sent and right', {
  metadata: set({ authorization_response_iss_parameter_supported: false }),
})
allow('d07-offline-in-as', D, 'the authorization server (not the resource) lists offline_access', {
  metadata: set({ scopes_supported: ['mcp:read', 'mcp:write', 'offline_access'] }),
})
allow('d07-jwt-methods', D, 'private_key_jwt with its algorithms next to none', {
  metadata: set({
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['ES256', 'PS256'],
  }),
})
allow('d07-type-not-echoed', D, 'application_type is not known to the authorization server and not in its answer', {
  registration: drop('application_type'),
})
allow('d07-no-refresh', D, 'no refresh token', {
  noRefreshToken: true,
  metadata: set({ grant_types_supported: ['authorization_code'] }),
  registration: set({ grant_types: ['authorization_code'] }),
})
allow('d07-tenant', D, 'issuer with a path, path-inserted metadata, iss with the path', { issuerPath: '/t/42' })
allow('d07-defaults-left-out', D, 'metadata has only what is required and the PKCE method', {
  metadata: drop(
    'scopes_supported',
    'response_modes_supported',
    'grant_types_supported',
    'revocation_endpoint',
    'revocation_endpoint_auth_methods_supported',
    'token_endpoint_auth_methods_supported',
  ),
})
allow('d07-scope-beyond', D, 'the challenge names a scope that scopes_supported does not list', {
  prm: set({ scopes_supported: ['mcp:write'] }),
})
allow('d07-short-token', D, 'access tokens of ten seconds, refreshed properly', { firstTtl: 10 })
