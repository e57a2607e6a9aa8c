import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuthStep, HeaderList, JsonObject, Revision } from '../../mcp/index.ts'
import { challengesIn } from './authorization.ts'
import { cites, judged, listed, Talk } from '../talk.case.ts'

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const satisfies readonly Revision[]
const PRM = 'https://h/.well-known/oauth-protected-resource'
const TOKEN: HeaderList = [['authorization', 'Bearer •••• (40 characters)']]
const challenge = (value: string): HeaderList => [['www-authenticate', value]]

/** A request rejected in a session with this protocol version. */
const refused = (revision: Revision, status: number, header?: string, sent: HeaderList = [], more = {}): Talk => {
  const talk = revision === '2026-07-28' ? new Talk().discover() : new Talk().shakeHands(revision)
  const request = talk.http('POST', 'message', { headers: sent })
  talk.sent(talk.request('tools/list', revision === '2026-07-28' ? talk.envelope() : {}), { carrier: request })
  const headers = header === undefined ? [] : challenge(header)
  talk.add({ kind: 'http', phase: 'response', request, status, statusText: '', headers, ...more })
  return talk
}

describe.each(REVISIONS)('how a server refuses, in %s', (revision) => {
  const said = (...refusal: [status: number, header?: string, sent?: HeaderList]) =>
    cites(refused(revision, ...refusal))

  test('AU-GEN-05: 401 says what is asked for', () => {
    expect(said(401)).toEqual(['AU-GEN-05 MUST'])
    expect(said(401, `Bearer resource_metadata="${PRM}"`)).toEqual([])
    // Other authentication schemes are allowed (AU-GEN-07).
    if (revision !== '2025-06-18') expect(said(401, 'Basic realm="x"')).toEqual([])
  })

  test('AU-GEN-05: each error has its status', () => {
    const prm = `resource_metadata="${PRM}"`
    expect(said(401, `Bearer error="invalid_token", ${prm}`, TOKEN)).toEqual([])
    expect(said(403, `Bearer error="insufficient_scope", scope="a b", ${prm}`, TOKEN)).toEqual([])
    expect(said(400, `Bearer error="invalid_request"`, TOKEN)).toEqual([])
    expect(said(401, `DPoP error="use_dpop_nonce", ${prm}`, TOKEN)).toEqual([])
    // The status fits a token that is missing or expired, and the error doesn't.
    expect(said(401, `Bearer error="invalid_request", ${prm}`, TOKEN)).toEqual(['AU-GEN-05 SHOULD'])
    expect(said(403, 'Bearer error="invalid_token"', TOKEN)).toEqual(['AU-GEN-05 MUST'])
    expect(said(401, `Bearer error=insufficient_scope, scope="a", ${prm}`, TOKEN)).toEqual(['AU-GEN-05 MUST'])
    expect(said(400, 'Bearer error="invalid_token"', TOKEN)).toEqual(['AU-GEN-05 MUST'])
    // A request without a token can't have been rejected for its scope.
    expect(said(403, `Bearer realm="x", ${prm}`)).toEqual(['AU-GEN-05 MUST'])
    for (const status of [400, 404, 405, 500]) expect(said(status, `Bearer ${prm}`)).toEqual(['AU-GEN-05 MUST'])
    expect(said(404)).toEqual([])
    expect(said(404, `Bearer ${prm}`, TOKEN)).toEqual([])
    expect(said(403)).toEqual([])
  })

  test('AU-GEN-05, AU-SCOPE-03: a token is refused with an error, a request without one isn’t', () => {
    const prm = `resource_metadata="${PRM}"`
    const lacks = revision >= '2025-11-25' ? 'AU-SCOPE-03 SHOULD' : 'AU-GEN-05 SHOULD'
    expect(said(401, `Bearer realm="x", ${prm}`, TOKEN)).toEqual(['AU-GEN-05 SHOULD'])
    expect(said(401, `Bearer error="expired", ${prm}`, TOKEN)).toEqual(['AU-GEN-05 MUST'])
    expect(said(403, `Bearer error="invalid_scope", ${prm}`, TOKEN)).toEqual([lacks.replace('SHOULD', 'MUST')])
    expect(said(403, `Bearer realm="x", ${prm}`, TOKEN)).toEqual([lacks])
    expect(said(401, `Bearer error="invalid_token", ${prm}`)).toEqual(['RFC 6750 section 3.1 SHOULD'])
    expect(said(401, `Bearer error_description="No token", ${prm}`)).toEqual(['RFC 6750 section 3.1 SHOULD'])
    if (revision !== '2025-06-18') expect(said(401, 'Basic realm="x"', TOKEN)).toEqual(['AU-GEN-05 MUST'])
    expect(said(403, 'Basic realm="x"', TOKEN)).toEqual([lacks])
    expect(said(403, undefined, TOKEN)).toEqual([lacks])
    // One of several challenges names it.
    expect(said(401, `DPoP algs="ES256", Bearer error="invalid_token", ${prm}`, TOKEN)).toEqual([])
    // An API key isn't a token of OAuth.
    expect(said(401, `Bearer realm="x", ${prm}`, [['authorization', 'ApiKey ••••']])).toEqual([])
  })

  test('RFC 6750 section 3: Bearer is followed by a parameter', () => {
    const bare = (header: string) => said(401, header).filter((each) => each.startsWith('RFC'))
    expect(bare('Bearer')).toEqual(['RFC 6750 section 3 MUST'])
    expect(bare('Basic realm="x", bearer')).toEqual(['RFC 6750 section 3 MUST'])
    expect(bare('Bearer realm=""')).toEqual([])
    expect(bare('Negotiate')).toEqual([])
  })

  test('AU-GEN-05: a server that accepts Bearer tokens asks for them', () => {
    const found = (header: string, authorization: string) => {
      const talk = refused(revision, 401, header)
      const request = talk.http('POST', 'message', { headers: [['authorization', authorization]] })
      talk.head(request, 202, '')
      return cites(talk).filter((each) => each.startsWith('AU-GEN'))
    }
    expect(found('Basic realm="x", Digest nonce="y"', 'Bearer ••••')).toEqual(['AU-GEN-05 MUST'])
    expect(found('Basic realm="x"', 'Basic ••••')).toEqual([])
    expect(found(`Basic realm="x", Bearer resource_metadata="${PRM}"`, 'Bearer ••••')).toEqual([])
  })

  test('AU-GEN-03: a token in an address is told once, and never repeated', () => {
    const talk = new Talk()
    const url = 'http://h/mcp?x=1&access_token=hunter2'
    for (let round = 0; round < 2; round++) {
      const request = talk.http('POST', 'message', { url, headers: [['mcp-protocol-version', revision]] })
      talk.sent(talk.request('tools/list'), { carrier: request })
      talk.head(request)
    }
    expect(cites(talk)).toEqual(['AU-GEN-03 MUST'])
    expect(JSON.stringify(listed(judged(talk)))).not.toContain('hunter2')
  })
})

