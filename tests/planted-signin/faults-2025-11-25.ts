/** 2025-11-25: challenges, documents, registrations and redirects back. */
import { jsonReply } from './change.ts'
import { far, both, drop, set, edit, param, noParam, register, openId } from './edits.ts'
import { plant, type Violation } from './violation.ts'

export const documents: readonly Violation[] = [
  plant(
    'c11-no-prm',
    'must',
    'AU-PRM-01 AU-PRM-03 AU-PRM-02',
    'no resource metadata at all: not in the challenge, not at the well-known addresses',
    { prmAt: [] },
  ),
  plant('c11-challenge-no-scope', 'should', 'AU-SCOPE-01 AU-PRM-02', 'the 401 challenge names no scope', {
    challenge: noParam('scope'),
  }),
  plant(
    'c11-challenge-error-early',
    'should',
    'AU-PRM-02 AU-GEN-05',
    'the challenge to a request without a token has error="invalid_token" (RFC 6750 §3.1: SHOULD NOT)',
    { challenge: param('error', () => 'invalid_token') },
  ),
  plant(
    'c11-prm-resource-slash',
    'must',
    'AU-PRM-05 AU-FLOW-05',
    'resource has a trailing slash that the URL of the server has not',
    { prm: edit('resource', (url) => `${url}/`) },
  ),
  plant('c11-prm-resource-sibling', 'must', 'AU-PRM-05 AU-FLOW-05', 'resource is another path on the same host', {
    prm: edit('resource', (_, x) => `${x.mcpOrigin}/api`),
  }),
  plant(
    'c11-prm-scopes-string',
    'must',
    'AU-SCOPE-01 AU-PRM-01',
    'scopes_supported is a string, not an array (RFC 9728 §2)',
    { prm: set({ scopes_supported: 'mcp:read mcp:write' }) },
  ),
  plant(
    'c11-prm-empty-array',
    'must',
    'AU-PRM-01 AU-SCOPE-01',
    'scopes_supported is an empty array (RFC 9728 §3.2: MUST be left out)',
    { prm: set({ scopes_supported: [] }) },
  ),
  plant('c11-prm-empty-servers', 'must', 'AU-PRM-06 AU-PRM-01', 'authorization_servers is an empty array', {
    prm: set({ authorization_servers: [] }),
  }),
  plant(
    'c11-prm-not-an-issuer',
    'must',
    'AU-PRM-06 AU-ASM-04 AU-ASM-03 AU-ASM-06',
    'authorization_servers holds the address of the metadata document, not the issuer',
    { prm: edit('authorization_servers', (url) => [`${url}/.well-known/oauth-authorization-server`]) },
  ),
  plant('c11-prm-broken-json', 'must', 'AU-PRM-01', 'resource metadata is not JSON', {
    prm: (r) => void (r.text = `${JSON.stringify(r.body).slice(0, -1)},}`),
  }),
  plant(
    'c11-prm-http-server',
    'must',
    'AU-ASM-07 AU-PRM-06',
    'authorization_servers names a plain http issuer on a host that is not loopback',
    { prm: set({ authorization_servers: [far] }) },
  ),
  plant(
    'c11-prm-at-root-only',
    'advice',
    'AU-PRM-05 AU-PRM-03',
    'no resource_metadata in the challenge; the document at the root well-known address names /mcp, which it was not derived from (RFC 9728 §3.3), and the path address is 404',
    { prmAt: ['/.well-known/oauth-protected-resource'], challenge: noParam('resource_metadata') },
  ),
  plant(
    'c11-body-only',
    'must',
    'AU-GEN-02 AU-GEN-03',
    'bearer_methods_supported lists body only, though MCP sends the header',
    { prm: set({ bearer_methods_supported: ['body'] }) },
  ),
  plant(
    'c11-no-s256',
    'must',
    'AU-FLOW-03 AU-FLOW-02 AU-FLOW-01',
    'metadata without code_challenge_methods_supported',
    {
      metadata: drop('code_challenge_methods_supported'),
    },
  ),
  plant(
    'c11-plain-only',
    'must',
    'AU-FLOW-02 AU-FLOW-03 AU-FLOW-01',
    'code_challenge_methods_supported lists plain only',
    { metadata: set({ code_challenge_methods_supported: ['plain'] }) },
  ),
  plant(
    'c11-s256-string',
    'must',
    'AU-FLOW-03 AU-FLOW-02 AU-ASM-01',
    'code_challenge_methods_supported is the string "S256"',
    { metadata: set({ code_challenge_methods_supported: 'S256' }) },
  ),
  plant(
    'c11-oidc-no-s256',
    'must',
    'AU-FLOW-03 AU-FLOW-02 AU-FLOW-01',
    'OpenID Connect discovery only, without code_challenge_methods_supported',
    {
      metadataAt: ['/.well-known/openid-configuration'],
      metadata: both(openId, drop('code_challenge_methods_supported')),
    },
  ),
  plant(
    'c11-oidc-incomplete',
    'must',
    'AU-ASM-02 AU-ASM-04',
    'OpenID Connect discovery without jwks_uri, subject_types_supported and id_token_signing_alg_values_supported (REQUIRED there)',
    { metadataAt: ['/.well-known/openid-configuration'] },
  ),
  plant(
    'c11-issuer-slash',
    'must',
    'AU-ASM-04 AU-ASM-06 AU-ASM-01 AU-ASM-03',
    'issuer in the metadata has a trailing slash that authorization_servers has not (RFC 8414 §3.3)',
    { metadata: edit('issuer', (url) => `${url}/`), authorize: (q, x) => q.set('iss', x.issuer + '/') },
  ),
  plant('c11-relative-endpoints', 'must', 'AU-ASM-01 AU-ASM-07', 'endpoints in the metadata are relative references', {
    metadata: set({
      authorization_endpoint: '/authorize',
      token_endpoint: '/token',
      registration_endpoint: '/register',
    }),
  }),
  plant(
    'c11-endpoint-fragment',
    'must',
    'AU-ASM-01 AU-FLOW-12',
    'authorization_endpoint has a fragment (RFC 6749 §3.1)',
    { metadata: edit('authorization_endpoint', (url) => `${url}#login`) },
  ),
  plant(
    'c11-empty-array',
    'must',
    'AU-ASM-01',
    'scopes_supported in the metadata is an empty array (RFC 8414 §3.2: MUST be left out)',
    { metadata: set({ scopes_supported: [] }) },
  ),
  plant('c11-no-code-type', 'must', 'AU-ASM-01 AU-FLOW-01', 'response_types_supported has no code', {
    metadata: set({ response_types_supported: ['token'] }),
  }),
  plant(
    'c11-metadata-array',
    'must',
    'AU-ASM-01 AU-ASM-04',
    'the metadata document is a JSON array around the object',
    {
      metadata: (r) => void (r.text = JSON.stringify([r.body])),
    },
  ),
  plant(
    'c11-cimd-string',
    'must',
    'AU-REG-02 AU-REG-01 AU-ASM-01',
    'client_id_metadata_document_supported is the string "true", not a boolean',
    { metadata: set({ client_id_metadata_document_supported: 'true' }), cimd: true },
  ),
  plant(
    'c11-http-authorize',
    'must',
    'AU-ASM-07 AU-FLOW-12',
    'authorization_endpoint is plain http on a host that is not loopback',
    { metadata: set({ authorization_endpoint: far + '/authorize' }) },
  ),
  plant(
    'c11-jwt-without-algs',
    'must',
    'AU-ASM-01 AU-FLOW-13 AU-REG-04',
    'private_key_jwt is listed without token_endpoint_auth_signing_alg_values_supported (RFC 8414 §2: MUST be present)',
    { metadata: set({ token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] }) },
  ),
  plant(
    'c11-reg-method-no-secret',
    'must',
    'AU-FLOW-13 AU-REG-06',
    'registration answers client_secret_basic but gives no secret',
    { registration: set({ token_endpoint_auth_method: 'client_secret_basic' }) },
  ),
  plant(
    'c11-reg-method-dropped',
    'must',
    'AU-REG-06 AU-FLOW-13',
    'token_endpoint_auth_method "none" was asked for and is left out of the answer, whose default is client_secret_basic',
    { registration: drop('token_endpoint_auth_method') },
  ),
  plant(
    'c11-reg-none-not-listed',
    'advice',
    'AU-FLOW-13 AU-ASM-01 AU-REG-06',
    'registers public clients ("none") although token_endpoint_auth_methods_supported lists secrets only',
    { metadata: set({ token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] }) },
  ),
  plant(
    'c11-reg-redirect-changed',
    'should',
    'AU-REG-10 AU-REG-06 AU-REG-08',
    'the registration answer has another redirect URI than the one asked for',
    { registration: edit('redirect_uris', (url) => [`${url.replace(/^http:/, 'https:')}/`]) },
  ),
  plant('c11-reg-secret-dead', 'should', 'AU-REG-06 AU-FLOW-13', 'client_secret_expires_at lies in the past', {
    registration: register('client_secret_post', {
      client_secret: 'dead-secret-dead',
      client_secret_expires_at: 1000000000,
    }),
  }),
  plant(
    'c11-reg-error-no-code',
    'must',
    'AU-REG-06 AU-REG-08',
    'a refused registration has status 400 and no error member (RFC 7591 §3.2.2)',
    { refuseRegistration: () => jsonReply(400, { message: 'redirect URI not allowed' }) },
  ),
  plant(
    'c11-code-twice',
    'must',
    'AU-FLOW-06 AU-FLOW-01 AU-ASM-01',
    'the redirect back has code twice (RFC 6749 §3.1: parameters MUST NOT be repeated)',
    { authorize: (q) => q.append('code', 'another-code') },
  ),
  plant('c11-state-twice', 'must', 'AU-FLOW-06', 'the redirect back has state twice, the second one different', {
    authorize: (q) => q.append('state', 'another-state'),
  }),
  plant('c11-code-and-error', 'must', 'AU-FLOW-06 AU-FLOW-01 AU-FLOW-10', 'the redirect back has both code and error', {
    authorize: (q) => q.set('error', 'temporarily_unavailable'),
  }),
  plant(
    'c11-error-no-state',
    'must',
    'AU-FLOW-06',
    'an error response of the authorization endpoint has no state (RFC 6749 §4.1.2.1)',
    { refuseAuthorize: () => 'access_denied', authorize: (q) => q.delete('state') },
  ),
]
