import { describe, expect, test } from 'vitest'
import type { HeaderList, JsonObject, Revision } from '../../mcp/index.ts'
import { cites, judged, listed, Talk } from '../talk.case.ts'
import { exchange, REVISIONS, type Response, said, TOKEN } from './sign-in-steps.case.ts'

describe.each(REVISIONS)('the documents of a sign-in, in %s', (revision) => {
  const server = (more: JsonObject, response?: Response) =>
    said(revision, 'server-metadata', { response_types_supported: ['code'], ...more }, response)

  test('AU-ASM-01: each member of the metadata has its type', () => {
    expect(server({})).toEqual([])
    expect(server({ ui_locales_supported: ['de'], require_pushed_authorization_requests: false, x: 1 })).toEqual([])
    for (const [name, value] of Object.entries({
      ...{ scopes_supported: [], grant_types_supported: 'code', response_modes_supported: [1] },
      ...{ issuer: 'https://as?tenant=a', dpop_signing_alg_values_supported: ['none'] },
      ...{ client_id_metadata_document_supported: 'true', service_documentation: '/docs', jwks_uri: '/jwks' },
      token_endpoint: 'https://as/token#x',
    })) {
      expect(server({ [name]: value }), name).toEqual(['AU-ASM-01 MUST'])
    }
  })

  test('AU-ASM-01: scopes are listed one by one', () => {
    expect(server({ scopes_supported: ['mcp:read', 'a/b'] })).toEqual([])
    for (const scope of ['mcp:read mcp:write', 'a"b', 'é', '']) {
      expect(server({ scopes_supported: [scope] }), scope).toEqual(['AU-ASM-01 MUST'])
    }
  })

  test('AU-ASM-01: a page instead of the metadata', () => {
    for (const body of ['<!doctype html>', '[]']) {
      expect(said(revision, 'server-metadata', body)).toEqual(['AU-ASM-01 MUST'])
      expect(said(revision, 'server-metadata', body, { status: 404 })).toEqual([])
    }
  })

  test('AU-ASM-01: each fault of a document is reported', () => {
    const odd = { scopes_supported: [], ui_locales_supported: 'de' }
    expect(server(odd)).toEqual(['AU-ASM-01 MUST', 'AU-ASM-01 MUST'])
  })

  test('AU-ASM-01: the metadata is sent as application/json', () => {
    expect(server({}, { type: 'application/json; charset=utf-8' })).toEqual([])
    expect(server({}, { type: 'text/plain' })).toEqual(['AU-ASM-01 MUST'])
    // A recording may leave all headers out.
    expect(server({}, { type: '' })).toEqual([])
  })

  test('AU-ASM-01: clients that sign know with which algorithms, and none is not one', () => {
    const methods = { token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] }
    const name = 'token_endpoint_auth_signing_alg_values_supported'
    expect(server({ ...methods, [name]: ['ES256'] })).toEqual([])
    expect(server(methods)).toEqual(['AU-ASM-01 MUST'])
    expect(server({ ...methods, [name]: ['none', 'ES256'] })).toEqual(['RFC 8414 section 2 MUST'])
  })

  test('RFC 8414 section 2.1: signed metadata says the same, in any order', () => {
    const part = (value: JsonObject | string) =>
      btoa(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') // prettier-ignore
    const signed = (claims: JsonObject | string, more: JsonObject = {}) =>
      server({ ...more, signed_metadata: `${part({ alg: 'ES256' })}.${part(claims)}.${part('signature')}` })
    const [iss, a, b] = ['https://as', 'https://as/a', 'https://as/b']
    const aliases = { mtls_endpoint_aliases: { token_endpoint: a, revocation_endpoint: b } }
    expect(signed({ iss, mtls_endpoint_aliases: { revocation_endpoint: b, token_endpoint: a } }, aliases)).toEqual([])
    expect(signed({ iss, mtls_endpoint_aliases: { revocation_endpoint: a, token_endpoint: b } }, aliases)).toEqual([
      'RFC 8414 section 2.1 SHOULD',
    ])
    const text = JSON.stringify({ response_types_supported: ['code'], x: 0, signed_metadata: `${part({ alg: 'ES256' })}.${part({ iss, x: 1 })}.a` }) // prettier-ignore
    const whole = text.replace('"x":0', `"x":${'['.repeat(20_000)}${']'.repeat(20_000)}`)
    expect(said(revision, 'server-metadata', whole)).toEqual(['RFC 8414 section 2.1 SHOULD'])
  })

  test('RFC 8414 section 2: names and values are spelt exactly', () => {
    expect(server({ code_challenge_method_supported: ['S256'] })).toEqual(['AU-ASM-01 MUST'])
    expect(server({ scopesSupported: ['a'] })).toEqual(['AU-ASM-01 MUST'])
    // With the member itself, another one is an extension.
    expect(server({ scopesSupported: ['a'], scopes_supported: ['a'] })).toEqual([])
    for (const values of [['refresh-token'], ['authorization_code', 'ClientCredentials']]) {
      expect(server({ grant_types_supported: values })).toEqual(['AU-ASM-01 MUST'])
    }
    expect(server({ grant_types_supported: ['urn:x:y', 'refresh_token'], subject_types_supported: ['x'] })).toEqual([])
    expect(server({ ui_locales_supported: ['de', 'fr-CA', 'zh-Hant-TW'] })).toEqual([])
    expect(server({ ui_locales_supported: ['de_DE'] })).toEqual(['AU-ASM-01 MUST'])
  })

  test('a finding has the section of its RFC beside its row', () => {
    const talk = new Talk()
    talk.flow(revision)
    exchange(talk, 'server-metadata', { response_types_supported: ['code'], jwks_uri: 7 })
    expect(listed(judged(talk)).map(({ also }) => also)).toEqual([['RFC 8414 section 2']])
  })

  test('AU-ASM-07: every endpoint is https, or on this machine', () => {
    expect(server({ jwks_uri: 'http://127.0.0.1:1/jwks', userinfo_endpoint: 'https://as/me' })).toEqual([])
    for (const url of ['http://as/jwks', 'javascript:alert(1)']) {
      expect(server({ jwks_uri: url })).toEqual(['AU-ASM-07 MUST'])
    }
  })

  test('RFC 9700: grants that are advised against are a remark', () => {
    const grants = (...more: string[]) => server({ grant_types_supported: ['authorization_code', ...more] })
    expect(grants('client_credentials')).toEqual([])
    expect(grants('password')).toEqual(['RFC 9700 section 2.4 MAY'])
    expect(grants('implicit')).toEqual(['RFC 9700 section 2.1.2 MAY'])
  })

  test('AU-0326-03: a server ignores the version header of a metadata request', () => {
    const found = (body: string, sent: HeaderList, status = 400) =>
      said(revision, 'server-metadata', body, { sent, status })
    const versioned: HeaderList = [['mcp-protocol-version', revision]]
    const named = '{"error":"unknown header MCP-Protocol-Version"}'
    expect(found(named, versioned)).toEqual([`${revision === '2025-03-26' ? 'AU-0326-03' : 'AU-ASM-01'} SHOULD`])
    expect(found(named, [])).toEqual([])
    expect(found('{"error":"not found"}', versioned, 404)).toEqual([])
  })

  test('AU-FLOW-01, AU-0326-04: a server that lists PKCE methods lists S256', () => {
    const row = revision === '2025-03-26' ? 'AU-0326-04 MUST' : 'AU-FLOW-01 MUST'
    // Later versions check it before they continue.
    const found = revision < '2025-11-25' ? [row] : []
    expect(server({ code_challenge_methods_supported: ['plain'] })).toEqual(found)
    expect(server({ code_challenge_methods_supported: ['plain', 'S256'] })).toEqual([])
  })
})

