/** 2026-07-28. */
import { jsonReply } from './change.ts'
import {
  far,
  both,
  drop,
  set,
  edit,
  status,
  head,
  cacheable,
  param,
  noParam,
  noChallenge,
  onlyWhen,
  page,
} from './edits.ts'
import { plant, type Violation } from './violation.ts'

export const newest: readonly Violation[] = [
  plant(
    'd07-no-challenge',
    'must',
    'AU-PRM-02 AU-GEN-05 AU-GEN-06 AU-PRM-01',
    '401 without WWW-Authenticate; the well-known address works',
    { challenge: noChallenge },
  ),
  plant('d07-missing-token-404', 'must', 'AU-GEN-05 AU-GEN-06', '404 instead of 401 when no token was sent', {
    challenge: onlyWhen('missing', status(404)),
  }),
  plant(
    'd07-missing-token-redirect',
    'must',
    'AU-GEN-05 AU-GEN-06',
    '302 to a sign-in page instead of 401 when no token was sent',
    {
      challenge: onlyWhen(
        'missing',
        both(noChallenge, status(302), (r, x) => void (r.headers.location = `${x.asOrigin}/login`)),
      ),
    },
  ),
  plant('d07-prm-resource-host', 'must', 'AU-PRM-05 AU-PRM-01', 'resource names another host than the server', {
    prm: set({ resource: 'https://api.example.test/mcp' }),
  }),
  plant('d07-prm-no-servers', 'must', 'AU-PRM-06 AU-PRM-01', 'resource metadata without authorization_servers', {
    prm: drop('authorization_servers'),
  }),
  plant(
    'd07-prm-http-address',
    'must',
    'AU-PRM-02 AU-ASM-07 AU-PRM-01',
    'resource_metadata in the challenge is plain http on a host that is not loopback (RFC 9728 §3: https)',
    { challenge: param('resource_metadata', () => 'http://mcp.example.test/.well-known/oauth-protected-resource/mcp') },
  ),
  plant('d07-offline-prm', 'should', 'AU-SCOPE-07', 'scopes_supported of the resource metadata lists offline_access', {
    prm: set({ scopes_supported: ['mcp:read', 'mcp:write', 'offline_access'] }),
  }),
  plant('d07-offline-challenge', 'should', 'AU-SCOPE-07', 'the challenge asks for offline_access', {
    challenge: param('scope', () => 'mcp:read offline_access'),
  }),
  plant(
    'd07-offline-stepup',
    'should',
    'AU-SCOPE-07',
    'the 403 challenge asks for offline_access',
    { forbidden: param('scope', () => 'mcp:read mcp:write offline_access') },
    'step-up',
  ),
  plant(
    'd07-scope-in-commas',
    'should',
    'AU-SCOPE-02 AU-SCOPE-01 AU-PRM-02',
    'the scopes of the challenge are parted by commas and blanks (RFC 6750 §3: blanks)',
    { challenge: param('scope', () => 'mcp:read, mcp:write') },
  ),
  plant(
    'd07-stepup-no-error',
    'should',
    'AU-SCOPE-03 AU-GEN-05',
    '403 for insufficient scope whose challenge has no error',
    { forbidden: noParam('error') },
    'step-up',
  ),
  plant(
    'd07-stepup-no-header',
    'should',
    'AU-SCOPE-03 AU-GEN-05 AU-SCOPE-02',
    '403 for insufficient scope without WWW-Authenticate',
    { forbidden: noChallenge },
    'step-up',
  ),
  plant(
    'd07-expired-403',
    'must',
    'AU-GEN-05 AU-TOK-05',
    'an expired token is answered 403 invalid_token instead of 401',
    { challenge: onlyWhen('expired', status(403)) },
    'refresh',
  ),
  plant(
    'd07-issuer-slash',
    'must',
    'AU-ASM-06',
    'issuer in the metadata has a trailing slash that authorization_servers has not',
    { metadata: edit('issuer', (url) => `${url}/`), authorize: (q, x) => q.set('iss', x.issuer + '/') },
  ),
  plant('d07-issuer-other', 'must', 'AU-ASM-06', 'issuer in the metadata is another host', {
    metadata: set({ issuer: 'https://login.example.test' }),
  }),
  plant('d07-issuer-missing', 'must', 'AU-ASM-06 AU-ASM-01', 'metadata without issuer', { metadata: drop('issuer') }),
  plant(
    'd07-issuer-scheme-case',
    'must',
    'AU-ASM-06 AU-FLOW-09',
    'issuer in the metadata writes its scheme in capitals',
    { metadata: edit('issuer', (url) => url.replace('http:', 'HTTP:')) },
  ),
  plant(
    'd07-tenant-issuer',
    'must',
    'AU-ASM-06 AU-ASM-03',
    'issuer with a path; its metadata names the issuer without the path',
    { issuerPath: '/tenant', metadata: edit('issuer', (_, x) => x.asOrigin) },
  ),
  plant('d07-iss-missing', 'must', 'AU-FLOW-08', 'metadata promises iss, the redirect back has none', {
    authorize: (q) => q.delete('iss'),
  }),
  plant('d07-iss-other', 'must', 'AU-FLOW-08 AU-FLOW-09 AU-FLOW-11', 'iss of the redirect back is another issuer', {
    authorize: (q) => q.set('iss', 'https://login.example.test'),
  }),
  plant(
    'd07-iss-slash',
    'must',
    'AU-FLOW-09 AU-FLOW-08',
    'iss of the redirect back has a trailing slash that issuer has not',
    { authorize: (q, x) => q.set('iss', x.issuer + '/') },
  ),
  plant(
    'd07-iss-double-encoded',
    'must',
    'AU-FLOW-09 AU-FLOW-08',
    'iss of the redirect back is percent-encoded twice',
    {
      authorize: (q, x) => q.set('iss', encodeURIComponent(x.issuer)),
    },
  ),
  plant(
    'd07-iss-twice',
    'must',
    'AU-FLOW-08 AU-FLOW-09',
    'the redirect back has iss twice, the second one another issuer',
    { authorize: (q) => q.append('iss', 'https://login.example.test') },
  ),
  plant(
    'd07-iss-unpromised-other',
    'must',
    'AU-FLOW-08 AU-FLOW-09',
    'iss is not promised, but sent and another issuer',
    {
      metadata: drop('authorization_response_iss_parameter_supported'),
      authorize: (q) => q.set('iss', 'https://login.example.test'),
    },
  ),
  plant(
    'd07-iss-error-other',
    'must',
    'AU-FLOW-10 AU-FLOW-08 AU-FLOW-09',
    'an error response has the iss of another issuer',
    {
      refuseAuthorize: () => 'access_denied',
      authorize: (q) => {
        q.set('iss', 'https://login.example.test')
        q.set('error_description', 'please call 555-0100')
      },
    },
  ),
  plant(
    'd07-iss-error-missing',
    'must',
    'AU-FLOW-10 AU-FLOW-08',
    'metadata promises iss, an error response has none (RFC 9207 §2)',
    { refuseAuthorize: () => 'access_denied', authorize: (q) => q.delete('iss') },
  ),
  plant(
    'd07-iss-flag-string',
    'must',
    'AU-FLOW-08 AU-ASM-01',
    'authorization_response_iss_parameter_supported is the string "true" (RFC 9207 §3: a boolean)',
    { metadata: set({ authorization_response_iss_parameter_supported: 'true' }) },
  ),
  plant('d07-state-missing', 'must', 'AU-FLOW-06', 'the redirect back has no state', {
    authorize: (q) => q.delete('state'),
  }),
  plant(
    'd07-code-in-fragment',
    'must',
    'AU-FLOW-06 AU-FLOW-08 AU-FLOW-01',
    'code, state and iss come back in the fragment instead of the query (RFC 6749 §4.1.2)',
    { authorizeReply: (r) => void (r.headers.location = String(r.headers.location).replace('?', '#')) },
  ),
  plant(
    'd07-no-s256',
    'must',
    'AU-FLOW-03 AU-FLOW-02 AU-FLOW-01',
    'metadata without code_challenge_methods_supported',
    {
      metadata: drop('code_challenge_methods_supported'),
    },
  ),
  plant('d07-http-token', 'must', 'AU-ASM-07', 'token_endpoint is plain http on a host that is not loopback', {
    metadata: set({ token_endpoint: far + '/token' }),
  }),
  plant(
    'd07-http-jwks',
    'must',
    'AU-ASM-07 AU-ASM-01',
    'jwks_uri is plain http on a host that is not loopback (RFC 8414 §2: https)',
    { metadata: set({ jwks_uri: far + '/jwks' }) },
  ),
  plant(
    'd07-http-revocation',
    'must',
    'AU-ASM-07',
    'revocation_endpoint is plain http on a host that is not loopback',
    {
      metadata: set({ revocation_endpoint: far + '/revoke' }),
    },
  ),
  plant(
    'd07-none-alg',
    'must',
    'AU-ASM-01 AU-FLOW-13 AU-REG-04',
    'token_endpoint_auth_signing_alg_values_supported lists "none" (RFC 8414 §2: MUST NOT)',
    {
      metadata: set({
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
        token_endpoint_auth_signing_alg_values_supported: ['none', 'ES256'],
      }),
    },
  ),
  plant(
    'd07-reg-application-type',
    'should',
    'AU-REG-07 AU-REG-06',
    'another application_type is registered than the one asked for',
    { registration: edit('application_type', (value) => (value === 'web' ? 'native' : 'web')) },
  ),
  plant(
    'd07-reg-type-refused',
    'must',
    'AU-REG-07 AU-REG-08 AU-REG-06',
    'registration is refused because of application_type (RFC 7591 §2: unknown metadata MUST be ignored)',
    {
      refuseRegistration: (x) =>
        x.json?.application_type !== undefined
          ? jsonReply(400, { error: 'invalid_client_metadata', error_description: 'unknown member: application_type' })
          : undefined,
    },
  ),
  plant(
    'd07-reg-refresh-dropped',
    'should',
    'AU-REG-09 AU-REG-06',
    'grant_types asked for refresh_token, the answer has only authorization_code, though the metadata lists refresh_token',
    { registration: set({ grant_types: ['authorization_code'] }) },
  ),
  plant(
    'd07-reg-error-page',
    'must',
    'AU-REG-08 AU-REG-06',
    'a refused registration is answered with a page and no JSON error (RFC 7591 §3.2.2)',
    { refuseRegistration: () => page(400) },
  ),
  plant('d07-reg-200', 'must', 'AU-REG-06', 'registration answers 200 instead of 201', { registration: status(200) }),
  plant(
    'd07-second-same-client',
    'should',
    'AU-REG-06 AU-REG-12',
    'every registration gets the same client_id (RFC 7591 §3.2.1: SHOULD NOT be valid for another client)',
    { registration: edit('client_id', (_, x) => (x.client!.client_id = 'shared-client')) },
    'second-connection',
  ),
  plant(
    'd07-second-same-code',
    'must',
    'AU-FLOW-11 AU-FLOW-06 AU-FLOW-01',
    'every sign-in gets the same authorization code (RFC 6749 §4.1.2, §10.10: single use, unguessable)',
    { makeCode: () => 'the-one-code' },
    'second-connection',
  ),
  plant('d07-token-no-type', 'must', 'AU-GEN-02 AU-FLOW-04', 'token response without token_type', {
    token: drop('token_type'),
  }),
  plant('d07-token-cacheable', 'must', 'AU-TOK-02 AU-TOK-01', 'token response without Cache-Control: no-store', {
    token: cacheable,
  }),
  plant(
    'd07-token-public-cache',
    'must',
    'AU-TOK-02 AU-TOK-01',
    'token response with Cache-Control: public, max-age=600',
    { token: both(cacheable, head('cache-control', 'public, max-age=600')) },
  ),
  plant('d07-token-negative', 'must', 'AU-TOK-05 AU-TOK-01 AU-TOK-03', 'expires_in is -1 (RFC 6749 §5.1)', {
    token: set({ expires_in: -1 }),
  }),
  plant(
    'd07-client-refused',
    'must',
    'AU-FLOW-13',
    'the token endpoint refuses a public client with 401 invalid_client, though it registered it with "none"',
    {
      refuseToken: (x) => (x.client?.token_endpoint_auth_method === 'none' ? 'invalid_client' : undefined),
      tokenError: status(401),
    },
  ),
  plant(
    'd07-refresh-same',
    'must',
    'AU-TOK-04',
    'refreshing gives the same refresh token again to a public client',
    { lax: { keepRefresh: true }, refresh: edit('refresh_token', (_, x) => x.oldRefresh) },
    'refresh',
  ),
  plant(
    'd07-refresh-cacheable',
    'must',
    'AU-TOK-02 AU-TOK-01',
    'the refresh response has no Cache-Control: no-store',
    { refresh: cacheable },
    'refresh',
  ),
  plant(
    'd07-refresh-error-200',
    'must',
    'AU-TOK-05 AU-GEN-05 AU-TOK-04',
    'a refused refresh is answered 200 with an error body',
    { refuseToken: (_, g) => (g === 'refresh_token' ? 'invalid_grant' : undefined), tokenError: status(200) },
    'refresh',
  ),
  plant(
    'd07-refresh-no-error-code',
    'must',
    'AU-TOK-05 AU-GEN-05 AU-TOK-04',
    'a refused refresh has status 400 and no error member',
    {
      refuseToken: (_, g) => (g === 'refresh_token' ? 'invalid_grant' : undefined),
      tokenError: (r) => void (r.body = { message: 'expired' }),
    },
    'refresh',
  ),
]