describe('how a server refuses', () => {
  test('AU-GEN-05: 401 to the very first request counts by the revision that it offers', () => {
    const talk = new Talk()
    const post = talk.post(talk.request('initialize', { protocolVersion: '2025-11-25' }))
    post.head(401)
    expect(cites(talk)).toEqual(['AU-GEN-05 MUST'])
    const old = new Talk()
    old.post(old.request('initialize', { protocolVersion: '2024-11-05' })).head(401)
    expect(cites(old)).toEqual([])
  })

  test('AU-GEN-03: where no revision is known when a request is sent, it is told with its answer', () => {
    const talk = new Talk()
    const request = talk.http('POST', 'message', { url: 'http://h/mcp?access_token=x' })
    talk.sent(talk.request('initialize', { protocolVersion: '2025-11-25' }), { carrier: request })
    const head = talk.head(request)
    expect(listed(judged(talk))).toMatchObject([{ rule: 'AU-GEN-03', seq: head, related: request }])
  })

  test('AU-GEN-03: requests of a sign-in, and where a redirect led, are looked at too', () => {
    const talk = new Talk()
    talk.flow('2025-11-25')
    talk.step('use', 'https://h/me?access_token=x')
    expect(cites(talk)).toEqual(['AU-GEN-03 MUST'])
    const led = new Talk().shakeHands('2025-11-25')
    const request = led.http('POST', 'message')
    const redirectedTo = 'http://h/other?access_token=x'
    led.add({ kind: 'http', phase: 'response', request, status: 200, statusText: '', headers: [], redirectedTo })
    expect(cites(led)).toContain('AU-GEN-03 MUST')
  })

  test('AU-PRM-02: 2025-06-18 finds the metadata by the header alone; later ones have another way', () => {
    expect(cites(refused('2025-06-18', 401, 'Bearer realm="x"'))).toEqual(['AU-PRM-02 MUST'])
    expect(cites(refused('2025-11-25', 401, 'Bearer realm="x"'))).toEqual([])
    expect(cites(refused('2025-11-25', 401, 'Bearer resource_metadata="/prm"'))).toEqual(['AU-PRM-02 MUST'])
    expect(cites(refused('2025-11-25', 401, 'Bearer resource_metadata="javascript:alert(1)"'))).toEqual([
      'AU-PRM-02 MUST',
    ])
  })

  test('AU-SCOPE-01: a scope is never empty', () => {
    const empty = refused('2025-11-25', 401, `Bearer scope="", resource_metadata="${PRM}"`)
    expect(cites(empty)).toEqual(['AU-SCOPE-01 MUST'])
  })

  test('RFC 6750 section 3: a description has no quotes', () => {
    const described = (text: string) =>
      cites(refused('2025-11-25', 401, `Bearer error="invalid_token", error_description="${text}", resource_metadata="${PRM}"`, TOKEN)) // prettier-ignore
    expect(described('The token expired')).toEqual([])
    expect(described(String.raw`no \"x\"`)).toEqual(['RFC 6750 section 3 MUST'])
    expect(described('Expired", error_uri="https://h/docs#expired')).toEqual([])
    // Absolute, unlike in redirects and token responses.
    expect(described('Expired", error_uri="/docs#expired')).toEqual(['RFC 6750 section 3 MUST'])
    expect(described('Expired", error_uri="see the manual')).toEqual(['RFC 6750 section 3 MUST'])
  })

  test('AU-SCOPE-01: scopes have their characters, and spaces between', () => {
    const scoped = (scope: string) => cites(refused('2025-11-25', 401, `Bearer scope="${scope}", resource_metadata="${PRM}"`)) // prettier-ignore
    for (const scope of ['a b', 'urn:a:b', "a !#$%&'()*+,-./:;<=>?@[]^_`{|}~"]) expect(scoped(scope), scope).toEqual([])
    for (const scope of ['a,b', 'a, b', 'a|b', 'mcp:read;mcp:write']) {
      expect(scoped(scope), scope).toEqual(['AU-SCOPE-01 SHOULD'])
    }
    for (const scope of [String.raw`[\"a\"]`, 'é', 'a\tb']) expect(scoped(scope), scope).toEqual(['AU-SCOPE-01 MUST'])
  })

  test('AU-GEN-05: a missing scope is named in the challenge, not in the body', () => {
    const found = (body: string) => {
      const talk = new Talk().shakeHands('2025-11-25')
      const request = talk.http('POST', 'message', { headers: TOKEN })
      talk.sent(talk.request('tools/list'), { carrier: request })
      talk.head(request, 403, 'text/plain')
      talk.add({ kind: 'http', phase: 'end', request, size: body.length, body })
      return cites(talk)
    }
    expect(found('Insufficient scope')).toEqual(['AU-SCOPE-03 SHOULD', 'AU-GEN-05 MUST'])
    expect(found('Origin not allowed')).toEqual(['AU-SCOPE-03 SHOULD'])
  })

  test('AU-SCOPE-03: a missing scope of this server is HTTP 403, not the result of a tool', () => {
    const found = (text: string, isError = true) => {
      const talk = new Talk().shakeHands('2025-11-25')
      talk.flow('2025-11-25')
      const document = { authorization_servers: ['https://as'], scopes_supported: ['a', 'mcp:write'] }
      talk.done(talk.step('resource-metadata', PRM, JSON.stringify(document)).begun, 'resource-metadata')
      talk.done(talk.step('token', 'https://as/token', '{"scope":"a"}').begun, 'token', { tokens: { scope: 'a' } })
      const post = talk.post(talk.request('tools/call', { name: 'x' }), TOKEN)
      post.head(200)
      post.says({ jsonrpc: '2.0', id: post.id, result: { isError, content: [{ type: 'text', text }] } })
      return cites(talk).filter((each) => each.startsWith('AU-SCOPE'))
    }
    expect(found('insufficient_scope: mcp:write is needed')).toEqual(['AU-SCOPE-03 SHOULD'])
    // A scope of another service, and one that the token already has.
    expect(found('insufficient_scope: repo is needed')).toEqual([])
    expect(found('insufficient_scope: a is needed')).toEqual([])
    expect(found('insufficient_scope: mcp:write is needed', false)).toEqual([])
  })

  test('AU-SCOPE-03: insufficient_scope without a scope helps nobody', () => {
    for (const header of ['Bearer error="insufficient_scope"', 'Bearer error="insufficient_scope", scope=" "']) {
      expect(cites(refused('2025-11-25', 403, header, TOKEN))).toEqual(['AU-SCOPE-03 SHOULD'])
      expect(cites(refused('2025-06-18', 403, header, TOKEN))).toEqual([])
    }
  })

  test('AU-SCOPE-07: offline_access in a challenge, in 2026-07-28 alone', () => {
    const header = `Bearer resource_metadata="${PRM}", scope="tools offline_access"`
    expect(cites(refused('2026-07-28', 401, header))).toEqual(['AU-SCOPE-07 SHOULD'])
    expect(cites(refused('2025-11-25', 401, header))).toEqual([])
    expect(cites(refused('2026-07-28', 401, header.replace('offline_access', 'offline_access_all')))).toEqual([])
  })

  test('BR-03: a header that CORS may hide is a remark; the proxy shows that it was there', () => {
    const talk = refused('2025-11-25', 401, undefined, [], { crossOrigin: true })
    expect(cites(talk)).toEqual(['BR-03 MAY'])
    const hidden = talk.trace.length - 1
    const request = talk.http('POST', 'authorization', { url: 'http://h/mcp', relayed: true })
    const seq = talk.head(request, 401, '', challenge(`Bearer resource_metadata="${PRM}"`))
    expect(listed(judged(talk))).toMatchObject([{ seq: hidden }, { rule: 'BR-03', seq, related: hidden }])
    // If the proxy doesn't see one either, there is none.
    const bare = refused('2025-11-25', 401, undefined, [], { crossOrigin: true })
    bare.head(bare.http('POST', 'authorization', { url: 'http://h/mcp', relayed: true }), 401, '')
    expect(cites(bare)).toEqual(['BR-03 MAY'])
  })
})

