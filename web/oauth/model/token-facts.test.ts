import fc from 'fast-check'
import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import type { TokenSet } from './sign-in-state.ts'
import { decodeJwt } from './jwt.ts'
import { safeFacts, tokenFacts, type TokenSay } from './token-facts.ts'

const NOW = Date.UTC(2026, 10, 21)
const seconds = (ms: number) => Math.floor(ms / 1000)

const base64url = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const jwtOf = (claims: object | string, header: object = { alg: 'ES256', typ: 'at+jwt' }): string =>
  [JSON.stringify(header), typeof claims === 'string' ? claims : JSON.stringify(claims), 'signature']
    .map(base64url)
    .join('.')

const SERVER = 'https://mcp.example/mcp'
const ISSUER = 'https://as.example'

const tokens = (claims?: object, more: Partial<TokenSet> = {}): TokenSet => ({
  issuer: ISSUER,
  server: SERVER,
  resource: SERVER,
  accessToken: claims ? jwtOf(claims) : 'opaque-access-token',
  tokenType: 'Bearer',
  refreshToken: 'refresh-token-1',
  receivedAt: NOW,
  expiresAt: NOW + 3_600_000,
  ...more,
})

const CLAIMS = { iss: ISSUER, aud: SERVER, exp: seconds(NOW) + 3600, sub: 'alice', client_id: 'c1', scope: 'read' }

const said = (set: TokenSet): Partial<Record<TokenSay, unknown>> =>
  Object.fromEntries(tokenFacts(set, NOW).checks.map(({ say, ok, values }) => [say, { ok, ...values }]))

