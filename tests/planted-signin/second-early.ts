/** A second set, written without the rules at hand: 2025-03-26 and 2025-06-18. */
import { jsonReply, textReply } from './change.ts'
import {
  both,
  drop,
  edit,
  far,
  head,
  noChallenge,
  onlyWhen,
  page,
  param,
  rawChallenge,
  refusesGet,
  set,
  signed,
  status,
  type,
} from './edits.ts'
import { plant, type Violation } from './violation.ts'

const NO_METADATA = { metadataAt: [] } as const

export const secondEarly: readonly Violation[] = [
  plant(
    'a03-fallback-token-missing',
    'must',
    'AU-0326-02',
    'no metadata, and /token at the base URL is 404: the token endpoint is at /oauth/token',
    { ...NO_METADATA, endpoints: { token: '/oauth/token' } },
  ),
  plant(
    'a03-fallback-token-page',
    'must',
    'AU-0326-02',
    'no metadata, and /token at the base URL answers with a page',
    {
      ...NO_METADATA,
      token: () => page(200),
    },
  ),
  plant(
    'a03-fallback-token-405',
    'must',
    'AU-0326-02',
    'no metadata, and /token at the base URL refuses POST with 405',
    {
      ...NO_METADATA,
      refuseToken: () => 'invalid_request',
      tokenError: () => ({ ...textReply(405, 'GET only'), headers: { allow: 'GET' } }),
    },
  ),
  plant(
    'a03-fallback-authorize-missing',
    'must',
    'AU-0326-02',
    'no metadata, and /authorize at the base URL is 404: the endpoint is at /oauth/authorize',
    { ...NO_METADATA, endpoints: { authorize: '/oauth/authorize' } },
  ),
  plant(
    'a03-fallback-register-missing',
    'must',
    'AU-0326-02 AU-0326-05',
    'no metadata, and /register at the base URL is 404, while /authorize and /token are there',
    { ...NO_METADATA, endpoints: { register: '/oauth/register' } },
  ),
  plant('a03-fallback-json', 'must', 'AU-0326-04', 'no metadata; /token wants JSON: 415 to a form (RFC 6749 §4.1.3)', {
    ...NO_METADATA,
    refuseToken: () => 'invalid_request',
    tokenError: status(415),
  }),
  plant('a03-authorize-post-only', 'must', 'AU-0326-04', 'authorization endpoint answers 405 to GET (RFC 6749 §3.1)', {
    authorizeReply: refusesGet,
  }),
  plant('a03-authorize-404', 'must', 'AU-ASM-01', 'the authorization_endpoint of the metadata is 404', {
    metadata: edit('authorization_endpoint', (url) => `${url}/v2`),
  }),
  plant(
    'a03-version-header',
    'should',
    'AU-0326-03 AU-ASM-01',
    'the metadata URL refuses requests with MCP-Protocol-Version',
    {
      metadata: (_, x) =>
        x.requestHeaders['mcp-protocol-version'] === undefined
          ? undefined
          : textReply(400, 'Bad Request: MCP-Protocol-Version is not expected here'),
    },
  ),
  plant('a03-metadata-page', 'must', 'AU-ASM-01 AU-0326-01', 'the metadata URL answers 200 with a page', {
    metadata: () => page(200),
  }),
  plant(
    'a03-code-token',
    'must',
    'AU-ASM-01 AU-0326-04',
    'response_types_supported lists only "code token" (RFC 8414 §2)',
    { metadata: set({ response_types_supported: ['code token'] }) },
  ),
  plant(
    'a03-reg-code-token',
    'must',
    'AU-REG-06 AU-0326-05 AU-0326-04',
    'the registration has the response type "code token" instead of "code" (RFC 7591 §2.1)',
    { registration: set({ response_types: ['code token'] }) },
  ),
  plant('a03-reg-http-redirect', 'must', 'AU-REG-11', 'a registered redirect URI is plain http on another host', {
    registration: edit('redirect_uris', (url) => [url, `${far}/callback`]),
  }),
  plant(
    'a03-pkce-at-token',
    'must',
    'AU-FLOW-01 AU-0326-04',
    'the token endpoint refuses code_verifier as an unknown parameter',
    {
      refuseToken: (x) => (x.form.has('code_verifier') ? 'invalid_request' : undefined),
      tokenError: set({ error_description: 'unknown parameter: code_verifier' }),
    },
  ),
  plant('a03-pkce-at-authorize', 'must', 'AU-FLOW-01 AU-0326-04', 'the authorization endpoint refuses code_challenge', {
    refuseAuthorize: (x) => (x.url.searchParams.has('code_challenge') ? 'invalid_request' : undefined),
    authorize: (q) => {
      if (q.has('error')) q.set('error_description', 'code_challenge is not supported')
    },
  }),
  plant('a03-token-in-query', 'should', 'AU-GEN-03 AU-0326-04', 'the redirect back has an access_token as well', {
    authorize: (q) => q.set('access_token', 'an-access-token-4711'),
  }),
  plant('a03-scope-list', 'must', 'AU-0326-04 AU-SCOPE-08', 'scope of the token response is an array (RFC 6749 §5.1)', {
    token: edit('scope', (scope) => scope.split(' ')),
  }),
  plant('a03-expires-float', 'must', 'AU-0326-04 AU-TOK-01', 'expires_in is 3599.5 (RFC 6749 §5.1)', {
    token: set({ expires_in: 3599.5 }),
  }),
  plant('a03-refresh-no-type', 'must', 'AU-0326-04 AU-GEN-02', 'the refresh response has no token_type (RFC 6749 §5.1)', {
    refresh: drop('token_type'),
  }, 'refresh'), // prettier-ignore
  plant('a03-error-uri', 'must', 'AU-0326-04', 'error_uri in an error response has spaces (RFC 6749 §4.1.2.1)', {
    refuseAuthorize: () => 'access_denied',
    authorize: (q) => {
      if (q.has('error')) q.set('error_uri', 'see our help pages')
    },
  }),
  plant(
    'a03-register-401',
    'must',
    'AU-REG-06 AU-0326-05',
    'a refused registration has no error member (RFC 7591 §3.2.2)',
    {
      refuseRegistration: () => jsonReply(422, { detail: [{ msg: 'field required' }] }),
    },
  ),

  plant('b06-prm-name', 'must', 'AU-PRM-01', 'resource_name is an object (RFC 9728 §2)', {
    prm: set({ resource_name: { en: 'Small world' } }),
  }),
  plant('b06-prm-docs', 'must', 'AU-PRM-01', 'resource_documentation is a relative reference (RFC 9728 §2: URL)', {
    prm: set({ resource_documentation: '/docs' }),
  }),
  plant('b06-prm-jwks', 'must', 'AU-PRM-01 AU-ASM-07', 'jwks_uri is plain http (RFC 9728 §2: https)', {
    prm: set({ jwks_uri: `${far}/jwks` }),
  }),
  plant('b06-prm-methods', 'must', 'AU-PRM-01 AU-GEN-02', 'bearer_methods_supported is a string (RFC 9728 §2)', {
    prm: set({ bearer_methods_supported: 'header' }),
  }),
  plant(
    'b06-prm-alg',
    'must',
    'AU-PRM-01',
    'resource_signing_alg_values_supported lists none (RFC 9728 §2: MUST NOT)',
    {
      prm: set({ resource_signing_alg_values_supported: ['ES256', 'none'] }),
    },
  ),
  plant('b06-prm-dpop', 'must', 'AU-PRM-01', 'dpop_bound_access_tokens_required is "false" (RFC 9728 §2: boolean)', {
    prm: set({ dpop_bound_access_tokens_required: 'false' }),
  }),
  plant('b06-prm-scope', 'must', 'AU-PRM-01 AU-SCOPE-01', 'a scope in scopes_supported has a space (RFC 6749 §3.3)', {
    prm: set({ scopes_supported: ['mcp read', 'mcp:write'] }),
  }),
  plant('b06-prm-issuer-query', 'must', 'AU-PRM-06', 'the listed issuer has a query (RFC 8414 §2)', {
    prm: edit('authorization_servers', (url) => [`${url}?tenant=1`]),
  }),
  plant('b06-prm-500', 'must', 'AU-PRM-01 AU-PRM-02', 'the resource metadata answers 500', { prm: () => page(500) }),
  plant('b06-prm-array', 'must', 'AU-PRM-01', 'the resource metadata is an array (RFC 9728 §3.2)', {
    prm: (r) => void (r.text = JSON.stringify([r.body])),
  }),
  plant('b06-prm-signed-garbage', 'must', 'AU-PRM-01', 'signed_metadata is no JWT (RFC 9728 §2.2)', {
    prm: set({ signed_metadata: 'not-a-token' }),
  }),
  plant('b06-prm-signed-no-iss', 'must', 'AU-PRM-01', 'signed_metadata has no iss claim (RFC 9728 §2.2)', {
    prm: (r) => void (r.body.signed_metadata = signed({ resource: r.body.resource })),
  }),
  plant(
    'b06-prm-signed-other',
    'must',
    'AU-PRM-01 AU-PRM-05',
    'resource in signed_metadata is another server (RFC 9728 §2.2, RFC 9728 §3.3)',
    {
      prm: (r, x) =>
        void (r.body.signed_metadata = signed({ iss: x.mcpOrigin, resource: 'https://mcp.example.test/other' })),
    },
  ),
  plant(
    'b06-challenge-twice',
    'must',
    'AU-PRM-02 AU-GEN-05',
    'a parameter occurs twice in the challenge (RFC 9110 §11.2)',
    {
      challenge: rawChallenge(
        (x) => `Bearer realm="mcp", resource_metadata="${x.prmUrl}", resource_metadata="${x.prmUrl}/old"`,
      ),
    },
  ),
  plant('b06-challenge-token', 'must', 'AU-GEN-05 AU-PRM-02', 'the challenge is the scheme "Token" (RFC 6750 §3)', {
    challenge: rawChallenge((x) => `Token realm="mcp", resource_metadata="${x.prmUrl}"`),
  }),
  plant('b06-expired-500', 'must', 'AU-GEN-05', 'an expired token is answered 500 (RFC 6750 §3.1)', {
    challenge: onlyWhen('expired', both(noChallenge, status(500))),
  }, 'refresh'), // prettier-ignore
  plant('b06-description', 'must', 'AU-GEN-05', 'error_description of the challenge has a letter with an accent (RFC 6750 §3)', {
    challenge: onlyWhen('expired', param('error_description', () => 'Le jeton a expir\u00e9')),
  }, 'refresh'), // prettier-ignore
  plant('b06-invalid-token-400', 'must', 'AU-GEN-05', 'invalid_token with 400 instead of 401 (RFC 6750 §3.1)', {
    challenge: onlyWhen('expired', status(400)),
  }, 'refresh'), // prettier-ignore
  plant('b06-issuer-fragment', 'must', 'AU-ASM-01 AU-ASM-05', 'issuer has a fragment (RFC 8414 §2)', {
    metadata: edit('issuer', (url) => `${url}#main`),
  }),
  plant('b06-issuer-other', 'must', 'AU-ASM-01 AU-ASM-06', 'issuer is another host (RFC 8414 §3.3)', {
    metadata: set({ issuer: 'https://login.example.test' }),
  }),
  plant('b06-register-404', 'must', 'AU-REG-06 AU-ASM-01', 'the registration_endpoint of the metadata is 404', {
    metadata: edit('registration_endpoint', (url) => `${url}/v2`),
  }),
  plant('b06-token-404', 'must', 'AU-ASM-01', 'the token_endpoint of the metadata is 404', {
    metadata: edit('token_endpoint', (url) => `${url}/v2`),
  }),
  plant('b06-authorize-404', 'must', 'AU-ASM-01', 'the authorization_endpoint of the metadata is 404', {
    metadata: edit('authorization_endpoint', (url) => `${url}/v2`),
  }),
  plant('b06-authorize-post', 'must', 'AU-FLOW-04', 'authorization endpoint answers 405 to GET (RFC 6749 §3.1)', {
    authorizeReply: refusesGet,
  }),
  plant(
    'b06-challenge-lower',
    'must',
    'AU-FLOW-01',
    'code_challenge_methods_supported says "s256" (RFC 7636 §4.2, RFC 8414 §2)',
    {
      metadata: set({ code_challenge_methods_supported: ['s256'] }),
    },
  ),
  plant('b06-reg-id-number', 'must', 'AU-REG-06', 'client_id is a number (RFC 7591 §3.2.1)', {
    registration: set({ client_id: 4711 }),
  }),
  plant('b06-reg-expiry-string', 'must', 'AU-REG-06', 'client_secret_expires_at is a date (RFC 7591 §3.2.1)', {
    registration: set({
      client_secret: 'a-secret-a-secret',
      client_secret_expires_at: '2030-01-01',
      token_endpoint_auth_method: 'none',
    }),
  }),
  plant('b06-reg-issued-ms', 'must', 'AU-REG-06', 'client_id_issued_at is in milliseconds (RFC 7591 §3.2.1)', {
    registration: edit('client_id_issued_at', (seconds) => Number(seconds) * 1000),
  }),
  plant('b06-reg-grants-string', 'must', 'AU-REG-06 AU-REG-09', 'grant_types is a string (RFC 7591 §2)', {
    registration: set({ grant_types: 'authorization_code refresh_token' }),
  }),
  plant('b06-reg-no-grant', 'must', 'AU-REG-06', 'grant_types has only refresh_token (RFC 7591 §2)', {
    registration: set({ grant_types: ['refresh_token'] }),
  }),
  plant(
    'b06-reg-method-odd',
    'must',
    'AU-FLOW-13',
    'the registered method is tls_client_auth, which nobody asked for',
    {
      registration: set({ token_endpoint_auth_method: 'tls_client_auth' }),
    },
  ),
  plant(
    'b06-reg-error-403',
    'must',
    'AU-REG-06 AU-REG-08',
    'invalid_redirect_uri comes with 403 (RFC 7591 §3.2.2: 400)',
    {
      refuseRegistration: () => jsonReply(403, { error: 'invalid_redirect_uri' }),
    },
  ),
  plant('b06-token-cache', 'must', 'AU-TOK-01', 'the token response may be stored: max-age=3600 (RFC 6749 §5.1)', {
    token: head('cache-control', 'max-age=3600'),
  }),
  plant('b06-token-page', 'must', 'AU-ASM-01 AU-TOK-01', 'the token endpoint answers 200 with a page (RFC 6749 §5.1)', {
    token: () => page(200),
  }),
  plant('b06-token-nested', 'must', 'AU-TOK-01', 'access_token is inside data (RFC 6749 §5.1)', {
    token: (r) => void (r.body = { data: r.body as never }),
  }),
  plant('b06-token-type-text', 'must', 'AU-TOK-01', 'the token response is text/plain (RFC 6749 §5.1)', {
    token: type('text/plain'),
  }),
  plant('b06-refresh-scope', 'must', 'AU-TOK-04 AU-SCOPE-08', 'a refresh adds a scope (RFC 6749 §6)', {
    refresh: set({ scope: 'mcp:read mcp:write admin:all' }),
  }, 'refresh'), // prettier-ignore
  plant('b06-refresh-expires', 'must', 'AU-TOK-05 AU-TOK-01', 'a refresh has expires_in 0 (RFC 6749 §5.1)', {
    refresh: set({ expires_in: 0 }),
  }, 'refresh'), // prettier-ignore
  plant('b06-token-error-500', 'must', 'AU-GEN-05 AU-TOK-05', 'an invalid_grant comes with 500 (RFC 6749 §5.2)', {
    refuseToken: (_, g) => (g === 'authorization_code' ? 'invalid_grant' : undefined),
    tokenError: status(500),
  }),
  plant('b06-revoke-204', 'must', 'AU-TOK-01', 'a revocation is answered 204 (RFC 7009 §2.2: 200)', {
    revoke: status(204),
  }, 'revoke'), // prettier-ignore
]