describe('what is said in a sign-in', () => {
  const metadata = (revision: Revision, body: string, status = 200) => {
    const talk = new Talk()
    talk.flow(revision)
    const { begun, end } = talk.step('resource-metadata', PRM, body, status)
    const done = talk.done(begun, 'resource-metadata')
    return { talk, end, done }
  }

  test('AU-PRM-06: metadata without an authorization server is told at the step, with the answer that shows it', () => {
    for (const list of [undefined, [], [''], 'https://as', [7]]) {
      const { talk, end, done } = metadata('2025-11-25', JSON.stringify({ resource: 'x', authorization_servers: list }))
      expect(listed(judged(talk))).toMatchObject([{ rule: 'AU-PRM-06', keyword: 'MUST', seq: done, related: end }])
    }
    const good = { resource: 'x', authorization_servers: ['https://as'] }
    expect(cites(metadata('2025-11-25', JSON.stringify(good)).talk)).toEqual([])
    // A missing document is a different problem.
    for (const body of ['<html>', '[]', '"x"', '{"resource":'])
      expect(cites(metadata('2025-11-25', body).talk)).toEqual(['AU-PRM-01 MUST'])
    expect(cites(metadata('2025-11-25', '{}', 404).talk)).toEqual([])
    expect(cites(metadata('2025-03-26', '{}').talk)).toEqual([])
  })

  test('AU-SCOPE-07: offline_access among the scopes of a resource, in 2026-07-28 alone', () => {
    const body = JSON.stringify({ authorization_servers: ['https://as'], scopes_supported: ['a', 'offline_access'] })
    expect(cites(metadata('2026-07-28', body).talk)).toEqual(['AU-SCOPE-07 SHOULD'])
    expect(cites(metadata('2025-11-25', body).talk)).toEqual([])
  })

  test.each(REVISIONS)('AU-ASM-01, AU-FLOW-13: what the metadata of an authorization server owes, in %s', (revision) => {
    const good: JsonObject = { response_types_supported: ['code'], token_endpoint_auth_methods_supported: ['none'] }
    const said = (document: JsonObject, method?: string) => {
      const talk = new Talk()
      talk.flow(revision)
      const { begun } = talk.step('server-metadata', 'https://as/.well-known/x', JSON.stringify(document))
      talk.done(begun, 'server-metadata')
      const client = JSON.stringify({ client_id: 'x', ...(method === undefined ? {} : { token_endpoint_auth_method: method }) })
      talk.done(talk.step('registration', 'https://as/register', client, 201).begun, 'registration')
      return cites(talk)
    }
    expect(said(good, 'none')).toEqual([])
    expect(said(good)).toEqual([])
    expect(said({ response_types_supported: ['code'] }, 'client_secret_basic')).toEqual([])
    expect(said({})).toEqual(['AU-ASM-01 MUST'])
    expect(said({ ...good, scopes_supported: 'a b' })).toEqual(['AU-ASM-01 MUST'])
    expect(said(good, 'client_secret_post')).toEqual(['AU-FLOW-13 MUST'])
  }) // prettier-ignore

  test('AU-0326-04: an error of the token endpoint has a status of its own', () => {
    const said = (status: number) => {
      const talk = new Talk()
      talk.flow('2025-03-26')
      talk.done(talk.step('token', 'https://as/token', '{"error":"invalid_grant"}', status).begun, 'token')
      return cites(talk)
    }
    expect(said(200)).toEqual(['RFC 6749 section 5.2 MUST'])
    expect(said(400)).toEqual([])
  })

  test('what a step found by itself is a finding of its frame, by the sign-in’s revision, and not told twice', () => {
    const talk = new Talk().shakeHands('2025-03-26')
    talk.flow('2026-07-28')
    const { begun } = talk.step('resource-metadata', PRM, '{}')
    const seq = talk.done(begun, 'resource-metadata', {}, [
      { rule: 'AU-PRM-06', keyword: 'MUST', explanation: 'none named' },
      { rule: 'RFC 9728 section 3.2', keyword: 'MUST', explanation: 'no such type' },
      { rule: 'AU-SCOPE-08', keyword: 'MUST', explanation: 'less' },
    ])
    const found = listed(judged(talk)).filter((each) => each.seq === seq)
    expect(found).toMatchObject([
      { rule: 'AU-PRM-06', keyword: 'MUST', explanation: 'none named', revision: '2026-07-28' },
      { rule: 'RFC 9728 section 3.2', keyword: 'MUST' },
      { rule: 'AU-SCOPE-08', keyword: 'MUST' },
    ])
    expect(judged(talk).counts.MUST).toBe(3)
  })

  test('what a step finds by a rule that its revision words nowhere, or softer, is told all the same', () => {
    const talk = new Talk()
    talk.flow('2025-03-26')
    const seq = talk.done(talk.auth({ event: 'step', step: 'server-metadata' }), 'server-metadata', {}, [
      { rule: 'AU-ASM-06', keyword: 'MUST', explanation: 'another issuer' },
      { rule: 'AU-TOK-04', keyword: 'MUST', explanation: 'not rotated' },
    ])
    expect(
      judged(talk)
        .bySeq.get(seq)
        ?.map(({ rule, keyword }) => `${rule} ${keyword}`),
    ).toEqual(['RFC 8414 section 3.3 MUST', 'AU-TOK-04 SHOULD'])
  })

  test('AU-TOK-04: a refresh token that is not rotated is told of clients without a secret', () => {
    const refreshed = (revision: Revision, learned: { rotated?: boolean; public?: boolean }) => {
      const talk = new Talk()
      talk.flow(revision)
      talk.done(talk.step('refresh', 'https://as/token', '{}').begun, 'refresh', learned)
      return cites(talk)
    }
    expect(refreshed('2025-11-25', { rotated: false })).toEqual(['AU-TOK-04 MUST'])
    expect(refreshed('2025-03-26', { rotated: false, public: true })).toEqual(['AU-TOK-04 SHOULD'])
    expect(refreshed('2025-11-25', { rotated: false, public: false })).toEqual([])
    expect(refreshed('2025-11-25', { rotated: true })).toEqual([])
    expect(refreshed('2025-11-25', {})).toEqual([])
    // A refresh outside a sign-in follows the rules of the session.
    const talk = new Talk().shakeHands('2025-06-18')
    talk.done(talk.step('refresh', 'https://as/token', '{}').begun, 'refresh', { rotated: false, public: true })
    expect(cites(talk)).toEqual(['AU-TOK-04 MUST'])
  })

  test('no rule of the transport looks at what goes to an authorization server, whatever it answers', () => {
    const answers = fc.record({
      method: fc.constantFrom<('GET' | 'POST' | 'DELETE')[]>('GET', 'POST', 'DELETE'),
      status: fc.constantFrom(0, 200, 202, 400, 401, 403, 404, 405, 500),
      type: fc.constantFrom('', 'text/html', 'application/json', 'text/event-stream'),
      body: fc.constantFrom(undefined, '', '{}', '<html>', '{"jsonrpc":"2.0","id":1,"result":{}}'),
    })
    fc.assert(
      fc.property(fc.constantFrom(...REVISIONS), fc.array(answers, { maxLength: 8 }), (revision, list) => {
        const talk = revision === '2026-07-28' ? new Talk().discover() : new Talk().shakeHands(revision)
        const before = cites(talk)
        talk.flow(revision)
        const begun = talk.auth({ event: 'step', step: 'use' })
        for (const { method, status, type, body } of list) {
          const request = talk.http(method, 'authorization', { url: 'https://as/me', step: begun })
          talk.head(request, status, type, [['mcp-session-id', 'a b']])
          talk.add({ kind: 'http', phase: 'end', request, size: 9, ...(body === undefined ? {} : { body }) })
        }
        talk.done(begun, 'use')
        expect(cites(talk)).toEqual(before)
      }),
    )
  })

  test('a sign-in goes on by its own rules while the connection is made anew', () => {
    const talk = new Talk()
    talk.add({ kind: 'session', phase: 'failed', code: 'unauthorized', explanation: 'x' })
    talk.flow('2026-07-28')
    const { begun } = talk.step('resource-metadata', PRM, '{}')
    talk.add({ kind: 'session', phase: 'opening', step: 'waiting-for-headers', limit: 1 })
    talk.done(begun, 'resource-metadata')
    expect(listed(judged(talk))).toMatchObject([{ rule: 'AU-PRM-06', revision: '2026-07-28' }])
  })
})