describe.each(['2025-11-25', '2026-07-28'] as const)(
  'metadata of a resource and of OpenID Connect, in %s',
  (revision) => {
    const resource = (more: JsonObject, response?: Response) =>
      said(
        revision,
        'resource-metadata',
        { resource: 'https://h/mcp', authorization_servers: ['https://as'], ...more },
        response,
      )

    test('AU-PRM-01: each member of the document has its type', () => {
      expect(resource({ resource_name: 'x', scopes_supported: ['a'], 'x-vendor': 1 })).toEqual([])
      expect(resource({ bearer_methods_supported: ['header', 'body'] })).toEqual([])
      expect(resource({ scopes_supported: [] })).toEqual(['AU-PRM-01 MUST'])
      expect(resource({ scopes_supported: 'a b' })).toEqual(['AU-PRM-01 MUST'])
      expect(resource({ dpop_bound_access_tokens_required: 'no' })).toEqual(['AU-PRM-01 MUST'])
      expect(resource({ bearer_methods_supported: 'header' })).toEqual(['AU-PRM-01 MUST'])
      expect(resource({ bearer_methods_supported: ['header', 'cookie'] })).toEqual(['AU-PRM-01 MUST'])
      expect(resource({ scope_supported: ['a'] })).toEqual(['AU-PRM-01 MUST'])
      expect(resource({ 'resource_name#fr-CA': 'x', 'resource_tos_uri#de': 'https://h/agb' })).toEqual([])
      const translated: readonly JsonObject[] = [
        ...[{ 'resource_name#fr_CA': 'x' }, { 'resource_name#fr': 7 }, { 'resource_tos_uri#de': '/agb' }],
      ]
      for (const odd of translated) expect(resource(odd), JSON.stringify(odd)).toEqual(['AU-PRM-01 MUST'])
      expect(resource({}, { type: 'text/html' })).toEqual(['AU-PRM-01 MUST'])
    })

    test('AU-GEN-02: the server accepts tokens in the header', () => {
      for (const methods of [['query'], ['body'], []]) {
        expect(resource({ bearer_methods_supported: methods })).toEqual(['AU-GEN-02 MUST'])
      }
    })

    test('AU-GEN-03: tokens in URLs are a remark if the header works as well', () => {
      expect(resource({ bearer_methods_supported: ['header', 'query'] })).toEqual(['AU-GEN-03 MAY'])
    })

    test('AU-PRM-05: resource is the URL of the server, not of a parent', () => {
      const found = (resource: string, learned: JsonObject = { resourceMetadataUrl: 'https://h/prm' }) => {
        const talk = new Talk()
        talk.flow(revision)
        const begun = talk.auth({ event: 'step', step: 'resource-metadata' })
        const values = { found: resource, expected: 'https://h/mcp' }
        const checks = [{ rule: 'AU-PRM-05', keyword: 'MUST', say: 'resource-covers', values }] as const
        talk.auth({ event: 'done', step: 'resource-metadata', begun, outcome: 'ok', checks, learned })
        return cites(talk)
      }
      expect(found('https://h')).toEqual(['AU-PRM-05 MUST'])
      expect(found('https://h/mcp/')).toEqual([])
      expect(found('HTTPS://H/mcp')).toEqual([])
      // Pasted by the user.
      expect(found('https://h', {})).toEqual([])
    })

    test('AU-PRM-06: authorization servers are issuers, not URLs of their metadata', () => {
      expect(resource({ authorization_servers: ['https://as/tenant/'] })).toEqual([])
      for (const url of ['https://as/.well-known/oauth-authorization-server', 'https://as?x=1', 'as']) {
        expect(resource({ authorization_servers: [url] }), url).toEqual(['AU-PRM-06 MUST'])
      }
    })

    test('AU-ASM-02: OpenID Connect Discovery has what it requires', () => {
      const url = 'https://as/.well-known/openid-configuration'
      const whole = {
        jwks_uri: 'https://as/jwks',
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      }
      const algorithms = { id_token_signing_alg_values_supported: ['RS256'] }
      expect(said(revision, 'server-metadata', { ...whole, ...algorithms }, { url })).toEqual([])
      expect(said(revision, 'server-metadata', whole, { url })).toEqual(['AU-ASM-02 MUST'])
      const scopes = (...scopes_supported: string[]) =>
        said(revision, 'server-metadata', { ...whole, ...algorithms, scopes_supported }, { url })
      expect(scopes('openid', 'a')).toEqual([])
      expect(scopes('a')).toEqual(['AU-ASM-02 MAY'])
      const others = { id_token_signing_alg_values_supported: ['ES256', 'EdDSA'] }
      expect(said(revision, 'server-metadata', { ...whole, ...others }, { url })).toEqual(['AU-ASM-02 MUST'])
      expect(said(revision, 'server-metadata', { ...whole, ...others })).toEqual([])
    })

    test('AU-PRM-02: the URL that the challenge names has the document', () => {
      const found = (failed: string, at = 'header') => {
        const talk = new Talk()
        talk.flow(revision)
        const begun = talk.auth({ event: 'step', step: 'resource-metadata' })
        const check = { rule: 'AU-PRM-02', keyword: 'MUST', say: 'resource-metadata-not-there' } as const
        const checks = [{ ...check, values: { at, failed } }]
        talk.auth({ event: 'done', step: 'resource-metadata', begun, outcome: 'ok', checks, learned: {} })
        return cites(talk)
      }
      expect(found('404')).toEqual(['AU-PRM-02 MUST'])
      expect(found('not-json')).toEqual(['AU-PRM-02 MUST'])
      expect(found('unreadable')).toEqual([])
      expect(found('404', 'path')).toEqual([])
    })

    test('AU-PRM-05: metadata of the origin that names a path is a remark', () => {
      const found = (url: string, resource: string) => {
        const talk = new Talk()
        talk.flow(revision)
        const body = { resource, authorization_servers: ['https://as'] }
        exchange(talk, 'resource-metadata', body, { url }, { resource, resourceMetadataUrl: url })
        return cites(talk)
      }
      const root = 'https://h/.well-known/oauth-protected-resource'
      expect(found(root, 'https://h/mcp')).toEqual(['AU-PRM-05 MAY'])
      expect(found(root, 'https://h/')).toEqual([])
      expect(found(`${root}/mcp`, 'https://h/mcp')).toEqual([])
    })
  },
)

