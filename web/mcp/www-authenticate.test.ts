import fc from 'fast-check'
import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { bearerChallenge, parseChallenges, type AuthChallenge } from './www-authenticate.ts'

/** As plain objects, which are easier to compare. */
const parsed = (value: string) => parseChallenges(value).map((one) => ({ ...one, params: { ...one.params } }))

const METADATA = 'https://mcp.example/.well-known/oauth-protected-resource'

describe('WWW-Authenticate (AU-PRM-02)', () => {
  test.each<[what: string, value: string, challenges: object[]]>([
    ['a scheme alone', 'Bearer', [{ scheme: 'Bearer', params: {} }]],
    [
      'parameters in any order, with or without quotes',
      `Bearer error=invalid_token , resource_metadata="${METADATA}",scope="a b"`,
      [{ scheme: 'Bearer', params: { error: 'invalid_token', resource_metadata: METADATA, scope: 'a b' } }],
    ],
    [
      'several challenges, in one field or in several that were joined',
      `Basic realm="a, b", charset="UTF-8", Negotiate YWJj==, Newauth, Bearer scope="x"`,
      [
        { scheme: 'Basic', params: { realm: 'a, b', charset: 'UTF-8' } },
        { scheme: 'Negotiate', params: {}, token68: 'YWJj==' },
        { scheme: 'Newauth', params: {} },
        { scheme: 'Bearer', params: { scope: 'x' } },
      ],
    ],
    [
      'quotes inside quotes, and names in any case',
      String.raw`bearer Realm="say \"hi\", \\ Basic realm=\"y\"", SCOPE="s"`,
      [{ scheme: 'bearer', params: { realm: String.raw`say "hi", \ Basic realm="y"`, scope: 's' } }],
    ],
    ['space around the equals sign', 'Bearer realm = "x"', [{ scheme: 'Bearer', params: { realm: 'x' } }]],
    ['empty elements of the list', ' , Bearer , ,realm="x",,', [{ scheme: 'Bearer', params: { realm: 'x' } }]],
    [
      'names that every object has',
      'Bearer constructor="c", __proto__="p"',
      [{ scheme: 'Bearer', params: Object.fromEntries([...Object.entries({ constructor: 'c' }), ['__proto__', 'p']]) }],
    ],
    ['nothing', '', []],
  ])('%s', (_, value, challenges) => {
    expect(parsed(value)).toEqual(challenges)
  })

  test('a name that was not sent has no value, whatever objects inherit', () => {
    expect(parseChallenges('Bearer a=b')[0]!.params['constructor']).toBeUndefined()
  })

  test.each<
    [
      what: string,
      value: string,
      challenges: { scheme: string; params: object; malformed?: unknown; token68?: string }[],
    ]
  >([
    [
      'a URL without quotes',
      `Bearer resource_metadata=${METADATA}?a=b, error=x`,
      [
        {
          scheme: 'Bearer',
          params: { resource_metadata: `${METADATA}?a=b`, error: 'x' },
          malformed: "resource_metadata isn't in quotes",
        },
      ],
    ],
    [
      'a list of scopes without quotes',
      'Bearer scope=read write, error=x',
      [{ scheme: 'Bearer', params: { scope: 'read write', error: 'x' }, malformed: "scope isn't in quotes" }],
    ],
    [
      'no comma between parameters',
      'Bearer realm="x" error=y scope="z"',
      [
        {
          scheme: 'Bearer',
          params: { realm: 'x', error: 'y', scope: 'z' },
          malformed: 'no "," after realm; no "," after error',
        },
      ],
    ],
    [
      'semicolons',
      'Bearer realm="x"; scope="z"',
      [{ scheme: 'Bearer', params: { realm: 'x', scope: 'z' }, malformed: '";" where "," is expected' }],
    ],
    [
      'quotes that are not closed',
      'Bearer scope="z", realm="x',
      [{ scheme: 'Bearer', params: { scope: 'z', realm: 'x' }, malformed: "the quotes of realm aren't closed" }],
    ],
    [
      'a parameter twice: the first counts',
      'Bearer error="a", error="b"',
      [{ scheme: 'Bearer', params: { error: 'a' }, malformed: '"error" occurs more than once' }],
    ],
    ['no scheme', 'realm="x"', [{ scheme: '', params: { realm: 'x' }, malformed: '"realm" precedes any scheme' }]],
    [
      'a colon after the scheme',
      'Bearer: realm="x"',
      [{ scheme: 'Bearer', params: { realm: 'x' }, malformed: '":" where a scheme or a parameter is expected' }],
    ],
    [
      'letters after a quoted value',
      'Bearer realm="x"yz, scope="s"',
      [{ scheme: 'Bearer', params: { realm: 'x', scope: 's' }, malformed: '"yz" after realm="…"' }],
    ],
    [
      'a parameter without a value',
      'Bearer realm=, scope="s"',
      [{ scheme: 'Bearer', params: { realm: '', scope: 's' }, malformed: 'realm has no value' }],
    ],
    [
      'words that are nothing',
      'Bearer please sign in',
      [
        { scheme: 'Bearer', params: {}, malformed: expect.stringContaining('neither') },
        { scheme: 'please', params: {}, malformed: expect.stringContaining('neither') },
        { scheme: 'sign', params: {}, token68: 'in' },
      ],
    ],
    ['rubbish alone', '@@', [{ scheme: '', params: {}, malformed: '"@@" where a scheme or a parameter is expected' }]],
  ])('a mistake is told, and the rest is read: %s', (_, value, challenges) => {
    expect(parsed(value)).toMatchObject(challenges)
    expect(parsed(value)).toHaveLength(challenges.length)
  })

  test('a huge value is read up to its bounds, and says so', () => {
    const many = parseChallenges(Array.from({ length: 100 }, (_, n) => `S${n} a=b`).join(', '))
    expect(many).toHaveLength(32)
    expect(many[31]).toMatchObject({ scheme: 'S31', params: { a: 'b' }, malformed: 'more than 32 challenges' })
    const wide = parseChallenges(`Bearer ${Array.from({ length: 100 }, (_, n) => `p${n}=b`).join(', ')}`)
    expect(Object.keys(wide[0]!.params)).toHaveLength(64)
    expect(wide[0]!.malformed).toBe('more than 64 parameters')
    const long = parseChallenges(`Bearer realm="${'x'.repeat(20_000)}", scope="s"`)
    expect(long[0]!.params.realm!.length).toBeLessThan(16 * 1024)
    expect(long[0]!.malformed).toContain('cut after 16384 characters')
  })

  test('any text gives challenges and no exception, in time that its bound allows', async () => {
    const pieces = fc.constantFrom(
      'Bearer',
      ' ',
      ',',
      '"',
      '\\',
      '=',
      'a',
      ';',
      '\t',
      'é',
      '\0',
      'realm="x"',
      '==',
      '{',
    )
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const found = parseChallenges(text)
        // No text is silently ignored.
        if (/[^\s,]/.test(text)) expect(found.length).toBeGreaterThan(0)
        expect(JSON.parse(JSON.stringify(found))).toEqual(found.map((one) => ({ ...one, params: { ...one.params } })))
      }),
      { numRuns: 2000 },
    )
    for (const unit of ['a ', 'a=', '=', '"', '\\"', ' ', ',', 'a b=', 'a="', 'a/', '{', 'a\t=\t']) {
      await expectWithin(1_000, () => parseChallenges(unit.repeat(16 * 1024)))
    }
  })
})

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]{0,10}$/)
const quotable = fc.string({
  unit: fc.constantFrom('a', ' ', ',', '"', '\\', '=', '/', 'Bearer ', 'b="', 'é'),
  maxLength: 10,
})
const challenge = fc
  .record({
    scheme: token,
    params: fc.uniqueArray(fc.record({ name: token, value: fc.oneof(token, quotable), quoted: fc.boolean() }), {
      selector: ({ name }) => name.toLowerCase(),
      maxLength: 5,
    }),
    token68: fc.option(fc.stringMatching(/^[A-Za-z0-9._~+/-]{1,10}={0,2}$/), { nil: undefined }),
  })
  // `realm=` is a token68 by the grammar, but some parsers read a parameter.
  .map(({ scheme, params, token68 }) => ({ scheme, params, token68: params.length > 0 ? undefined : token68 }))