test('a request that is said again with a token is judged by what it asked', () => {
  const talk = new Talk().shakeHands('2025-11-25')
  const post = talk.post(talk.request('tools/list'))
  post.head(401, '', challenge('Bearer realm="x"'))
  post.end()
  const again = talk.http('POST', 'message', { again: post.seq, headers: TOKEN })
  talk.head(again, 200, 'text/html')
  expect(cites(talk)).toEqual(['TR-HTTP-05 MUST'])
  // The message may be captured a second time with the body.
  const other = new Talk().shakeHands('2025-11-25')
  const request = other.request('tools/list')
  const first = other.post(request)
  first.head(401, '', challenge('Bearer realm="x"'))
  first.end()
  const second = other.http('POST', 'message', { again: first.seq, headers: TOKEN })
  other.sent(request, { carrier: second })
  other.head(second)
  other.received({ jsonrpc: '2.0', id: request.id!, result: { tools: [] } }, { carrier: second })
  other.add({ kind: 'http', phase: 'end', request: second, size: 0 })
  expect(cites(other)).toEqual([])
})

describe('reading WWW-Authenticate', () => {
  const read = (...values: string[]) =>
    challengesIn(values.flatMap(challenge))!.bearer.map(({ scheme, params }) => [scheme.toLowerCase(), { ...params }])

  test('several challenges, any order, quotes and escapes are understood', () => {
    expect(read('Basic realm="a, Bearer b", Bearer scope="x y" , error=invalid_token,DPoP algs="ES256"')).toEqual([
      ['bearer', { scope: 'x y', error: 'invalid_token' }],
      ['dpop', { algs: 'ES256' }],
    ])
    expect(read('Negotiate', 'bEaReR REALM = "say \\"hi\\"", realm="second"')).toEqual([
      ['bearer', { realm: 'say "hi"' }],
    ])
    expect(read('Bearer')).toEqual([['bearer', {}]])
    expect(read('Negotiate abc==, Basic realm="x"')).toEqual([])
    expect(challengesIn([])).toBeUndefined()
    expect(challengesIn(challenge(' ,, '))?.any).toBe(false)
  })

  test('any parameters written by the rules are read as they are', () => {
    const name = fc.stringMatching(/^[a-z_]{1,8}$/).filter((word) => word !== 'bearer' && word !== 'dpop')
    const value = fc.string({ unit: fc.constantFrom(...'ab ,="\\:/é') })
    fc.assert(
      fc.property(fc.dictionary(name, value, { minKeys: 1, maxKeys: 5 }), (params) => {
        const parts = Object.entries(params).map(([key, text]) => `${key}="${text.replace(/["\\]/g, '\\$&')}"`)
        expect(read(`Bearer ${parts.join(', ')}`)).toEqual([['bearer', params]])
      }),
    )
  })

  test('no text, however broken or long, throws or takes its time', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'ab"=, \\B') }), (text) => void read(`Bearer ${text}`)))
    for (const part of ['"', 'a ', 'a= ', '\\', ' ', 'a="']) read(`Bearer ${part.repeat(1_000_000)}`)
  })
})