describe.each(REVISIONS)('client registration, in %s', (revision) => {
  const request = {
    ...{ redirect_uris: ['http://127.0.0.1/x'], grant_types: ['authorization_code', 'refresh_token'] },
    ...{ response_types: ['code'], token_endpoint_auth_method: 'none', application_type: 'native' },
  }
  const registered = (body: JsonObject | string, status = 201, type?: string) => {
    const asked = JSON.stringify(request)
    const headers: HeaderList = [['cache-control', 'no-store']]
    return said(revision, 'registration', body, { asked, status, headers, ...(type === undefined ? {} : { type }) })
  }
  const client = { ...request, client_id: 'c' }

  test('AU-REG-06: each member has its type and its unit', () => {
    expect(registered({ ...client, client_id_issued_at: 1_795_840_506, scope: 'a b' })).toEqual([])
    const secret = { client_secret: '••••', token_endpoint_auth_method: 'client_secret_basic' }
    const odd: readonly JsonObject[] = [
      ...[{ client_id_issued_at: 1_795_840_506_000 }, { scope: ['a'] }, { client_uri: 7 }, { client_id: 'clé' }],
      { ...secret, client_secret_expires_at: 86_400 },
      ...[{ client_uri: null }, { contacts: 'a@h' }, { contacts: null }, { jwks: 'x' }],
      { jwks: {}, jwks_uri: 'https://h/jwks' },
    ]
    for (const more of odd) {
      expect(registered({ ...client, ...more }), JSON.stringify(more)).toEqual(['AU-REG-06 MUST'])
    }
    expect(registered({ ...client, contacts: [], jwks: { keys: [] } })).toEqual([])
    const useless = { client_secret: '••••', client_secret_expires_at: 0 }
    expect(registered({ ...client, ...useless })).toEqual(['AU-REG-06 MAY'])
  })

  test('RFC 6749 section 5.1: no cache stores a secret', () => {
    const secret = { client_secret: '••••', client_secret_expires_at: 0, token_endpoint_auth_method: 'client_secret_basic' } // prettier-ignore
    const found = (body: JsonObject) =>
      said(revision, 'registration', { ...client, ...body }, { asked: JSON.stringify(request), status: 201 })
    expect(found(secret)).toEqual(['RFC 6749 section 5.1 MAY'])
    expect(found({})).toEqual([])
  })

  test('RFC 7592 section 3: a client that may manage its registration knows where and with what', () => {
    const [uri, token] = [{ registration_client_uri: 'https://as/c' }, { registration_access_token: '••••' }]
    const managed = (more: JsonObject) => registered({ ...client, ...more })
    expect(managed({ ...uri, ...token })).toEqual([])
    for (const more of [uri, token, { ...token, registration_client_uri: '/c' }]) {
      expect(managed(more), JSON.stringify(more)).toEqual(['RFC 7592 section 3 MUST'])
    }
    expect(managed({ ...token, registration_client_uri: 'http://as/c' })).toEqual(['AU-ASM-07 MUST'])
  })

  test('RFC 7591 section 2.1: grants and response types fit', () => {
    const found = (grants: string[], types: string[]) =>
      registered({ ...client, grant_types: grants, response_types: types })
    const code = ['authorization_code', 'refresh_token']
    expect(found(code, ['code'])).toEqual([])
    for (const type of ['token', 'code token']) {
      expect(found([...code, 'implicit'], ['code', type])).toEqual(['RFC 9700 section 2.1.2 MAY'])
    }
    expect(found([...code, 'implicit'], ['code'])).toEqual(['RFC 7591 section 2.1 SHOULD'])
    expect(found(code, ['code', 'id_token token'])).toEqual(['RFC 7591 section 2.1 SHOULD'])
  })

  test('AU-REG-06: a registration endpoint that the metadata names is switched on', () => {
    const refused = (words: string) => registered({ error: 'access_denied', error_description: words }, 403)
    expect(refused('Dynamic client registration is disabled for this tenant')).toEqual(['AU-REG-06 SHOULD'])
    expect(refused('Not from this network')).toEqual([])
  })

  test('AU-FLOW-13: what the metadata lists can be registered', () => {
    const found = (description: string, methods: string[]) => {
      const talk = new Talk()
      talk.flow(revision)
      const metadata = { response_types_supported: ['code'], token_endpoint_auth_methods_supported: methods }
      exchange(talk, 'server-metadata', metadata)
      const refusal = { error: 'invalid_client_metadata', error_description: description }
      exchange(talk, 'registration', refusal, { asked: JSON.stringify(request), status: 400 })
      return cites(talk)
    }
    const words = 'token_endpoint_auth_method is not allowed'
    expect(found(words, ['none', 'client_secret_basic'])).toEqual(['AU-FLOW-13 MUST'])
    expect(found(words, ['client_secret_basic'])).toEqual([])
    expect(found('No more clients', ['none'])).toEqual([])
    // The metadata lists no grants.
    expect(found('grant_types has an unknown value', ['none'])).toEqual([])
  })

  test('AU-REG-06: a refusal has an error of registrations, in ASCII', () => {
    expect(registered({ error: 'invalid_redirect_uri', error_description: 'not "http"' }, 400)).toEqual([])
    expect(registered({ error: 'BadRedirectUri' }, 400)).toEqual(['AU-REG-06 SHOULD'])
    const described = { error: 'invalid_redirect_uri', error_description: 'refusé' }
    expect(registered(described, 400)).toEqual(['AU-REG-06 MUST'])
  })

  test('AU-REG-06: the response has all registered metadata', () => {
    expect(registered(client)).toEqual([])
    // A server that doesn't know a member leaves it out.
    const { application_type: _, ...known } = client
    expect(registered(known)).toEqual([])
    const { token_endpoint_auth_method: __, ...short } = client
    expect(registered(short)).toEqual(['AU-REG-06 MUST'])
    expect(registered({ ...client, response_types: ['token'] })).toEqual(['AU-REG-06 MUST'])
    expect(registered(client, 201, 'text/html')).toEqual(['AU-REG-06 MUST'])
  })

  test('AU-REG-10: the response lists the redirect URIs', () => {
    const { redirect_uris: _, ...short } = client
    expect(registered(short)).toEqual([revision === '2025-03-26' ? 'AU-REG-06 MUST' : 'AU-REG-10 MUST'])
  })

  test('AU-REG-06: a secret says when it expires, which is later', () => {
    const secret = { ...client, client_secret: 'x', token_endpoint_auth_method: 'client_secret_post' }
    expect(registered({ ...secret, client_secret_expires_at: 0 })).toEqual([])
    expect(registered({ ...secret, client_secret_expires_at: 4_000_000_000 })).toEqual([])
    expect(registered(secret)).toEqual(['AU-REG-06 MUST'])
    expect(registered({ ...secret, client_secret_expires_at: '0' })).toEqual(['AU-REG-06 MUST'])
    expect(registered({ ...secret, client_secret_expires_at: 1_000_000_000 })).toEqual(['AU-REG-06 SHOULD'])
  })

  test('AU-REG-06: an error is HTTP 400 with an error member', () => {
    const refusal = { error: 'invalid_redirect_uri', error_description: 'no' }
    expect(registered(refusal, 400)).toEqual([])
    expect(registered('', 401)).toEqual([])
    expect(registered('<h1>', 503)).toEqual([])
    expect(registered(refusal, 200)).toEqual(['AU-REG-06 MUST'])
    expect(registered(refusal, 403)).toEqual(['RFC 7591 section 3.2.2 MUST'])
    expect(registered('<h1>', 500)).toEqual(['AU-REG-06 MUST'])
    expect(registered({ message: 'no' }, 400)).toEqual(['AU-REG-06 MUST'])
    expect(registered('<h1>', 400, 'text/html')).toEqual(['AU-REG-06 MUST'])
  })

  test('AU-ASM-01: the endpoint that the metadata names exists', () => {
    expect(registered('', 404)).toEqual(['AU-ASM-01 MUST'])
    const talk = new Talk()
    talk.flow(revision)
    exchange(talk, 'server-metadata', '', { status: 404 }, { metadataSource: 'defaults' })
    exchange(talk, 'registration', '', { status: 404 })
    expect(cites(talk)).toEqual([])
  })

  test('AU-REG-07: application_type is ignored or registered', () => {
    const isNewest = revision === '2026-07-28'
    expect(registered({ ...client, application_type: 'web' })).toEqual(isNewest ? ['AU-REG-07 SHOULD'] : [])
    const unknown = { error: 'invalid_client_metadata', error_description: 'unknown member: application_type' }
    expect(registered(unknown, 400)).toEqual([isNewest ? 'AU-REG-07 MUST' : 'AU-REG-06 MUST'])
    const decided = { error: 'invalid_client_metadata', error_description: 'application_type must be "web"' }
    expect(registered(decided, 400)).toEqual([])
  })

  test('AU-0326-05, AU-REG-06: earlier versions recommend registration, even to users who entered a client', () => {
    const found = (metadata: JsonObject, clientSource: string) => {
      const talk = new Talk()
      talk.flow(revision)
      exchange(talk, 'server-metadata', { response_types_supported: ['code'], ...metadata })
      talk.done(talk.auth({ event: 'step', step: 'registration' }), 'registration', { clientSource })
      return cites(talk)
    }
    const row = { '2025-03-26': ['AU-0326-05 SHOULD'], '2025-06-18': ['AU-REG-06 SHOULD'] }
    expect(found({}, 'by-hand')).toEqual(revision in row ? row[revision as keyof typeof row] : [])
    expect(found({ registration_endpoint: 'https://as/register' }, 'by-hand')).toEqual([])
    expect(found({}, 'dynamic')).toEqual([])
  })

  test('AU-REG-09: a server with refresh tokens registers them', () => {
    const found = (grants: string[]) => {
      const talk = new Talk()
      talk.flow(revision)
      exchange(talk, 'server-metadata', { response_types_supported: ['code'], grant_types_supported: grants })
      const body = { ...client, grant_types: ['authorization_code'] }
      exchange(talk, 'registration', body, { asked: JSON.stringify(request), status: 201 })
      return cites(talk)
    }
    expect(found(['authorization_code'])).toEqual([])
    const found2026 = revision === '2026-07-28' ? ['AU-REG-09 SHOULD'] : []
    expect(found(['authorization_code', 'refresh_token'])).toEqual(found2026)
  })
})

