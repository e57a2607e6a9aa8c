/** 2025-06-18: resource metadata is found by the header alone. */
import { jsonReply, textReply } from './change.ts'
import { far, both, drop, set, edit, status, type, param, noParam, rawChallenge, noChallenge, openId } from './edits.ts'
import { plant, type Violation } from './violation.ts'

export const early: readonly Violation[] = [
  plant(
    'b06-no-resource-metadata',
    'must',
    'AU-PRM-02 AU-PRM-01 AU-PRM-03',
    'WWW-Authenticate without resource_metadata (MUST in 2025-06-18)',
    { challenge: noParam('resource_metadata') },
  ),
  plant('b06-no-challenge', 'must', 'AU-PRM-02 AU-GEN-05 AU-PRM-01 AU-GEN-06', '401 without WWW-Authenticate', {
    challenge: noChallenge,
  }),
  plant('b06-basic-scheme', 'must', 'AU-PRM-02 AU-GEN-05 AU-GEN-02 AU-PRM-01', 'the challenge is Basic, not Bearer', {
    challenge: rawChallenge(() => 'Basic realm="mcp"'),
  }),
  plant(
    'b06-unquoted',
    'must',
    'AU-PRM-02 AU-PRM-01',
    'resource_metadata is an unquoted URL, which is not a token (RFC 9110 §11.2)',
    { challenge: rawChallenge((x) => `Bearer realm="mcp", resource_metadata=${x.prmUrl}, scope="mcp:read"`) },
  ),
  plant('b06-prm-404', 'must', 'AU-PRM-01 AU-PRM-02', 'the resource_metadata address of the challenge answers 404', {
    challenge: param('resource_metadata', (x) => `${x.mcpOrigin}/oauth/resource.json`),
  }),
  plant('b06-prm-relative', 'must', 'AU-PRM-02 AU-PRM-01', 'resource_metadata is a relative reference, not a URL', {
    challenge: param('resource_metadata', (x) => new URL(x.prmUrl).pathname),
  }),
  plant(
    'b06-prm-no-resource',
    'must',
    'AU-PRM-05 AU-PRM-01',
    'resource metadata without resource (RFC 9728 §2: REQUIRED)',
    { prm: drop('resource') },
  ),
  plant(
    'b06-prm-resource-host',
    'must',
    'AU-PRM-05 AU-PRM-01 AU-FLOW-05',
    'resource names another host than the server (RFC 9728 §3.3)',
    { prm: set({ resource: 'https://mcp.example.test/mcp' }) },
  ),
  plant(
    'b06-prm-resource-fragment',
    'must',
    'AU-PRM-05 AU-FLOW-05 AU-PRM-01',
    'resource has a fragment (RFC 9728 §1.2, RFC 8707 §2)',
    { prm: edit('resource', (url) => `${url}#mcp`) },
  ),
  plant('b06-prm-no-servers', 'must', 'AU-PRM-06 AU-PRM-01', 'resource metadata without authorization_servers', {
    prm: drop('authorization_servers'),
  }),
  plant('b06-prm-servers-string', 'must', 'AU-PRM-06 AU-PRM-01', 'authorization_servers is a string, not an array', {
    prm: edit('authorization_servers', (url) => url),
  }),
  plant(
    'b06-prm-html',
    'must',
    'AU-PRM-01',
    'resource metadata is sent as text/html (RFC 9728 §3.2: application/json)',
    {
      prm: type('text/html; charset=utf-8'),
    },
  ),
  plant('b06-prm-needs-token', 'must', 'AU-PRM-01 AU-GEN-05', 'the resource metadata address itself answers 401', {
    prm: () => ({ ...textReply(401, 'Authorization is needed'), auth: { scheme: 'Bearer', params: { realm: 'mcp' } } }),
  }),
  plant(
    'b06-query-only',
    'must',
    'AU-GEN-03 AU-GEN-02',
    'bearer_methods_supported says query only, and tokens are accepted in the query string',
    { prm: set({ bearer_methods_supported: ['query'] }), lax: { queryToken: true } },
  ),
  plant('b06-any-token', 'must', 'AU-GEN-05 AU-TOK-06 AU-GEN-04', 'any Bearer value is accepted', {
    lax: { anyToken: true },
  }),
  plant('b06-query-accepted', 'must', 'AU-GEN-03', 'a token in the query string is accepted as well', {
    lax: { queryToken: true },
  }),
  plant(
    'b06-no-metadata',
    'must',
    'AU-ASM-01 AU-ASM-05',
    'the authorization server has no metadata; the endpoints sit at /authorize, /token, /register',
    { metadataAt: [] },
  ),
  plant(
    'b06-oidc-only',
    'must',
    'AU-ASM-05 AU-ASM-01',
    'only OpenID Connect discovery is served; 2025-06-18 asks for RFC 8414',
    { metadataAt: ['/.well-known/openid-configuration'], metadata: openId },
  ),
  plant(
    'b06-not-inserted',
    'must',
    'AU-ASM-05 AU-ASM-01',
    'issuer with a path; its metadata is served at the appended address only (RFC 8414 §3.1 asks for insertion)',
    { issuerPath: '/tenant', metadataAt: ['/tenant/.well-known/oauth-authorization-server'] },
  ),
  plant('b06-no-issuer', 'must', 'AU-ASM-01 AU-ASM-05 AU-ASM-06', 'metadata without issuer (RFC 8414 §2: REQUIRED)', {
    metadata: drop('issuer'),
  }),
  plant(
    'b06-no-response-types',
    'must',
    'AU-ASM-01 AU-ASM-05',
    'metadata without response_types_supported (RFC 8414 §2: REQUIRED)',
    { metadata: drop('response_types_supported') },
  ),
  plant(
    'b06-metadata-text',
    'must',
    'AU-ASM-01 AU-ASM-05',
    'metadata is sent as text/plain (RFC 8414 §3.2: application/json)',
    { metadata: type('text/plain') },
  ),
  plant(
    'b06-http-registration',
    'must',
    'AU-ASM-07',
    'registration_endpoint is plain http on a host that is not loopback',
    { metadata: set({ registration_endpoint: far + '/register' }) },
  ),
  plant('b06-reg-no-client-id', 'must', 'AU-REG-06', 'registration answers 201 without client_id', {
    registration: drop('client_id'),
  }),
  plant(
    'b06-reg-redirects-dropped',
    'must',
    'AU-REG-10 AU-REG-06',
    'the registration answer leaves redirect_uris out (RFC 7591 §3.2.1: all registered metadata)',
    { registration: drop('redirect_uris') },
  ),
  plant('b06-reg-html', 'must', 'AU-REG-06', 'the registration answer is sent as text/html', {
    registration: type('text/html'),
  }),
  plant(
    'b06-reg-error-200',
    'must',
    'AU-REG-06 AU-REG-08 AU-GEN-05',
    'a refused registration is answered 200 with an error body (RFC 7591 §3.2.2: 400)',
    {
      refuseRegistration: () =>
        jsonReply(200, { error: 'invalid_client_metadata', error_description: 'no public clients here' }),
    },
  ),
  plant(
    'b06-resource-refused',
    'must',
    'AU-FLOW-04',
    'the authorization request is refused as invalid_request because it has a resource parameter (unknown parameters MUST be ignored, RFC 6749 §3.1)',
    {
      refuseAuthorize: (x) => (x.url.searchParams.has('resource') ? 'invalid_request' : undefined),
      authorize: (q) => {
        if (q.has('error')) q.set('error_description', 'unknown parameter: resource')
      },
    },
  ),
  plant(
    'b06-token-resource-refused',
    'must',
    'AU-FLOW-04 AU-GEN-05',
    'the token request is refused as invalid_request because it has a resource parameter',
    {
      refuseToken: (x) => (x.form.has('resource') ? 'invalid_request' : undefined),
      tokenError: set({ error_description: 'unknown parameter: resource' }),
    },
  ),
  plant('b06-state-changed', 'must', 'AU-FLOW-06', 'the redirect back has a different state', {
    authorize: (q) => q.set('state', (q.get('state') ?? '').toUpperCase() + '1'),
  }),
  plant(
    'b06-no-code',
    'must',
    'AU-FLOW-06 AU-FLOW-01 AU-ASM-01 AU-FLOW-04',
    'the redirect back has neither code nor error (RFC 6749 §4.1.2)',
    { authorize: (q) => q.delete('code') },
  ),
  plant(
    'b06-token-form',
    'must',
    'AU-FLOW-04 AU-ASM-01 AU-TOK-01 AU-FLOW-13',
    'the token response is form-encoded instead of JSON (RFC 6749 §5.1)',
    {
      token: both((r) => {
        r.text = new URLSearchParams(
          Object.entries(r.body).map(([name, value]) => [name, `${value as string | number}`]),
        ).toString()
      }, type('application/x-www-form-urlencoded')),
    },
  ),
  plant(
    'b06-token-expires-string',
    'must',
    'AU-TOK-01 AU-TOK-03 AU-TOK-05 AU-FLOW-04',
    'expires_in is a string (RFC 6749 §5.1: a JSON number)',
    { token: edit('expires_in', (seconds) => seconds) },
  ),
  plant('b06-token-mac', 'must', 'AU-GEN-02 AU-FLOW-04', 'token_type is mac', { token: set({ token_type: 'mac' }) }),
  plant(
    'b06-refresh-same',
    'must',
    'AU-TOK-04',
    'refreshing gives the same refresh token again to a public client',
    { lax: { keepRefresh: true }, refresh: edit('refresh_token', (_, x) => x.oldRefresh) },
    'refresh',
  ),
  plant(
    'b06-refresh-error-401',
    'must',
    'AU-TOK-05 AU-GEN-05 AU-TOK-04',
    'a refused refresh is answered 401 with invalid_grant (RFC 6749 §5.2: 400)',
    { refuseToken: (_, g) => (g === 'refresh_token' ? 'invalid_grant' : undefined), tokenError: status(401) },
    'refresh',
  ),
]