describe('what stops a step is cited by its row', () => {
  const stopped = (revision: Revision, step: AuthStep, code: string, rule?: string): string[] => {
    const talk = new Talk()
    talk.flow(revision)
    const { begun } = talk.step(step, 'https://as/x')
    const fault = { code, explanation: 'x', ...(rule === undefined ? {} : { rule }) }
    talk.auth({ event: 'done', step, begun, outcome: 'failed', checks: [], fault, learned: {} })
    return cites(talk)
  }
  test.each<[string, readonly Revision[], AuthStep, string, string?]>([
    ['AU-PRM-01 MUST', REVISIONS.slice(1), 'resource-metadata', 'no-resource-metadata', 'AU-PRM-04'],
    ['AU-PRM-01 MUST', REVISIONS.slice(1), 'resource-metadata', 'not-json', 'RFC 9728 section 3.2'],
    ['AU-ASM-01 MUST', REVISIONS, 'server-metadata', 'missing-endpoint', 'RFC 8414 section 2'],
    ['AU-ASM-01 MUST', REVISIONS, 'server-metadata', 'not-json'],
    ['AU-REG-06 MUST', REVISIONS, 'registration', 'no-client-id', 'RFC 7591 section 3.2.1'],
    ['AU-REG-06 MUST', REVISIONS, 'registration', 'not-json', 'RFC 7591 section 3.2.1'],
    ['AU-0326-05 SHOULD', REVISIONS.slice(0, 1), 'registration', 'no-registration', 'AU-REG-01'],
    ['AU-REG-06 SHOULD', REVISIONS.slice(1, 2), 'registration', 'no-registration', 'AU-REG-01'],
    ['AU-0326-02 MUST', REVISIONS.slice(0, 1), 'registration', 'no-resource-metadata', 'AU-PRM-04'],
    ['RFC 6749 section 4.1.2 MUST', REVISIONS, 'callback', 'no-code', 'RFC 6749 section 4.1.2'],
    ['AU-FLOW-13 MUST', REVISIONS, 'registration', 'registration-refused', 'AU-FLOW-13'],
    ['AU-0326-04 MUST', REVISIONS.slice(0, 1), 'token', 'no-access-token', 'RFC 6749 section 5.1'],
    ['AU-0326-04 MUST', REVISIONS.slice(0, 1), 'token', 'token-type', 'RFC 6749 section 7.1'],
    ['AU-GEN-02 MUST', REVISIONS.slice(1), 'token', 'token-type', 'RFC 6749 section 7.1'],
    ['RFC 6749 section 5.1 MUST', REVISIONS.slice(1), 'refresh', 'no-access-token', 'RFC 6749 section 5.1'],
    ['RFC 6749 section 5.1 MUST', REVISIONS.slice(1), 'token', 'not-json', 'RFC 6749 section 5.1'],
    ['AU-ASM-01 MUST', REVISIONS, 'server-metadata', 'redirected', 'SEC-10'],
  ])('%s in %j: %s %s', (expected, revisions, step, code, rule) => {
    for (const revision of revisions) expect(stopped(revision, step, code, rule)).toEqual([expected])
  })

  test.each<[AuthStep, string]>([
    ['resource-metadata', 'unreadable'],
    ['server-metadata', 'timeout'],
    ['registration', 'registration-refused'],
    ['authorization', 'no-answer'],
    ['callback', 'denied'],
    ['callback', 'authorization-error'],
    ['token', 'token-refused'],
  ])('what is no breach of the server stops a step without one: %s %s', (step, code) => {
    for (const revision of REVISIONS) expect(stopped(revision, step, code)).toEqual([])
  })
})