const separator = fc.constantFrom(',', ', ', ' , ', ',\t', ', ,')

type Written = typeof challenge extends fc.Arbitrary<infer Value> ? Value : never

const written = (challenges: readonly Written[], comma: string): string =>
  challenges
    .map(({ scheme, params, token68 }) => {
      const list = params.map(({ name, value, quoted }) => {
        const bare = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(value) && !quoted
        return `${name}=${bare ? value : `"${value.replace(/["\\]/g, '\\$&')}"`}`
      })
      return [scheme, ...(token68 === undefined ? [] : [token68]), ...(list.length > 0 ? [list.join(comma)] : [])].join(
        ' ',
      )
    })
    .join(comma)

const read = ({ scheme, params, token68, malformed }: AuthChallenge) => ({
  scheme,
  params: { ...params },
  token68,
  malformed,
})

test('whatever was written by the grammar is read back as it was meant', () => {
  fc.assert(
    fc.property(fc.array(challenge, { maxLength: 5 }), separator, (challenges, comma) => {
      expect(parseChallenges(written(challenges, comma)).map(read)).toEqual(
        challenges.map(({ scheme, params, token68 }) => ({
          scheme,
          params: Object.fromEntries(params.map(({ name, value }) => [name.toLowerCase(), value])),
          token68,
          malformed: undefined,
        })),
      )
    }),
    { numRuns: 1000 },
  )
})