describe('a JWT is read without being trusted', () => {
  test('as another implementation wrote it', async () => {
    const { privateKey } = await oauth.generateKeyPair('ES256')
    let assertion = ''
    const as = { issuer: ISSUER, token_endpoint: `${ISSUER}/token` }
    await oauth.clientCredentialsGrantRequest(
      as,
      { client_id: 'client é' },
      oauth.PrivateKeyJwt(privateKey),
      {},
      {
        [oauth.customFetch]: async (_: string, { body }: { body: unknown }) => {
          assertion = (body as URLSearchParams).get('client_assertion')!
          return new Response('{}')
        },
      },
    )
    const decoded = decodeJwt(assertion)!
    expect(decoded).toMatchObject({
      header: { alg: 'ES256' },
      claims: { iss: 'client é', sub: 'client é' },
      problems: [],
    })
  })

  test('whatever JSON it holds comes back, but for what would change the prototype of a copy', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 })), (claims) => {
        const text = JSON.stringify(claims)
        fc.pre(!text.includes('"__proto__"'))
        const expected = JSON.parse(text) as object
        expect(decodeJwt(jwtOf(claims))).toEqual({ header: expect.anything(), claims: expected, problems: [] })
      }),
    )
    const evil = decodeJwt(jwtOf('{"__proto__":{"exp":1,"admin":true},"a":{"__proto__":{"b":1}},"constructor":"x"}'))!
    expect(evil.problems).toEqual(['odd-member'])
    expect(JSON.stringify(evil.claims)).toBe('{"a":{},"constructor":"x"}')
    const copy = Object.assign({}, evil.claims) as { admin?: boolean }
    expect(copy.admin).toBeUndefined()
  })

  test.each<[what: string, token: string, expected: object | undefined]>([
    ['an opaque token', 'ya29.a0Af.x', undefined],
    ['too many parts', 'a.b.c.d', undefined],
    ['a header that is no object', `${base64url('[1]')}.${base64url('{}')}.x`, undefined],
    ['more than 64 KB', jwtOf({ a: 'x'.repeat(70_000) }), undefined],
    ['claims that are no JSON', jwtOf('hello'), { claims: {}, problems: ['claims-unreadable'] }],
    [
      'encrypted',
      `${base64url('{"alg":"dir","enc":"A256GCM"}')}..iv.text.tag`,
      { claims: {}, problems: ['encrypted'] },
    ],
    ['padding', `${btoa('{"alg":"none"}')}=.${btoa('{"a":1}')}.`.replace('==.', '=.'), { claims: { a: 1 } }],
    ['no algorithm', `${base64url('{}')}.${base64url('{"a":1}')}.x`, { claims: { a: 1 }, problems: ['no-algorithm'] }],
    ['depth', jwtOf('{"a":'.repeat(5000) + '1' + '}'.repeat(5000)), { problems: ['too-deep'] }],
  ])('%s', (_, token, expected) => {
    if (expected) expect(decodeJwt(token)).toMatchObject(expected)
    else expect(decodeJwt(token)).toBeUndefined()
  })

  test('any text is read without an exception, and never said to be more than it is', () => {
    const part = fc.oneof(fc.string({ unit: 'binary' }), fc.json().map(base64url), fc.base64String())
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(part, { maxLength: 6 }).map((parts) => parts.join('.')),
        ),
        (token) => {
          const decoded = decodeJwt(token)
          if (decoded) expect([3, 5]).toContain(token.split('.').length)
          const facts = tokenFacts(tokens(undefined, { accessToken: token }), NOW)
          expect(facts.format).toBe(decoded ? 'jwt' : 'opaque')
          expect(JSON.parse(JSON.stringify(facts.checks))).toEqual(facts.checks)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('what is said of tokens', () => {
  test('of one that is as it should be: nothing bad', () => {
    const facts = tokenFacts(tokens(CLAIMS, { requestedScope: 'read', scope: 'read' }), NOW)
    expect(facts).toMatchObject({
      format: 'jwt',
      issuer: ISSUER,
      clientId: 'c1',
      algorithm: 'ES256',
      expiresAt: NOW + 3_600_000,
      audience: { verdict: 'matches', claimed: [SERVER], expected: [SERVER] },
      hasRefreshToken: true,
    })
    expect(facts.checks.map(({ say }) => say)).toEqual([
      'token-decoded',
      'token-issuer-matches',
      'token-audience-matches',
    ])
    expect(facts.checks.filter(({ ok }) => ok === false)).toEqual([])
  })

  test('of an opaque one, that only servers can read it', () => {
    expect(tokenFacts(tokens(), NOW)).toMatchObject({ format: 'opaque', claims: [], audience: { verdict: 'absent' } })
    expect(Object.keys(said(tokens()))).toEqual(['token-opaque'])
  })

  test('whom it is for, beside the resource that was asked for and the server (AU-TOK-06, AU-GEN-04)', () => {
    const other = { ...CLAIMS, aud: ['https://other.example', 'api://x'] }
    expect(said(tokens(other))).toMatchObject({
      'token-audience-differs': { ok: false, audience: 'https://other.example api://x', expected: SERVER },
    })
    // 2025-03-26 requires no resource parameter, so nothing is violated.
    expect(said(tokens(other, { resource: undefined }))['token-audience-differs']).toMatchObject({ ok: undefined })
    for (const aud of ['HTTPS://MCP.example/mcp', ['x', SERVER], 'https://mcp.example:443/mcp']) {
      expect(said(tokens({ ...CLAIMS, aud })), String(aud)).toHaveProperty('token-audience-matches')
    }
    const rooted = tokens({ ...CLAIMS, aud: 'https://mcp.example' }, { resource: 'https://mcp.example/' })
    expect(tokenFacts(rooted, NOW).audience.verdict).toBe('matches')
    expect(tokenFacts(tokens({ ...CLAIMS, aud: 'https://mcp.example/mcp/' }), NOW).audience.verdict).toBe('differs')
    expect(said(tokens({ ...CLAIMS, aud: undefined }))).toHaveProperty('token-audience-absent')
  })

  test('who made it: the authorization server that was asked, or somebody else (AU-GEN-04)', () => {
    const differs = { 'token-issuer-differs': { ok: false, claim: `${ISSUER}/`, issuer: ISSUER } }
    expect(said(tokens({ ...CLAIMS, iss: `${ISSUER}/` }))).toMatchObject(differs)
    const pasted = said(tokens({ ...CLAIMS, iss: 'https://any.example' }, { issuer: undefined }))
    expect(Object.keys(pasted).filter((say) => say.startsWith('token-issuer'))).toEqual([])
  })

  test('when it ends: the earlier of what the answer and the token say, and that they differ', () => {
    const set = tokens({ ...CLAIMS, exp: seconds(NOW) + 60 })
    expect(tokenFacts(set, NOW)).toMatchObject({
      expiresAt: NOW + 60_000,
      expiry: { response: NOW + 3_600_000, claim: NOW + 60_000 },
    })
    expect(said(set)).toMatchObject({ 'token-ends-differ': { ok: undefined, seconds: -3540 } })
    expect(said(tokens({ ...CLAIMS, exp: seconds(NOW) + 3590 }))).not.toHaveProperty('token-ends-differ')
    expect(said(tokens({ ...CLAIMS, exp: seconds(NOW) - 1 }))).toMatchObject({
      'token-expired': { ok: false, at: NOW - 1000 },
    })
    expect(said(tokens(undefined, { expiresAt: undefined }))).toHaveProperty('token-without-end')
    expect(said(tokens(undefined, { expiresAt: undefined, issuer: undefined }))).not.toHaveProperty('token-without-end')
  })

  test.each([NOW, '3600', -1, null, {}])('that a time is no number of seconds: %j', (exp) => {
    const set = tokens({ ...CLAIMS, exp })
    expect(said(set)).toMatchObject({ 'token-time-odd': { ok: false, claim: 'exp' } })
    expect(tokenFacts(set, NOW).expiry).toEqual({ response: NOW + 3_600_000 })
  })

  test('that it is not valid yet, where clocks alone cannot explain it', () => {
    const not = { 'token-not-yet-valid': { ok: false, seconds: 120 } }
    expect(said(tokens({ ...CLAIMS, nbf: seconds(NOW) + 120 }))).toMatchObject(not)
    expect(said(tokens({ ...CLAIMS, nbf: seconds(NOW) + 30 }))).not.toHaveProperty('token-not-yet-valid')
  })

  test('which scopes were granted, and who said so (AU-SCOPE-08)', () => {
    const scopes = (claims: object | undefined, more: Partial<TokenSet>) => tokenFacts(tokens(claims, more), NOW).scopes
    expect(scopes(undefined, { requestedScope: 'a b', scope: 'b c' })).toEqual({
      requested: ['a', 'b'],
      granted: ['b', 'c'],
      grantedBy: 'response',
      missing: ['a'],
      extra: ['c'],
    })
    expect(scopes({ scope: 'a' }, { requestedScope: 'a b' })).toMatchObject({ grantedBy: 'claim', missing: ['b'] })
    expect(scopes({ scp: ['x', 'y'] }, {})).toEqual({ granted: ['x', 'y'], grantedBy: 'claim', missing: [], extra: [] })
    expect(scopes(undefined, { requestedScope: 'a' })).toMatchObject({ granted: ['a'], grantedBy: 'request' })
    expect(scopes(undefined, {})).toEqual({ missing: [], extra: [] })
    expect(said(tokens(undefined, { requestedScope: 'a', scope: 'a b' }))).toMatchObject({
      'token-scope-extra': { extra: 'b' },
    })
  })

  test('that nobody promised a refresh token, and when its user has to sign in again (AU-TOK-03)', () => {
    const without = said(tokens(undefined, { refreshToken: undefined }))
    expect(without).toMatchObject({ 'token-without-refresh': { ok: undefined, at: NOW + 3_600_000 } })
  })

  test('that it is bound to a key, and that it was handed out for something else', () => {
    const bound = { ...CLAIMS, cnf: { jkt: 'thumb' } }
    expect(said(tokens(bound, { tokenType: 'DPoP' }))).toMatchObject({
      'token-bound': { ok: true, thumbprint: 'thumb' },
    })
    expect(said(tokens(bound))).toMatchObject({ 'token-bound-as-bearer': { ok: false } })
    expect(said(tokens(CLAIMS, { tokenType: 'DPoP' }))).toMatchObject({ 'token-not-bound': { ok: false } })
    expect(said(tokens({ ...CLAIMS, cnf: { 'x5t#S256': 'x' } }))).toHaveProperty('token-bound-to-certificate')
  })

  test('that nobody signed it, and that it looks like an ID token', () => {
    const unsigned = jwtOf({ ...CLAIMS, nonce: 'n' }, { alg: 'None' })
    expect(said(tokens(undefined, { accessToken: unsigned }))).toMatchObject({
      'token-unsigned': { ok: false },
      'token-for-client': { claims: 'nonce' },
    })
  })

  test('every check says a rule', () => {
    for (const { rule } of tokenFacts(tokens({ ...CLAIMS, exp: 'x', aud: 'y', nbf: 9e9 }), NOW).checks) {
      expect(rule).toMatch(/^(AU-[A-Z]+-\d\d|RFC \d+( section [\d.]+)?)$/)
    }
  })
})

describe('what may stand in the Trace and in files', () => {
  const PRIVATE = {
    sub: 'p-sub',
    email: 'p-email',
    name: 'p-name',
    preferred_username: 'p-user',
    jti: 'p-jti',
    sid: 'p-sid',
  }

  test('is neither a token nor a person (AU-TOK-02)', () => {
    const set = tokens(
      { ...CLAIMS, ...PRIVATE, custom: 'p-custom' },
      { requestedScope: 'read write', extra: { user: 'p-extra' } },
    )
    const facts = safeFacts(set)
    expect(facts).toEqual({
      type: 'Bearer',
      format: 'jwt',
      expiresAt: NOW + 3_600_000,
      scope: 'read',
      requestedScope: 'read write',
      issuer: ISSUER,
      resource: SERVER,
      audience: [SERVER],
      clientId: 'c1',
      algorithm: 'ES256',
      hasRefreshToken: true,
    })
    const { checks, claims } = tokenFacts(set, NOW)
    const shown = JSON.stringify([facts, checks])
    expect(shown).not.toContain('p-')
    for (const secret of [set.accessToken, set.refreshToken!]) expect(shown).not.toContain(secret)
    expect(claims.map(([name]) => name)).toEqual(['iss', 'aud', 'exp', 'client_id', 'scope', 'custom'])
  })

  test('is small, whatever a server puts into its tokens', () => {
    const long = 'x'.repeat(5000)
    const claims = {
      iss: long,
      aud: Array.from({ length: 300 }, () => long.slice(0, 100)),
      client_id: long,
      scope: long,
      exp: long,
    }
    const scope = Array.from({ length: 900 }, (_, n) => `scope-number-${n}`).join(' ')
    const set = tokens(claims, { issuer: undefined, requestedScope: 'x', scope })
    expect(JSON.stringify(safeFacts(set)).length).toBeLessThan(6000)
    expect(JSON.stringify(tokenFacts(set, NOW).checks).length).toBeLessThan(10_000)
  })
})