describe('AU-GEN-05: requests without a valid token', () => {
  const calls = (method: string, headers: HeaderList, status: number, error: JsonObject) => {
    const talk = new Talk().shakeHands('2025-11-25')
    const post = talk.post(talk.request(method), headers)
    post.head(status)
    post.says({ jsonrpc: '2.0', id: post.id, error })
    return cites(talk).filter((each) => each.startsWith('AU-'))
  }

  test('are refused with a status, not with an error in HTTP 200', () => {
    const unauthorized = { code: -32_000, message: 'Unauthorized' }
    expect(calls('tools/list', [], 200, unauthorized)).toEqual(['AU-GEN-05 MUST'])
    expect(calls('tools/list', TOKEN, 200, unauthorized)).toEqual(['AU-GEN-05 MUST'])
    expect(calls('tools/list', [], 200, { code: -32_000, message: 'No such list' })).toEqual([])
    expect(calls('tools/list', [], 200, { code: -32_602, message: 'Invalid token: cursor' })).toEqual([])
    // A tool may need another service, which refuses it.
    expect(calls('tools/call', [], 200, unauthorized)).toEqual([])
    expect(calls('tools/call', TOKEN, 200, { code: -32_000, message: 'insufficient_scope: a' })).toEqual([
      'AU-GEN-05 MUST',
    ])
  })

  test('are not redirected to a page', () => {
    const led = (redirectedTo: string, type: string, status = 200) => {
      const talk = new Talk().shakeHands('2025-11-25')
      const request = talk.http('POST', 'message')
      talk.sent(talk.request('tools/list'), { carrier: request })
      const headers: HeaderList = [['content-type', type]]
      talk.add({ kind: 'http', phase: 'response', request, status, statusText: '', headers, redirectedTo })
      return cites(talk).filter((each) => each.startsWith('AU-'))
    }
    expect(led('https://as/login', 'text/html')).toEqual(['AU-GEN-05 MUST'])
    expect(led('http://h/mcp/', 'text/plain', 404)).toEqual([])
    expect(led('http://h/v2/mcp', 'application/json')).toEqual([])
  })

  test('a token that was just issued is valid', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.flow('2025-11-25')
    exchange(talk, 'token', { scope: 'a' }, {}, { tokens: { scope: 'a' } })
    const prm = 'Bearer error="invalid_token", resource_metadata="https://h/.well-known/oauth-protected-resource"'
    const refused = () => talk.post(talk.request('ping'), TOKEN).head(401, '', [['www-authenticate', prm]])
    talk.post(talk.request('ping'), TOKEN).head(202, '')
    refused()
    expect(cites(talk).filter((each) => each.startsWith('AU-'))).toEqual([])
    exchange(talk, 'token', { scope: 'a' }, {}, { tokens: { scope: 'a' } })
    refused()
    expect(cites(talk).filter((each) => each.startsWith('AU-'))).toEqual(['AU-GEN-05 MUST'])
  })
})