/** What oauth4webapi reads from a rejection's header. */
const others = async (header: string) => {
  const refused = new Response(null, { status: 401, headers: { 'www-authenticate': header } })
  const request = oauth.protectedResourceRequest('t', 'GET', new URL('https://rs.example/'), undefined, undefined, {
    [oauth.customFetch]: () => Promise.resolve(refused),
  })
  const error = await request.catch((thrown: unknown) => thrown)
  return error instanceof oauth.WWWAuthenticateChallengeError ? error.cause : undefined
}

test.each([
  `Bearer resource_metadata="${METADATA}"`,
  `Bearer realm="a, b=c", error="invalid_token", error_description="the \\"old\\" one"`,
  `DPoP error="use_dpop_nonce", algs="ES256 PS256"`,
  `Basic realm="simple", Bearer scope="a b", Digest qop=auth, nonce="x=="`,
  `Negotiate YWJj=, Bearer scope="x"`,
])('it reads as another implementation does: %s', async (header) => {
  const mine = parseChallenges(header).map(({ scheme, params, token68 }) => ({
    scheme: scheme.toLowerCase(),
    parameters: { ...params },
    ...(token68 === undefined ? {} : { token68 }),
  }))
  expect(await others(header)).toEqual(mine)
})

describe('the challenge that asks for a token', () => {
  test('is the one for Bearer or DPoP that says most, wherever it stands', () => {
    const header = `Basic realm="b", bearer scope="s", Bearer resource_metadata="${METADATA}", error="invalid_token", error_description="expired", realm="r"`
    expect(bearerChallenge(header)).toMatchObject({
      scheme: 'Bearer',
      resourceMetadata: METADATA,
      error: 'invalid_token',
      errorDescription: 'expired',
      realm: 'r',
    })
    expect(bearerChallenge(header)!.all).toHaveLength(3)
    expect(bearerChallenge(`Bearer scope="first", DPoP scope="second"`)).toMatchObject({ scope: 'first' })
  })

  test('tells which proofs the server takes, also where it takes tokens without', () => {
    expect(bearerChallenge(`Bearer resource_metadata="${METADATA}", DPoP algs="ES256  EdDSA"`)).toMatchObject({
      scheme: 'Bearer',
      algs: ['ES256', 'EdDSA'],
    })
    expect(bearerChallenge(`DPoP error="use_dpop_nonce"`)).toMatchObject({ scheme: 'DPoP', error: 'use_dpop_nonce' })
  })

  test('is absent where there is no header or no such scheme; what is empty says nothing', () => {
    for (const header of [null, '', 'Basic realm="x"', 'realm="x"']) expect(bearerChallenge(header)).toBeUndefined()
    expect(bearerChallenge('Bearer scope="", realm=""')).toEqual({ scheme: 'Bearer', all: expect.anything() })
  })
})
