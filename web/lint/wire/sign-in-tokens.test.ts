import { describe, expect, test } from 'vitest'
import type { HeaderList, Json, JsonObject, Revision } from '../../mcp/index.ts'
import { cites, Talk } from '../talk.case.ts'
import { exchange, REVISIONS, type Response, said, TOKEN } from './sign-in-steps.case.ts'

describe.each(REVISIONS)('token responses, in %s', (revision) => {
  const form = revision === '2025-03-26' ? 'AU-0326-04 MUST' : 'RFC 6749 section 5.1 MUST'
  const errors = [['RFC 6749 section 5.2 MUST'], ['RFC 6749 section 5.2 MUST']]
  const NO_STORE: HeaderList = [['cache-control', 'no-store']]
  const tokens = { access_token: '•••• (32 characters)', token_type: 'Bearer', expires_in: 3600 }
  const responds = (body: Json | string, response: Response = {}) =>
    (['token', 'refresh'] as const).map((step) => said(revision, step, body, { headers: NO_STORE, ...response }))
  const twice = (...found: string[]) => [found, found]

  test('RFC 6749 section 5.1: no cache stores tokens', () => {
    expect(responds(tokens)).toEqual(twice())
    expect(responds(tokens, { headers: [['cache-control', 'private, no-store']] })).toEqual(twice())
    for (const headers of [[], [['cache-control', 'public, max-age=600']]] as HeaderList[]) {
      expect(responds(tokens, { headers })).toEqual(twice('RFC 6749 section 5.1 MUST'))
    }
  })

  test('RFC 6749 section 5.1, AU-0326-04: tokens come as JSON with HTTP 200, and their lifetime as a number', () => {
    expect(responds(tokens, { status: 201 })).toEqual(twice(form))
    expect(responds(tokens, { type: 'text/html' })).toEqual(twice(form))
    for (const lifetime of ['3600', -1, 0, null, 1_795_840_506, '2026-11-28T00:00:00Z']) {
      expect(responds({ ...tokens, expires_in: lifetime }), String(lifetime)).toEqual(twice(form))
    }
    const fraction = form.replace('section 5.1', 'appendix A.14')
    expect(responds({ ...tokens, expires_in: 3599.427 })).toEqual(twice(fraction))
    expect(responds({ ...tokens, refresh_token: '' })).toEqual(twice(form))
  })

  test('RFC 6749 section 10.10: nobody guesses a token', () => {
    const guessable = twice('RFC 6749 section 10.10 MUST')
    expect(responds({ ...tokens, access_token: '•••• (20 characters)' })).toEqual(twice())
    for (const length of [1, 6, 19]) {
      expect(responds({ ...tokens, access_token: `•••• (${length} characters)` })).toEqual(guessable)
      expect(responds({ ...tokens, refresh_token: `•••• (${length} characters)` })).toEqual(guessable)
    }
    // Only a mask states the length of a secret. Other tools write other placeholders.
    for (const text of ['***', '[redacted]', '•••• (99999+ characters)']) {
      expect(responds({ ...tokens, access_token: text })).toEqual(twice())
    }
  })

  test('AU-TOK-01: a token should be short-lived, and say how long', () => {
    const { expires_in: _, ...silent } = tokens
    expect(responds(silent)).toEqual(twice('AU-TOK-01 MAY'))
    expect(responds({ ...tokens, expires_in: 315_360_000 })).toEqual(twice('AU-TOK-01 SHOULD'))
  })

  test('tokens are requested with a form, and a client that authenticates in a header gets a challenge', () => {
    expect(responds({ error: 'JSON only' }, { status: 415 })).toEqual(twice('RFC 6749 section 4.1.3 MUST'))
    const basic = (headers: HeaderList, more = {}) => {
      const talk = new Talk()
      talk.flow(revision)
      const begun = talk.auth({ event: 'step', step: 'token' })
      const request = talk.http('POST', 'authorization', { url: 'https://as/token', step: begun, headers: [['authorization', 'Basic ••••']] }) // prettier-ignore
      talk.add({ kind: 'http', phase: 'response', request, status: 401, statusText: '', headers: [['content-type', 'application/json'], ...headers], ...more }) // prettier-ignore
      const body = '{"error":"invalid_client"}'
      talk.add({ kind: 'http', phase: 'end', request, size: body.length, body })
      talk.done(begun, 'token')
      return cites(talk)
    }
    expect(basic([['www-authenticate', 'Basic realm="as"']])).toEqual([])
    expect(basic([])).toEqual(['RFC 6749 section 5.2 MUST'])
    expect(basic([], { crossOrigin: true })).toEqual([])
  })

  test('RFC 6749 section 5.2: an error is HTTP 400 with an error member', () => {
    expect(responds({ error: 'invalid_grant' }, { status: 400 })).toEqual(twice())
    expect(responds({ error: 'invalid_client' }, { status: 401 })).toEqual(twice())
    expect(responds('<h1>', { status: 503, type: 'text/html' })).toEqual(twice())
    expect(responds({ error: 'invalid_grant' })).toEqual(errors)
    expect(responds({ error: 'invalid_grant' }, { status: 401 })).toEqual(errors)
    expect(responds({ message: 'no' }, { status: 400 })).toEqual(errors)
    expect(responds('<h1>', { status: 400, type: 'text/html' })).toEqual(errors)
    expect(responds({ message: 'no' }, { status: 403 })).toEqual(errors)
    expect(responds({ error: 'invalid_refresh_token' }, { status: 400 })).toEqual(errors)
    expect(responds({ error: { code: 'invalid_grant' } }, { status: 400 })).toEqual(errors)
    for (const text of ['say "no"', 'a\nb', 'refusé']) {
      expect(responds({ error: 'invalid_grant', error_description: text }, { status: 400 })).toEqual(errors)
    }
    const refresh = { status: 400, asked: 'grant_type=refresh_token' }
    expect(responds({ error: 'invalid_refresh_token' }, refresh)).toEqual(errors)
    expect(responds({ error: 'invalid_grant', error_description: 'say "no"' }, refresh)).toEqual(errors)
    const unfit: readonly JsonObject[] = [
      { error_uri: 'see the manual' },
      { error_uri: 7 },
      { error_description: ['no'] },
    ]
    for (const odd of unfit) {
      expect(responds({ error: 'invalid_grant', ...odd }, { status: 400 }), JSON.stringify(odd)).toEqual(errors)
    }
    const linked = { error: 'invalid_grant', error_uri: 'https://as/errors?a=[1]#invalid_grant' }
    expect(responds(linked, { status: 400 })).toEqual(twice())
    // A probe without a code is refused as any server likes.
    expect(responds('no', { status: 400, asked: 'grant_type=authorization_code&client_id=c' })).toEqual(twice())
  })

  test('RFC 6749 section 6: a refresh needs nothing but the token', () => {
    const asked = 'grant_type=refresh_token&refresh_token=x'
    const found = (error: string, form: string) => responds({ error }, { status: 400, asked: form })
    expect(found('invalid_request', asked)).toEqual(twice('RFC 6749 section 6 MUST'))
    expect(found('invalid_scope', asked)).toEqual(twice('RFC 6749 section 6 MUST'))
    expect(found('invalid_grant', asked)).toEqual(twice())
    expect(found('invalid_scope', `${asked}&scope=a`)).toEqual(twice())
    // A probe has no token.
    expect(found('invalid_request', 'grant_type=refresh_token')).toEqual(twice())
  })

  test('AU-ASM-01: a server that issues codes accepts them', () => {
    const found = (asked: string) => responds({ error: 'unsupported_grant_type' }, { status: 400, asked })
    expect(found('grant_type=authorization_code&code=x')).toEqual(twice('AU-ASM-01 MUST'))
    expect(found('grant_type=client_credentials')).toEqual(twice())
  })

  test('RFC 6749 section 5.1: a response has either tokens or an error', () => {
    expect(responds({ ...tokens, error: 'invalid_grant' })).toEqual(twice(form))
  })

  test('AU-REG-02: the token endpoint knows a client whose document the authorization endpoint has read', () => {
    const row = revision < '2025-11-25' ? 'RFC 6749 section 5.2 SHOULD' : 'AU-REG-02 SHOULD'
    const form = (id: string) => `grant_type=authorization_code&code=x&client_id=${encodeURIComponent(id)}`
    const found = (asked: string) => responds({ error: 'invalid_client' }, { status: 401, asked })
    expect(found(form('https://h/client.json'))).toEqual(twice(row))
    expect(found(form('c'))).toEqual(twice())
  })

  test('OpenID Connect Core section 3.1.3.3: a sign-in with openid has an ID token', () => {
    const asked = 'grant_type=authorization_code&code=x'
    const rule = 'OpenID Connect Core section 3.1.3.3 MUST'
    expect(responds({ ...tokens, scope: 'openid a' }, { asked })).toEqual(twice(rule))
    expect(responds({ ...tokens, scope: 'openid a', id_token: '••••' }, { asked })).toEqual(twice())
    expect(responds({ ...tokens, scope: 'openid a' }, { asked: 'grant_type=refresh_token' })).toEqual(twice())
  })

  test('RFC 6749 section 5.1: members have their names', () => {
    const { expires_in: lifetime, ...rest } = tokens
    expect(responds({ ...rest, expiresIn: lifetime })).toEqual(twice(form, 'AU-TOK-01 MAY'))
    expect(responds({ ...tokens, expiresIn: lifetime })).toEqual(twice())
  })

  test('AU-FLOW-04: no server rejects the resource parameter', () => {
    const refusal = { error: 'invalid_request', error_description: 'unknown parameter: resource' }
    const found = revision === '2025-03-26' ? [] : ['AU-FLOW-04 MUST']
    const asked = 'grant_type=refresh_token&resource=https%3A%2F%2Fh%2Fmcp'
    expect(responds(refusal, { status: 400, asked })).toEqual(twice(...found))
    expect(responds(refusal, { status: 400, asked: 'grant_type=refresh_token' })).toEqual(twice())
    expect(responds({ error: 'invalid_request' }, { status: 400, asked })).toEqual(twice())
  })

  test('AU-FLOW-01: no server rejects the verifier of PKCE', () => {
    const asked = 'grant_type=authorization_code&code=x&code_verifier=y'
    for (const text of ['Missing parameter: code_challenge', 'code_verifier does not match', 'PKCE failed']) {
      const refusal = { error: 'invalid_grant', error_description: text }
      expect(responds(refusal, { status: 400, asked }), text).toEqual(twice('AU-FLOW-01 MUST'))
      expect(responds(refusal, { status: 400, asked: 'grant_type=refresh_token' }), text).toEqual(twice())
    }
    expect(responds({ error: 'invalid_grant', error_description: 'The code expired' }, { status: 400, asked })).toEqual(twice()) // prettier-ignore
  })

  test('AU-TOK-05: a server that issued a refresh token accepts it', () => {
    const asked = 'grant_type=refresh_token'
    expect(responds({ error: 'unsupported_grant_type' }, { status: 400, asked })).toEqual(twice('AU-TOK-05 MUST'))
  })

  test('AU-FLOW-13: a client without a secret that was just registered needs none', () => {
    const found = (id: string) => {
      const talk = new Talk()
      talk.flow(revision)
      exchange(talk, 'registration', { client_id: 'c', token_endpoint_auth_method: 'none' }, { status: 201 })
      const asked = `grant_type=authorization_code&code=x&client_id=${id}`
      exchange(talk, 'token', { error: 'invalid_client' }, { status: 401, asked })
      return cites(talk)
    }
    expect(found('c')).toEqual(['AU-FLOW-13 MUST'])
    expect(found('other')).toEqual([])
  })

  test('AU-FLOW-13: a client with a secret that was just registered may use it as registered', () => {
    const found = (method: string, more: string, sent: HeaderList = []) => {
      const talk = new Talk()
      talk.flow(revision)
      const registered = { client_id: 'c', client_secret: 's', client_secret_expires_at: 0 }
      const headers: HeaderList = [['cache-control', 'no-store']]
      exchange(talk, 'registration', { ...registered, token_endpoint_auth_method: method }, { status: 201, headers })
      const asked = `grant_type=${more}&code=x`
      const challenge: HeaderList = [['www-authenticate', 'Basic realm="as"']]
      exchange(talk, 'token', { error: 'invalid_client' }, { status: 401, headers: challenge, sent, asked })
      return cites(talk)
    }
    const basic: HeaderList = [['authorization', 'Basic ••••']]
    const code = 'authorization_code'
    expect(found('client_secret_basic', code, basic)).toEqual(['AU-FLOW-13 MUST'])
    expect(found('client_secret_post', `${code}&client_id=c&client_secret=x`)).toEqual(['AU-FLOW-13 MUST'])
    // With another method than the registered one, or later, the client may be at fault.
    expect(found('client_secret_post', code, basic)).toEqual([])
    expect(found('client_secret_basic', `${code}&client_id=c&client_secret=x`)).toEqual([])
    expect(found('client_secret_basic', 'refresh_token', basic)).toEqual([])
  })
})