describe('what the browser returns with', () => {
  const came = (returned: string, revision: Revision = '2025-11-25'): string[] => {
    const talk = new Talk()
    talk.flow(revision)
    talk.done(talk.auth({ event: 'step', step: 'authorization' }), 'authorization', { returned })
    const begun = talk.auth({ event: 'step', step: 'callback' })
    const outcome = returned.includes('code=') ? 'ok' : 'failed'
    const fault = outcome === 'ok' ? {} : { fault: { code: returned.includes('error=') ? 'denied' : 'no-code', explanation: 'x' } } // prettier-ignore
    talk.auth({ event: 'done', step: 'callback', begun, outcome, checks: [], learned: {}, ...fault })
    return cites(talk)
  }

  test('AU-GEN-03: no token', () => {
    expect(came('code=x&state=s')).toEqual([])
    expect(came('code=x&access_token=y')).toEqual(['AU-GEN-03 SHOULD'])
    expect(came('code=x&refresh_token=y')).toEqual(['AU-GEN-03 MUST'])
    expect(came('code=x&refresh_token=y', '2026-07-28')).toEqual(['AU-TOK-02 MUST'])
  })

  test('RFC 6749 section 10.10: nobody guesses a code', () => {
    expect(came('code=•••• (20 characters)')).toEqual([])
    expect(came('code=•••• (6 characters)')).toEqual(['RFC 6749 section 10.10 MUST'])
  })

  test('an error has one of its codes, and a description in ASCII', () => {
    const fault = ['RFC 6749 section 4.1.2.1 MUST']
    expect(came('error=access_denied&error_description=No')).toEqual([])
    expect(came('error=access_denied&error_description=refus%C3%A9')).toEqual(fault)
    expect(came('error=access_denied&error_uri=see+the+manual')).toEqual(fault)
    expect(came('error=access_denied&error_uri=https%3A%2F%2Fas%2Fdocs')).toEqual([])
    expect(came('error=user_cancelled')).toEqual(fault)
    expect(came('message=cancelled')).toEqual(fault)
    expect(came('state=s')).toEqual(['RFC 6749 section 4.1.2 MUST'])
  })
})