describe('documents of a sign-in', () => {
  const said = (revision: Revision, step: AuthStep, document: JsonObject, status = 200): string[] => {
    const talk = new Talk()
    talk.flow(revision)
    const { begun } = talk.step(step, 'https://as/x', JSON.stringify(document), status)
    talk.done(begun, step, step === 'refresh' ? { rotated: true } : {})
    return cites(talk)
  }

  test.each(REVISIONS)('AU-REG-11: no redirect URI leads to another machine without TLS, in %s', (revision) => {
    const registers = (...uris: string[]) => said(revision, 'registration', { redirect_uris: uris }, 201)
    const ours = 'http://127.0.0.1:40123/callback'
    expect(registers(ours, 'https://h/back', 'http://localhost/x', 'http://[::1]/x', 'app:/back')).toEqual([])
    expect(registers(ours, 'http://192.168.0.7/back')).toEqual(['AU-REG-11 MUST'])
    expect(
      said(revision, 'registration', { error: 'invalid_redirect_uri', redirect_uris: ['http://h/'] }, 400),
    ).toEqual([])
  })

  test.each(['2025-11-25', '2026-07-28'] as const)('AU-SCOPE-08: scopes are one text, separated by spaces, in %s', (revision) => {
    for (const step of ['token', 'refresh'] as const) {
      for (const scope of ['a b', 'a', 'a:b', "a !#$%&'()*+,-./:;<=>?@[]^_`{|}~", 'https://h/a;v=1']) expect(said(revision, step, { scope })).toEqual([])
      for (const scope of [['a', 'b'], 'a,b', 'a, b', 'a|b', 'a;b', '', 'é', 7, null]) expect(said(revision, step, { scope })).toEqual(['AU-SCOPE-08 MUST'])
    }
  }) // prettier-ignore
})

