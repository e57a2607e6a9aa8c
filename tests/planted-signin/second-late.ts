/** A second set, written without the rules at hand: 2025-11-25 and 2026-07-28. */
import { jsonReply, textReply } from './change.ts'
import {
  both,
  drop,
  edit,
  far,
  noChallenge,
  noParam,
  onlyWhen,
  openId,
  page,
  param,
  rawChallenge,
  refusesGet,
  register,
  rpcSays,
  set,
  signed,
  status,
} from './edits.ts'
import { plant, type Violation } from './violation.ts'

export const secondLate: readonly Violation[] = [
  plant('c11-signed-garbage', 'must', 'AU-ASM-01', 'signed_metadata is a word, not a JWT (RFC 8414 §2.1)', {
    metadata: set({ signed_metadata: 'signed' }),
  }),
  plant('c11-signed-none', 'must', 'AU-ASM-01', 'signed_metadata has alg none and no signature (RFC 8414 §2.1)', {
    metadata: (r, x) => void (r.body.signed_metadata = signed({ iss: x.issuer, issuer: x.issuer }, 'none')),
  }),
  plant('c11-signed-no-iss', 'must', 'AU-ASM-01', 'signed_metadata has no iss claim (RFC 8414 §2.1: MUST)', {
    metadata: (r, x) => void (r.body.signed_metadata = signed({ issuer: x.issuer })),
  }),
  plant(
    'c11-signed-issuer',
    'must',
    'AU-ASM-01 AU-ASM-06',
    'signed_metadata names another issuer (RFC 8414 §2.1, RFC 8414 §3.3)',
    {
      metadata: (r, x) =>
        void (r.body.signed_metadata = signed({ iss: x.issuer, issuer: 'https://login.example.test' })),
    },
  ),
  plant('c11-signed-endpoint', 'must', 'AU-ASM-01', 'token_endpoint in signed_metadata is another (RFC 8414 §2.1)', {
    metadata: (r, x) =>
      void (r.body.signed_metadata = signed({
        iss: x.issuer,
        issuer: x.issuer,
        token_endpoint: `${x.issuer}/v2/token`,
      })),
  }),
  plant(
    'c11-prm-404-root',
    'must',
    'AU-PRM-03 AU-PRM-01',
    'no resource_metadata in the challenge, and both well-known URLs are 404',
    {
      prmAt: ['/hidden.json'],
      challenge: noParam('resource_metadata'),
    },
  ),
  plant(
    'c11-prm-http-param',
    'must',
    'AU-PRM-02 AU-PRM-01 AU-ASM-07',
    'resource_metadata in the challenge is plain http',
    {
      challenge: param('resource_metadata', () => `${far}/.well-known/oauth-protected-resource`),
    },
  ),
  plant(
    'c11-prm-issuer-path',
    'must',
    'AU-ASM-03 AU-ASM-01',
    'issuer with a path: none of the three metadata URLs exists',
    {
      issuerPath: '/tenant',
      metadataAt: ['/.well-known/oauth-authorization-server'],
    },
  ),
  plant('c11-no-metadata', 'must', 'AU-ASM-04 AU-ASM-01', 'issuer without a path: neither metadata URL exists', {
    metadataAt: [],
  }),
  plant('c11-authorize-post', 'must', 'AU-FLOW-06', 'authorization endpoint answers 405 to GET (RFC 6749 §3.1)', {
    authorizeReply: refusesGet,
  }),
  plant('c11-authorize-501', 'must', 'AU-FLOW-06', 'authorization endpoint answers 501 to GET (RFC 6749 §3.1)', {
    authorizeReply: both(refusesGet, status(501)),
  }),
  plant('c11-authorize-404', 'must', 'AU-ASM-01', 'the authorization_endpoint of the metadata is 404', {
    metadata: edit('authorization_endpoint', (url) => `${url}/v2`),
  }),
  plant(
    'c11-modes-fragment',
    'must',
    'AU-ASM-01',
    'response_modes_supported lists only fragment, and so the query is never used (RFC 8414 §2)',
    {
      metadata: set({ response_modes_supported: ['fragment'] }),
      authorizeReply: (r) => void (r.headers.location = String(r.headers.location).replace('?', '#')),
    },
  ),
  plant(
    'c11-code-token',
    'must',
    'AU-ASM-01 AU-FLOW-01',
    'response_types_supported lists only "code token" (RFC 8414 §2)',
    {
      metadata: set({ response_types_supported: ['code token'] }),
    },
  ),
  plant(
    'c11-code-token-too',
    'advice',
    'AU-ASM-01',
    'response_types_supported lists "code token" beside "code" (RFC 9700 §2.1.2)',
    {
      metadata: set({ response_types_supported: ['code', 'code token'] }),
    },
  ),
  plant(
    'c11-reg-code-token',
    'should',
    'AU-REG-06',
    'the registration has "code token" beside "code" (RFC 7591 §2.1)',
    {
      registration: set({ response_types: ['code', 'code token'] }),
    },
  ),
  plant(
    'c11-reg-code-token-implicit',
    'advice',
    'AU-REG-06',
    'the registration has "code token" and implicit, which nobody asked for (RFC 9700 §2.1.2)',
    {
      registration: set({
        response_types: ['code', 'code token'],
        grant_types: ['authorization_code', 'refresh_token', 'implicit'],
      }),
    },
  ),
  plant('c11-no-grant', 'must', 'AU-ASM-01', 'grant_types_supported has no authorization_code (RFC 8414 §2)', {
    metadata: set({ grant_types_supported: ['client_credentials'] }),
  }),
  plant(
    'c11-methods-string',
    'must',
    'AU-FLOW-13 AU-ASM-01',
    'token_endpoint_auth_methods_supported is a string (RFC 8414 §2)',
    {
      metadata: set({ token_endpoint_auth_methods_supported: 'none' }),
    },
  ),
  plant(
    'c11-methods-case',
    'must',
    'AU-FLOW-13 AU-ASM-01',
    'token_endpoint_auth_methods_supported says "None" (RFC 8414 §2)',
    {
      metadata: set({ token_endpoint_auth_methods_supported: ['None', 'client_secret_basic'] }),
    },
  ),
  plant('c11-s256-lower', 'must', 'AU-FLOW-02 AU-FLOW-03', 'code_challenge_methods_supported says "s256"', {
    metadata: set({ code_challenge_methods_supported: ['s256'] }),
  }),
  plant('c11-locales', 'must', 'AU-ASM-01', 'ui_locales_supported has "english (US)" (RFC 8414 §2)', {
    metadata: set({ ui_locales_supported: ['english (US)'] }),
  }),
  plant('c11-docs', 'must', 'AU-ASM-01', 'service_documentation is a number (RFC 8414 §2)', {
    metadata: set({ service_documentation: 7 }),
  }),
  plant('c11-metadata-500', 'must', 'AU-ASM-01 AU-ASM-04', 'the metadata answers 500 with a page (RFC 8414 §3.2)', {
    metadata: () => page(500),
  }),
  plant(
    'c11-metadata-redirect',
    'must',
    'AU-ASM-01 AU-ASM-04',
    'the metadata redirects to another host (RFC 8414 §3.2)',
    {
      metadata: (_, x) => ({
        ...textReply(302, ''),
        headers: { location: x.prmUrl.replace('127.0.0.1', 'localhost') },
      }),
    },
  ),
  plant('c11-oidc-alg', 'must', 'AU-ASM-02', 'id_token_signing_alg_values_supported lacks RS256', {
    metadataAt: ['/.well-known/openid-configuration'],
    metadata: both(openId, set({ id_token_signing_alg_values_supported: ['ES256'] })),
  }),
  plant('c11-oidc-subject', 'must', 'AU-ASM-02', 'subject_types_supported is missing (OpenID Connect Discovery)', {
    metadataAt: ['/.well-known/openid-configuration'],
    metadata: both(openId, drop('subject_types_supported')),
  }),
  plant(
    'c11-reg-no-secret-expiry',
    'must',
    'AU-REG-06 AU-FLOW-13',
    'client_secret without client_secret_expires_at (RFC 7591 §3.2.1)',
    {
      registration: register('client_secret_post', { client_secret: 's3cret-s3cret-s3cret' }),
    },
  ),
  plant('c11-reg-404', 'must', 'AU-REG-06 AU-ASM-01', 'the registration_endpoint of the metadata is 404', {
    endpoints: { register: '/clients' },
    metadata: edit('registration_endpoint', (_, x) => `${x.asOrigin}/register`),
  }),
  plant('c11-reg-empty', 'must', 'AU-REG-06', 'registration answers 201 with an empty body (RFC 7591 §3.2.1)', {
    registration: (r) => void (r.text = ''),
  }),
  plant('c11-reg-http-redirect', 'must', 'AU-REG-11', 'a registered redirect URI is plain http on another host', {
    registration: edit('redirect_uris', (url) => [url, `${far}/callback`]),
  }),
  plant('c11-reg-redirect-string', 'must', 'AU-REG-10 AU-REG-06', 'redirect_uris is a string (RFC 7591 §2)', {
    registration: edit('redirect_uris', (url) => url),
  }),
  plant(
    'c11-reg-management',
    'must',
    'AU-REG-06',
    'registration_access_token without registration_client_uri (RFC 7592 §3)',
    {
      registration: set({ registration_access_token: 'abc-def-ghi' }),
    },
  ),
  plant('c11-token-dpop', 'must', 'AU-GEN-02', 'token_type is DPoP though no proof was sent', {
    token: set({ token_type: 'DPoP' }),
  }),
  plant(
    'c11-token-scope-empty',
    'must',
    'AU-SCOPE-08',
    'scope of the token response is an empty string (RFC 6749 §3.3)',
    {
      token: set({ scope: '' }),
    },
  ),
  plant('c11-refresh-token-number', 'must', 'AU-TOK-03 AU-TOK-02', 'refresh_token is a number (RFC 6749 §5.1)', {
    token: set({ refresh_token: 12345 }),
  }),
  plant(
    'c11-token-basic',
    'must',
    'AU-FLOW-13',
    'a client registered with none is refused: the endpoint wants a secret',
    {
      refuseToken: (x) => (x.form.has('client_secret') ? undefined : 'invalid_client'),
      tokenError: status(401),
    },
  ),
  plant(
    'c11-unknown-error',
    'must',
    'AU-FLOW-06',
    'the error of the authorization response is "denied" (RFC 6749 §4.1.2.1)',
    {
      refuseAuthorize: () => 'denied',
    },
  ),
  plant(
    'c11-iss-other',
    'must',
    'AU-FLOW-08',
    'iss of the redirect back is another issuer (RFC 9207 §2, RFC 9207 §2.4)',
    {
      authorize: (q) => q.set('iss', 'https://login.example.test'),
    },
  ),
  plant('c11-state-empty', 'must', 'AU-FLOW-06', 'the redirect back has an empty state', {
    authorize: (q) => q.set('state', ''),
  }),
  plant('c11-code-short', 'must', 'AU-FLOW-06 AU-FLOW-11', 'the code is a counter (RFC 6749 §10.10)', {
    makeCode: () => '1001',
  }),
  plant('c11-token-counter', 'must', 'AU-TOK-01', 'the access token is a counter (RFC 6749 §10.10)', {
    makeToken: () => 'token-17',
  }),
  plant('c11-401-after-issue', 'must', 'AU-GEN-05', 'a token that was just issued is answered 401', {
    grant: (s) => s,
    token: edit('access_token', (value) => `${value}x`),
  }),
  plant('c11-stepup-basic', 'should', 'AU-SCOPE-03 AU-GEN-05', '403 for a missing scope with a Basic challenge', {
    forbidden: rawChallenge(() => 'Basic realm="mcp"'),
  }, 'step-up'), // prettier-ignore
  plant('c11-stepup-400', 'must', 'AU-GEN-05 AU-SCOPE-03', 'insufficient_scope comes with 400 (RFC 6750 §3.1: 403)', {
    forbidden: status(400),
  }, 'step-up'), // prettier-ignore
  plant('c11-stepup-body', 'must', 'AU-SCOPE-03 AU-GEN-05', 'insufficient_scope is in the body only', {
    forbidden: (r) => void Object.assign(r, { auth: undefined, text: undefined, body: { error: 'insufficient_scope' }, headers: { 'content-type': 'application/json' } }),
  }, 'step-up'), // prettier-ignore
  plant('c11-stepup-empty', 'should', 'AU-SCOPE-03 AU-SCOPE-02', '403 insufficient_scope with an empty scope', {
    forbidden: param('scope', () => ''),
  }, 'step-up'), // prettier-ignore
  plant('c11-revoke-401-page', 'must', 'AU-TOK-01', 'a refused revocation is a page (RFC 7009 §2.2.1)', {
    revoke: () => page(400),
  }, 'revoke'), // prettier-ignore

  plant('d07-signed-garbage', 'must', 'AU-ASM-01', 'signed_metadata has two parts only (RFC 8414 §2.1)', {
    metadata: (r, x) => void (r.body.signed_metadata = signed({ iss: x.issuer }).replace(/\.[^.]*$/, '')),
  }),
  plant('d07-signed-object', 'must', 'AU-ASM-01', 'signed_metadata is an object (RFC 8414 §2.1)', {
    metadata: (r, x) => void (r.body.signed_metadata = { iss: x.issuer }),
  }),
  plant(
    'd07-signed-issuer',
    'must',
    'AU-ASM-06 AU-ASM-01',
    'issuer in signed_metadata is another (RFC 8414 §2.1, RFC 8414 §3.3)',
    {
      metadata: (r, x) =>
        void (r.body.signed_metadata = signed({
          iss: x.issuer,
          issuer: `${x.issuer}/`,
          token_endpoint: r.body.token_endpoint,
        })),
    },
  ),
  plant(
    'd07-prm-signed',
    'must',
    'AU-PRM-01 AU-PRM-06',
    'authorization_servers in signed_metadata is another (RFC 9728 §2.2)',
    {
      prm: (r, x) =>
        void (r.body.signed_metadata = signed({
          iss: x.mcpOrigin,
          resource: x.mcpUrl,
          authorization_servers: ['https://login.example.test'],
        })),
    },
  ),
  plant('d07-authorize-post', 'must', 'AU-FLOW-06', 'authorization endpoint answers 405 to GET (RFC 6749 §3.1)', {
    authorizeReply: refusesGet,
  }),
  plant('d07-authorize-404', 'must', 'AU-ASM-01', 'the authorization_endpoint of the metadata is 404', {
    metadata: edit('authorization_endpoint', (url) => `${url}/v2`),
  }),
  plant('d07-no-metadata', 'must', 'AU-ASM-04 AU-ASM-01', 'neither metadata URL exists', { metadataAt: [] }),
  plant(
    'd07-token-plain-cache',
    'must',
    'AU-TOK-02 AU-TOK-01',
    'Cache-Control of the token response is no-cache (RFC 6749 §5.1)',
    {
      token: (r) => void (r.headers['cache-control'] = 'no-cache'),
    },
  ),
  plant('d07-refresh-in-url', 'must', 'AU-TOK-02 AU-GEN-03', 'the redirect back has a refresh_token', {
    authorize: (q) => q.set('refresh_token', 'refresh-refresh-refresh'),
  }),
  plant('d07-iss-empty', 'must', 'AU-FLOW-08', 'iss of the redirect back is empty', {
    authorize: (q) => q.set('iss', ''),
  }),
  plant('d07-iss-case', 'must', 'AU-FLOW-09 AU-FLOW-08', 'iss of the redirect back is in capitals', {
    authorize: (q, x) => q.set('iss', x.issuer.toUpperCase()),
  }),
  plant('d07-iss-port', 'must', 'AU-FLOW-09 AU-FLOW-08', 'iss has a path that the issuer has not', {
    authorize: (q, x) => q.set('iss', `${x.issuer}/oauth`),
  }),
  plant(
    'd07-reg-redirect-refused',
    'must',
    'AU-REG-08 AU-REG-06',
    'a refused redirect URI has the status 403 (RFC 7591 §3.2.2: 400)',
    {
      refuseRegistration: () => jsonReply(403, { error: 'invalid_redirect_uri', error_description: 'only https' }),
    },
  ),
  plant(
    'd07-reg-200-error',
    'must',
    'AU-REG-08 AU-REG-06',
    'a refused redirect URI has the status 200 (RFC 7591 §3.2.2)',
    {
      refuseRegistration: () => jsonReply(200, { error: 'invalid_redirect_uri' }),
    },
  ),
  plant(
    'd07-reg-redirect-dropped',
    'must',
    'AU-REG-10 AU-REG-06',
    'redirect_uris of the answer is empty (RFC 7591 §3.2.1)',
    {
      registration: set({ redirect_uris: [] }),
    },
  ),
  plant('d07-prm-http', 'must', 'AU-ASM-07 AU-PRM-06', 'the only authorization server is plain http on another host', {
    prm: set({ authorization_servers: [`${far}/`] }),
  }),
  plant('d07-prm-missing-type', 'must', 'AU-PRM-01', 'the resource metadata has no Content-Type (RFC 9728 §3.2)', {
    prm: (r) => void delete r.headers['content-type'],
  }),
  plant('d07-prm-resource-array', 'must', 'AU-PRM-05 AU-PRM-01', 'resource is an array (RFC 9728 §2)', {
    prm: edit('resource', (url) => [url]),
  }),
  plant('d07-scope-array', 'must', 'AU-SCOPE-01 AU-PRM-01', 'scopes_supported is an object (RFC 9728 §2)', {
    prm: set({ scopes_supported: { read: 'mcp:read' } }),
  }),
  plant('d07-expired-rpc', 'must', 'AU-GEN-05 AU-TOK-05', 'an expired token is answered 200 with a JSON-RPC error', {
    challenge: onlyWhen('expired', rpcSays(200)),
  }, 'refresh'), // prettier-ignore
  plant('d07-expired-no-challenge', 'must', 'AU-GEN-05 AU-PRM-02', '401 for an expired token without WWW-Authenticate', {
    challenge: onlyWhen('expired', noChallenge),
  }, 'refresh'), // prettier-ignore
  plant('d07-expired-error', 'must', 'AU-GEN-05', 'the challenge for an expired token says error="expired_token" (RFC 6750 §3.1)', {
    challenge: onlyWhen('expired', param('error', () => 'expired_token')),
  }, 'refresh'), // prettier-ignore
  plant(
    'd07-scope-quotes',
    'must',
    'AU-SCOPE-01 AU-SCOPE-02 AU-PRM-02',
    'the scope of the challenge has an accent (RFC 6750 §3)',
    {
      challenge: param('scope', () => 'mcp:lire mcp:\u00e9crire'),
    },
  ),
  plant('d07-stepup-401', 'must', 'AU-GEN-05 AU-SCOPE-03', 'insufficient_scope comes with 401', {
    forbidden: status(401),
  }, 'step-up'), // prettier-ignore
  plant('d07-stepup-again', 'must', 'AU-SCOPE-02 AU-SCOPE-05 AU-SCOPE-03', 'insufficient_scope for a scope that was granted', {
    lax: { scope: true },
  }, 'step-up'), // prettier-ignore
  plant('d07-stepup-tool', 'should', 'AU-SCOPE-03 AU-GEN-05', 'a missing scope is a JSON-RPC error in a 403 without a challenge', {
    forbidden: rpcSays(403, 'insufficient_scope'),
  }, 'step-up'), // prettier-ignore
  plant('d07-endpoint-object', 'must', 'AU-ASM-01', 'revocation_endpoint is an object (RFC 8414 §2)', {
    metadata: edit('revocation_endpoint', (url) => ({ url })),
  }),
  plant('d07-authorize-data', 'must', 'AU-FLOW-12 AU-ASM-07', 'authorization_endpoint is a data: URL', {
    metadata: set({ authorization_endpoint: 'data:text/html,<p>Sign in</p>' }),
  }),
  plant('d07-cimd-number', 'must', 'AU-REG-02 AU-ASM-01', 'client_id_metadata_document_supported is 1', {
    metadata: set({ client_id_metadata_document_supported: 1 }),
    cimd: true,
  }),
  plant(
    'd07-cimd-refused',
    'should',
    'AU-REG-02',
    'the token endpoint refuses the client whose document was accepted',
    {
      metadata: set({ client_id_metadata_document_supported: true }),
      cimd: true,
      refuseToken: (x) => (x.form.get('client_id')?.startsWith('https:') ? 'invalid_client' : undefined),
      tokenError: status(401),
    },
  ),
  plant(
    'd07-resource-refused',
    'must',
    'AU-FLOW-04',
    'the authorization endpoint answers invalid_target to the resource of its own metadata',
    {
      refuseAuthorize: () => 'invalid_target',
    },
  ),
  plant('d07-refresh-wider', 'must', 'AU-SCOPE-08 AU-TOK-04', 'a refresh adds a scope (RFC 6749 §6)', {
    refresh: set({ scope: 'mcp:read mcp:write admin:all' }),
  }, 'refresh'), // prettier-ignore
  plant('d07-refresh-none', 'must', 'AU-TOK-04', 'a refresh of a public client has no new refresh token', {
    lax: { keepRefresh: true },
    refresh: drop('refresh_token'),
  }, 'refresh'), // prettier-ignore
  plant('d07-token-expiry-string', 'must', 'AU-TOK-01 AU-TOK-05 AU-TOK-03', 'expires_in is "1h" (RFC 6749 §5.1)', {
    token: set({ expires_in: '1h' }),
  }),
]