test('AU-FLOW-10: nothing of an error is repeated that may be another issuer’s', () => {
  const talk = new Talk()
  talk.flow('2026-07-28')
  const returned = 'error=Call+555-0100&error_description=refus%C3%A9&iss=https%3A%2F%2Fevil'
  talk.done(talk.auth({ event: 'step', step: 'authorization' }), 'authorization', { returned })
  const begun = talk.auth({ event: 'step', step: 'callback' })
  const findings = [{ rule: 'AU-FLOW-08', keyword: 'MUST', explanation: 'iss-differs' }] as const
  talk.auth({ event: 'done', step: 'callback', begun, outcome: 'failed', checks: [], learned: {}, findings })
  expect(cites(talk)).toEqual(['AU-FLOW-08 MUST'])
  expect(JSON.stringify(listed(judged(talk)))).not.toMatch(/555|refus/)
})

test('RFC 9207 section 2: a server that advertises iss sends it, even where clients may continue without', () => {
  const talk = new Talk()
  talk.flow('2025-11-25')
  const begun = talk.auth({ event: 'step', step: 'callback' })
  const checks = [{ rule: 'AU-FLOW-08', keyword: 'MUST', say: 'iss-missing', values: {} }] as const
  talk.auth({ event: 'done', step: 'callback', begun, outcome: 'ok', checks, learned: {} })
  expect(cites(talk)).toEqual(['RFC 9207 section 2 MUST'])
})