describe.each(['2025-11-25', '2026-07-28'] as const)('AU-SCOPE-03: 403 says which scope is missing, in %s', (revision) => {
  const prm = `resource_metadata="${PRM}"`
  test('without a challenge, or with another error, it does not', () => {
    const told = (header?: string, more = {}) => cites(refused(revision, 403, header, TOKEN, more))
    expect(told(`Bearer error="insufficient_scope", scope="a", ${prm}`)).toEqual([])
    expect(told()).toEqual(['AU-SCOPE-03 SHOULD'])
    expect(told(undefined, { crossOrigin: true })).toEqual([])
    expect(told(`Bearer error="invalid_token", scope="a", ${prm}`)).toEqual(['AU-GEN-05 MUST'])
    expect(told('Bearer error="insufficient_scope", scope="a"')).toEqual(['AU-SCOPE-03 SHOULD'])
    // The scope may be in one of several challenges.
    expect(told(`DPoP error="insufficient_scope", Bearer error="insufficient_scope", scope="a", ${prm}`)).toEqual([])
    // Without a token, or with an Origin of its own, the reason may be another one.
    expect(cites(refused(revision, 403))).toEqual([])
    expect(cites(refused(revision, 403, undefined, [...TOKEN, ['origin', 'http://evil.example']]))).toEqual([])
  })
}) // prettier-ignore

test('AU-REG-03, AU-REG-13: a client that the user entered is no fault of the server', () => {
  const talk = new Talk()
  talk.flow('2026-07-28')
  const begun = talk.auth({ event: 'step', step: 'registration' })
  const seq = talk.done(begun, 'registration', {}, [
    { rule: 'AU-REG-13', keyword: 'SHOULD', explanation: 'The client belongs to another issuer' },
    { rule: 'AU-ASM-06', keyword: 'MUST', explanation: 'Another issuer' },
  ])
  const found = judged(talk)
  expect(listed(found)).toMatchObject([
    { rule: 'AU-REG-13', by: 'client', seq },
    { rule: 'AU-ASM-06', seq },
  ])
  expect(found.counts).toEqual({ MUST: 1, SHOULD: 0, MAY: 0, ADVICE: 0 })
})
