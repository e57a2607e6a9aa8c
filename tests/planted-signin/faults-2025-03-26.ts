/** 2025-03-26: the server is its own authorization server. */
import {
  far,
  drop,
  set,
  edit,
  status,
  cacheable,
  noChallenge,
  rawChallenge,
  rpcSays,
  onlyWhen,
  page,
  register,
} from './edits.ts'
import { plant, type Violation } from './violation.ts'

export const oldest: readonly Violation[] = [
  plant(
    'a03-no-challenge',
    'must',
    'AU-GEN-05 AU-0326-04 AU-PRM-02 AU-GEN-06',
    '401 without WWW-Authenticate (OAuth 2.1 / RFC 6750 §3)',
    { challenge: noChallenge },
  ),
  plant('a03-bare-challenge', 'must', 'AU-GEN-05', 'WWW-Authenticate is the bare word Bearer (RFC 6750 §3)', {
    challenge: rawChallenge(() => 'Bearer'),
  }),
  plant('a03-missing-token-403', 'must', 'AU-GEN-05 AU-GEN-06', '403 instead of 401 when no token was sent', {
    challenge: onlyWhen('missing', status(403)),
  }),
  plant('a03-missing-token-200', 'must', 'AU-GEN-05 AU-GEN-06', '200 with a JSON-RPC error when no token was sent', {
    challenge: onlyWhen('missing', rpcSays(200)),
  }),
  plant(
    'a03-expired-403',
    'must',
    'AU-GEN-05 AU-TOK-05',
    'an expired token is answered 403 instead of 401',
    { challenge: onlyWhen('expired', status(403)) },
    'refresh',
  ),
  plant(
    'a03-issuer-other',
    'must',
    'AU-0326-01 AU-ASM-01 AU-ASM-06',
    'issuer in the metadata is another host than the one it was fetched from (RFC 8414 §3.3)',
    { metadata: set({ issuer: 'https://login.example.test' }) },
  ),
  plant('a03-no-token-endpoint', 'must', 'AU-ASM-01 AU-0326-02 AU-0326-01', 'metadata without token_endpoint', {
    metadata: drop('token_endpoint'),
  }),
  plant(
    'a03-no-metadata-no-fallback',
    'must',
    'AU-0326-02 AU-ASM-01 AU-0326-01',
    'no metadata, and the default endpoints at the root are not there (they live below /oauth/)',
    {
      metadataAt: [],
      endpoints: { authorize: '/oauth/authorize', token: '/oauth/token', register: '/oauth/register' },
    },
  ),
  plant('a03-metadata-500', 'must', 'AU-0326-01 AU-ASM-01 AU-0326-02', 'the metadata address answers 500 with a page', {
    metadata: () => page(500),
  }),
  plant('a03-http-token', 'must', 'AU-ASM-07', 'token_endpoint is plain http on a host that is not loopback', {
    metadata: set({ token_endpoint: far + '/token' }),
  }),
  plant(
    'a03-plain-only',
    'must',
    'AU-0326-04 AU-FLOW-01 AU-FLOW-02 AU-FLOW-03',
    'code_challenge_methods_supported lists plain only; S256 is mandatory to implement (RFC 7636 §4.2, OAuth 2.1)',
    { metadata: set({ code_challenge_methods_supported: ['plain'] }) },
  ),
  plant(
    'a03-no-registration',
    'should',
    'AU-0326-05 AU-REG-06',
    'no registration endpoint although dynamic registration SHOULD be supported',
    { metadata: drop('registration_endpoint'), endpoints: { register: '/not-told' } },
  ),
  plant('a03-reg-200', 'must', 'AU-REG-06 AU-0326-05', 'registration answers 200 instead of 201 (RFC 7591 §3.2.1)', {
    registration: status(200),
  }),
  plant(
    'a03-reg-no-secret-expiry',
    'must',
    'AU-REG-06 AU-0326-05 AU-FLOW-13',
    'a client_secret without client_secret_expires_at (RFC 7591 §3.2.1)',
    { registration: register('client_secret_post', { client_secret: 's3cret-s3cret-s3cret' }) },
  ),
  plant('a03-state-dropped', 'must', 'AU-0326-04 AU-FLOW-06', 'the redirect back has no state (RFC 6749 §4.1.2)', {
    authorize: (q) => q.delete('state'),
  }),
  plant(
    'a03-token-no-type',
    'must',
    'AU-0326-04 AU-GEN-02 AU-ASM-01',
    'token response without token_type (RFC 6749 §5.1)',
    { token: drop('token_type') },
  ),
  plant(
    'a03-token-cacheable',
    'must',
    'AU-0326-04 AU-TOK-01 AU-TOK-02',
    'token response without Cache-Control: no-store (RFC 6749 §5.1)',
    { token: cacheable },
  ),
  plant(
    'a03-token-error-200',
    'must',
    'AU-0326-04 AU-GEN-05',
    'a refused code exchange is answered 200 with an error body (RFC 6749 §5.2)',
    { refuseToken: (_, g) => (g === 'authorization_code' ? 'invalid_grant' : undefined), tokenError: status(200) },
  ),
  plant(
    'a03-refresh-same',
    'should',
    'AU-TOK-04',
    'refreshing gives the same refresh token again to a public client',
    { lax: { keepRefresh: true }, refresh: edit('refresh_token', (_, x) => x.oldRefresh) },
    'refresh',
  ),
  plant('a03-javascript-authorize', 'must', 'AU-FLOW-12 AU-ASM-07', 'authorization_endpoint is a javascript: URL', {
    metadata: set({ authorization_endpoint: 'javascript:alert(document.domain)//' }),
  }),
]