describe('a revocation', () => {
  test('is answered with 200', () => {
    expect(said('2025-11-25', 'revocation', '', { status: 200 })).toEqual([])
    expect(said('2025-11-25', 'revocation', '', { status: 204 })).toEqual(['RFC 7009 section 2.2 MUST'])
    const hidden = said('2025-11-25', 'revocation', { error: 'invalid_request' }, { status: 200 })
    expect(hidden).toEqual(['RFC 7009 section 2.2.1 MUST'])
    const refused = { error: 'unsupported_token_type', error_description: 'only "access" tokens' }
    expect(said('2025-11-25', 'revocation', refused, { status: 400 })).toEqual(['RFC 6749 section 5.2 MUST'])
  })
})

describe('an authorization response with an error', () => {
  const refused = (revision: Revision, returned: string, facts: JsonObject, scopeSource = 'given'): string[] => {
    const talk = new Talk()
    talk.flow(revision)
    talk.done(talk.auth({ event: 'step', step: 'preparation' }), 'preparation', { scopeSource })
    talk.done(talk.auth({ event: 'step', step: 'authorization' }), 'authorization', { returned })
    const begun = talk.auth({ event: 'step', step: 'callback' })
    const fault = { code: 'authorization-error', explanation: 'x', facts }
    talk.auth({ event: 'done', step: 'callback', begun, outcome: 'failed', checks: [], fault, learned: {} })
    return cites(talk)
  }

  test.each(REVISIONS)(
    'AU-FLOW-04, AU-FLOW-01: breaks a rule if it rejects what clients must send, in %s',
    (revision) => {
      const resource = { error: 'invalid_request', description: 'unknown parameter: resource' }
      expect(refused(revision, 'error=invalid_request', resource)).toEqual(
        revision === '2025-03-26' ? [] : ['AU-FLOW-04 MUST'],
      )
      const pkce = { error: 'invalid_request', description: 'code_challenge is not supported' }
      expect(refused(revision, 'error=invalid_request', pkce)).toEqual(['AU-FLOW-01 MUST'])
      expect(refused(revision, 'error=invalid_request', { error: 'temporarily_unavailable', description: '' })).toEqual(
        [],
      )
      // Whether a scope exists is known to the server that names it.
      const scope = { error: 'invalid_scope', description: '' }
      expect(refused(revision, 'error=invalid_request', scope)).toEqual([])
      const named = revision < '2025-11-25' ? [] : ['AU-SCOPE-02 MUST']
      expect(refused(revision, 'error=invalid_request', scope, 'challenge')).toEqual(named)
      const both = 'RFC 6749 section 4.1.2.1 MUST'
      expect(refused(revision, 'code=x&error=y', { error: 'temporarily_unavailable', description: '' })).toEqual([both])
    },
  )
})

test('AU-ASM-01: a metadata URL that fails is reported if no other URL has the document', () => {
  const found = (learned: JsonObject) => {
    const talk = new Talk()
    talk.flow('2025-03-26')
    exchange(talk, 'server-metadata', '<h1>', { status: 500 }, learned)
    return listed(judged(talk)).map(({ rule, keyword }) => `${rule} ${keyword}`)
  }
  expect(found({ metadataSource: 'defaults' })).toEqual(['AU-ASM-01 MUST'])
  expect(found({ metadataSource: 'oauth' })).toEqual([])
})