describe('scopes of tokens', () => {
  const signedIn = (revision: Revision, scope: string, body: JsonObject = { scope }): Talk => {
    const talk = new Talk().shakeHands(revision)
    talk.flow(revision)
    exchange(talk, 'token', body, {}, { tokens: { scope } })
    return talk
  }
  const refuses = (talk: Talk, scope: string): Talk => {
    const post = talk.post(talk.request('tools/call', { name: 'x' }), TOKEN)
    const prm = 'resource_metadata="https://h/.well-known/oauth-protected-resource"'
    post.head(403, '', [['www-authenticate', `Bearer error="insufficient_scope", scope="${scope}", ${prm}`]])
    return talk
  }

  test('AU-SCOPE-08, AU-TOK-04: a refresh adds no scope', () => {
    const refreshed = (revision: Revision, scope: string) => {
      const talk = signedIn(revision, 'a b')
      exchange(talk, 'refresh', { scope }, {}, { tokens: { scope }, rotated: true })
      return cites(talk)
    }
    expect(refreshed('2025-11-25', 'b a')).toEqual([])
    expect(refreshed('2025-11-25', 'a')).toEqual([])
    expect(refreshed('2025-11-25', 'a b admin')).toEqual(['AU-SCOPE-08 MUST'])
    expect(refreshed('2025-03-26', 'a b admin')).toEqual(['AU-TOK-04 MUST'])
  })

  test('AU-SCOPE-02, AU-GEN-05: scopes that a token has are not missing', () => {
    expect(cites(refuses(signedIn('2025-11-25', 'a b'), 'b'))).toEqual(['AU-SCOPE-02 MUST'])
    expect(cites(refuses(signedIn('2025-06-18', 'a b'), 'b'))).toEqual(['AU-GEN-05 MUST'])
    expect(cites(refuses(signedIn('2025-11-25', 'a'), 'a b'))).toEqual([])
    expect(cites(refuses(new Talk().shakeHands('2025-11-25'), 'a'))).toEqual([])
  })

  test('AU-SCOPE-08: a token response that grants less than requested says so', () => {
    expect(cites(refuses(signedIn('2025-11-25', 'a b', {}), 'b'))).toEqual(['AU-SCOPE-08 MUST'])
  })

  test('AU-SCOPE-01: a server with scopes names those that it needs', () => {
    const found = (header: string, document: JsonObject, revision: Revision = '2025-11-25') => {
      const talk = new Talk()
      const post = talk.post(talk.request('initialize', { protocolVersion: revision }))
      post.head(401, '', [['www-authenticate', `Bearer ${header}`]])
      talk.flow(revision)
      exchange(talk, 'resource-metadata', { authorization_servers: ['https://as'], ...document })
      return cites(talk)
    }
    const scopes = { scopes_supported: ['a'] }
    expect(found('scope="a"', scopes)).toEqual([])
    expect(found('realm="x"', {})).toEqual([])
    expect(found('realm="x"', scopes)).toEqual(['AU-SCOPE-01 SHOULD'])
    expect(found('scope="a, b"', scopes)).toEqual(['AU-SCOPE-01 SHOULD'])
  })
})
