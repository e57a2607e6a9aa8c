import fc from 'fast-check'
import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { KnownSecrets } from './known-secrets.ts'

const FORM = 'application/x-www-form-urlencoded'

const knowing = (...values: string[]): KnownSecrets => {
  const secrets = new KnownSecrets()
  for (const value of values) secrets.know(value)
  return secrets
}

const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))

/** Every encoding in which a secret may reappear, each one separately. */
const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
  raw: (secret) => secret,
  percent: encodeURIComponent,
  'percent in lower case': (secret) => encodeURIComponent(secret).replace(/%../g, (escape) => escape.toLowerCase()),
  'percent for every byte': (secret) =>
    Array.from(new TextEncoder().encode(secret), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  form: (secret) => new URLSearchParams([['', secret]]).toString().slice(1),
  JSON: (secret) => JSON.stringify(secret).slice(1, -1),
  'JSON with escaped slashes': (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  'JSON in ASCII': (secret) =>
    JSON.stringify(secret)
      .slice(1, -1)
      .replace(/[<>&'+=\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  HTML: (secret) =>
    secret.replace(/[&<>"']/g, (unit) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[unit] ?? '&#39;'),
  'HTML by numbers': (secret) =>
    Array.from(secret, (unit, at) =>
      at % 2 ? `&#x${unit.codePointAt(0)!.toString(16)};` : `&#${unit.codePointAt(0)};`,
    ).join(''),
  Basic: (secret) => base64(`client:${secret}`),
  'Basic, form-encoded': (secret) => base64(`a%20b:${new URLSearchParams([['', secret]]).toString().slice(1)}`),
  'base64url alone': (secret) => base64(secret).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
}

/** Masks contain English words, so a secret made of them would be found there. */
const MASK_WORDS = /[•()]|\d characters|char/
const secret = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z0-9._~+/-]{6,60}={0,2}$/),
    fc.string({ unit: 'binary-ascii', minLength: 6, maxLength: 30 }),
    fc.string({ unit: 'grapheme', minLength: 6, maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom('a', 'B', '%', '&', '=', '"', '\\', '<', '+', ' ', '/', 'é', "'", '41', 'n'),
      minLength: 6,
      maxLength: 14,
    }),
  )
  .filter((text) => text.length >= 6 && text.trim() !== '' && !MASK_WORDS.test(text))

const remains = (text: string, value: string): string[] =>
  Object.entries(ENCODINGS)
    .filter(([, encode]) => text.includes(encode(value)))
    .map(([name]) => name)

describe('a known secret is masked wherever it comes back (SEC-15, AU-TOK-02)', () => {
  test.each(Object.keys(ENCODINGS))('%s', (name) => {
    for (const value of ['s3cr3t/with+all"of&it<>=\\ é', 'plain-token-value', 'a%41b%2Fc']) {
      const text = `before ${ENCODINGS[name]!(value)} after`
      const result = knowing(value).text(text)
      expect(result).toMatch(/^before •••• \(\d+ characters\)=* after$/)
      expect(remains(result, value)).toEqual([])
    }
  })

  test('whatever stands around it, however often, in whichever encoding', () => {
    const around = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom(
        '{"error":"',
        '"}',
        '?a=b&',
        '&code=',
        '\\',
        '%',
        '%2',
        '&amp;',
        'Basic ',
        '\n',
        '"access_token":"',
        '<p>',
        '=',
      ),
    )
    const echo = fc.record({ which: fc.nat(), how: fc.constantFrom(...Object.keys(ENCODINGS)), before: around })
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 4 }),
        fc.array(echo, { maxLength: 6 }),
        around,
        (values, echoes, last) => {
          const secrets = knowing(...values)
          // A letter in between keeps two echoes from merging into another string.
          const body =
            echoes
              .map(({ which, how, before }) => `${before} ${ENCODINGS[how]!(values[which % values.length]!)} `)
              .join('') + last
          const result = secrets.text(body)
          for (const value of values) expect(remains(result, value)).toEqual([])
          expect(secrets.text(result)).toBe(result)
          for (const value of values) expect(remains(secrets.url(body), value)).toEqual([])
        },
      ),
      { numRuns: 500 },
    )
  })

  test('through two encodings, one in the other', () => {
    const value = 'to/ken+value=&"x'
    const secrets = knowing(value)
    const inQuery = `https://x.example/?next=${encodeURIComponent(`/cb?t=${encodeURIComponent(value)}`)}`
    expect(secrets.text(JSON.stringify({ url: inQuery }))).not.toContain('ken')
    expect(secrets.text(JSON.stringify({ page: `<a href="/?t=${ENCODINGS['HTML']!(value)}">` }))).not.toContain('ken')
  })

  test('what is too short to be told from other text stays, unless its name tells', () => {
    expect(knowing('12345').text('12345 and password=12345')).toBe('12345 and password=•••• (5 characters)')
  })

  test('of a private key every line, and every private member of a JWK', async () => {
    const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
    const jwk = await crypto.subtle.exportKey('jwk', privateKey)
    const der = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey))
    const lines = btoa(Array.from(der, (byte) => String.fromCharCode(byte)).join('')).match(/.{1,64}/g)!
    const pem = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`
    const secrets = knowing(pem, JSON.stringify(jwk))
    const echoed = secrets.text(`got ${lines[1]} and ${jwk.d} of ${jwk.x}`)
    expect(echoed).toBe(`got •••• (64 characters) and •••• (43 characters) of ${jwk.x}`)
    // Without knowing it, only from its form.
    const blind = new KnownSecrets()
    for (const text of [pem, JSON.stringify({ pem }), JSON.stringify(jwk), JSON.stringify({ keys: [jwk] }, null, 2)]) {
      expect(blind.text(text)).toContain('••••')
      for (const part of [...lines, jwk.d!]) expect(blind.text(text)).not.toContain(part)
    }
    expect(blind.text(JSON.stringify(jwk))).toContain(jwk.x)
  })
})

describe('a secret is masked by the name it goes by', () => {
  test.each<[what: string, body: string, masked: string, contentType?: string]>([
    [
      'a token response',
      '{ "access_token": "2YotnFZFEjr1zCsicMWpAA", "token_type": "Bearer", "expires_in": 3600, "scope": "a b" }',
      '{ "access_token": "•••• (22 characters)", "token_type": "Bearer", "expires_in": 3600, "scope": "a b" }',
    ],
    [
      'at any depth, in any spelling, escaped or not',
      '{"data":{"list":[{"refreshToken":"a\\"b\\u00e9"},{"id-token":["x.y.z","u"]}]},"client\\u005fsecret":"s"}',
      '{"data":{"list":[{"refreshToken":"•••• (4 characters)"},{"id-token":["•••• (5 characters)","•••• (1 characters)"]}]},"client\\u005fsecret":"•••• (1 characters)"}',
    ],
    ['a number', '{"password":123456,"n":1}', '{"password":"•••• (6 characters)","n":1}'],
    [
      'JSON inside of JSON',
      '{"log":"{\\"access_token\\":\\"abc\\"}"}',
      '{"log":"{\\"access_token\\":\\"•••• (3 characters)\\"}"}',
    ],
    ['JSON that was cut off', '{"a":1,"access_token":"abcdef', '{"a":1,"access_token":"•••• (6 characters)'],
    [
      'a token request, in which state and challenge may be seen',
      'grant_type=authorization_code&code=S%2Fp+x&code_verifier=dBjftJ&state=xyz&code_challenge=E9M&client%5Fsecret=p%26q',
      'grant_type=authorization_code&code=•••• (5 characters)&code_verifier=•••• (6 characters)&state=xyz&code_challenge=E9M&client%5Fsecret=•••• (3 characters)',
      FORM,
    ],
    [
      'a page that sends a code by itself',
      '<form action="/cb"><input type="hidden" name="code" value="SplxlOBeZQQYbYS6WxSbIA"/><input name="user" value="ada"><input value=x7 type=hidden></form>',
      '<form action="/cb"><input type="hidden" name="code" value="•••• (22 characters)"/><input name="user" value="ada"><input value=•••• (2 characters) type=hidden></form>',
      'text/html; charset=utf-8',
    ],
    [
      'a form that says that it is JSON',
      'access_token=abc&scope=x',
      'access_token=•••• (3 characters)&scope=x',
      'application/json',
    ],
    [
      'a link in a page',
      '<a href="/cb?a=1&amp;code=xyz123&amp;state=s">',
      '<a href="/cb?a=1&amp;code=•••• (6 characters)&amp;state=s">',
    ],
    [
      'headers sent back',
      '{"headers":{"Authorization":"Bearer abc"}}',
      '{"headers":{"Authorization":"•••• (10 characters)"}}',
    ],
    [
      'an assertion',
      'assertion=a.b.c&client_assertion=d.e.f',
      'assertion=•••• (5 characters)&client_assertion=•••• (5 characters)',
    ],
  ])('%s', (_, body, masked, contentType) => {
    expect(new KnownSecrets().text(body, contentType)).toBe(masked)
    expect(new KnownSecrets().text(masked, contentType)).toBe(masked)
  })

  test.each([
    '{"error":"invalid_grant","error_description":"The code has expired","code":"invalid_request","status":{"code":404}}',
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"token missing"},"id":null}',
    '{"token_endpoint":"https://as.example/token","code_challenge_methods_supported":["S256"],"token_type":"Bearer"}',
    '{"client_id":"abc","client_secret_expires_at":0,"token_endpoint_auth_method":"client_secret_post"}',
    '{"access_token":null,"refresh_token":"","expires_in":3600,"state":"xyz"}',
    '<html><body>Error 500: code == 5</body></html>',
    'response_type=code&client_id=abc&state=xyz&code_challenge=abc&code_challenge_method=S256',
    '',
  ])('what is no secret is given back as it was: %s', (text) => {
    expect(new KnownSecrets().text(text)).toBe(text)
    expect(new KnownSecrets().url(`https://x.example/?${text}`)).toBe(`https://x.example/?${text}`)
  })

  test.each([
    ['https://c.example/cb?code=abc&state=xyz', 'https://c.example/cb?code=•••• (3 characters)&state=xyz'],
    ['https://c.example/#access_token=a%2Fb&state=x', 'https://c.example/#access_token=•••• (3 characters)&state=x'],
    ['https://me:pa55@c.example/x?a=b', 'https://me:•••• (4 characters)@c.example/x?a=b'],
    [
      'https://c.example/x?api_key=1#/p?token=2',
      'https://c.example/x?api_key=•••• (1 characters)#/p?token=•••• (1 characters)',
    ],
  ])('in an address: %s', (url, masked) => {
    expect(new KnownSecrets().url(url)).toBe(masked)
    expect(new KnownSecrets().url(masked)).toBe(masked)
  })

  test('in headers, as everywhere in the trace; and by value in all others', () => {
    const secrets = knowing('opaque-token-1')
    const headers: [string, string][] = [
      ['authorization', `Basic ${base64('id:opaque-token-1')}`],
      ['x-echo', base64('id:opaque-token-1')],
      ['location', 'https://c.example/cb?code=abc&iss=x'],
      ['www-authenticate', 'Bearer error="invalid_token", error_description="opaque-token-1 is over"'],
      ['content-type', 'application/json'],
      ['mcp-session-id', '0123456789abcdef'],
    ]
    const masked = secrets.headers(headers)
    expect(masked).toEqual([
      ['authorization', 'Basic •••• (24 characters)'],
      ['x-echo', '•••• (24 characters)'],
      ['location', 'https://c.example/cb?code=•••• (3 characters)&iss=x'],
      ['www-authenticate', 'Bearer error="invalid_token", error_description="•••• (14 characters) is over"'],
      ['content-type', 'application/json'],
      ['mcp-session-id', '01234567… (16 characters)'],
    ])
    expect(secrets.headers(masked)).toEqual(masked)
  })
})

describe('what is left is still what it was', () => {
  test('JSON stays JSON, with the same shape', () => {
    const shape = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shape)
      if (typeof value !== 'object' || value === null) return 0
      return Object.values(value).map(shape)
    }
    const values = fc.array(secret, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(values, fc.nat(), fc.jsonValue({ maxDepth: 3 }), fc.boolean(), (known, seed, other, wide) => {
        const pick = known[seed % known.length]!
        const document = {
          a: pick,
          [`x${pick}y`]: [other, { access_token: pick, deep: [`<${pick}>`, pick + pick] }],
          password: 1234567,
        }
        const text = JSON.stringify(document, null, wide ? 2 : undefined)
        const result = knowing(...known).text(text, 'application/json')
        const parsed = JSON.parse(result) as unknown
        expect(shape(parsed)).toEqual(shape(document))
        expect(JSON.stringify(parsed)).not.toContain(JSON.stringify(pick).slice(1, -1))
      }),
    )
  })

  test('a known number within numbers, an escape cut in two, a secret across strings: still JSON', () => {
    for (const [value, text] of [
      ['123456', '{"a":91234567,"b":[-123456,1.5]}'],
      ['0041bcdef', '{"a":"x\\u0041bcdef"}'],
      ['nabcdef', '{"a":"x\\nabcdef"}'],
      ['a":"b","c', '{"x":"a","b":"c"}{"a":"b","c":"d"}'.slice(17)],
      ['",\n"b":"', '{"a":"x",\n"b":"y"}'],
    ] as const) {
      const result = knowing(value).text(text)
      expect(() => JSON.parse(result) as unknown, result).not.toThrow()
      expect(result).not.toContain(value)
    }
  })

  test('a form keeps its fields', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('code', 'state', 'client_secret', 'scope', 'x'), secret)),
        secret,
        (pairs, known) => {
          const body = new URLSearchParams([...pairs, ['echo', `<${known}>`]]).toString()
          const before = [...new URLSearchParams(body)]
          const after = [...new URLSearchParams(knowing(known).text(body, FORM))]
          expect(after.map(([name]) => name)).toEqual(before.map(([name]) => name))
          for (const [at, [name, value]] of after.entries()) {
            if (name === 'code' || name === 'client_secret')
              expect(value).toBe(`•••• (${before[at]![1].length} characters)`)
            expect(value).not.toContain(known)
          }
        },
      ),
    )
  })

  test('a text in which nothing is known and nothing is named is given back as it was', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.webUrl({ withQueryParameters: true })),
        secret,
        (text, known) => {
          fc.pre(!text.includes(known))
          expect(knowing(`${known}-not-there`).text(text)).toBe(text)
          expect(new KnownSecrets().url(text)).toBe(text)
        },
      ),
    )
  })

  test('what was masked once is not masked again, whatever a server sends', () => {
    const pieces = fc.constantFrom(
      ...[
        '"access_token":"',
        '"',
        'code=',
        '&',
        '?',
        '#',
        '{',
        '}',
        '\\',
        '\\"',
        '%22',
        '&quot;',
        ':',
        ',',
        ' ',
        '[',
        '"d":"',
        '"kty"',
      ],
      ...[
        '•••• (7 characters)',
        '••••',
        '-----BEGIN PRIVATE KEY-----',
        '-----END',
        'abcdefgh',
        'abc',
        '12',
        'password',
        '\n',
        '=',
        "'",
      ],
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), fc.constantFrom('', FORM, 'application/json'), (parts, type) => {
        const text = parts.join('')
        const secrets = knowing('abcdefgh', '"abcdefgh=')
        const once = secrets.text(text, type)
        expect(secrets.text(once, type)).toBe(once)
        const url = secrets.url(text)
        expect(secrets.url(url)).toBe(url)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the requests that oauth4webapi makes', () => {
  const as = {
    issuer: 'https://as.example',
    token_endpoint: 'https://as.example/token',
    revocation_endpoint: 'https://as.example/revoke',
  }
  const value = 'S3cret /+&=%"é~!'
  const sent = async (auth: oauth.ClientAuth, ask: (options: object) => Promise<Response>): Promise<string> => {
    const secrets = knowing(value)
    let text = ''
    const seen = async (url: string, { headers, body }: { headers: Record<string, string>; body: unknown }) => {
      const written = (body as URLSearchParams).toString()
      text = [
        secrets.url(url),
        ...secrets.headers(new Headers(headers)).flat(),
        secrets.text(written, headers['content-type']),
      ].join('\n')
      return new Response('{}')
    }
    await ask({ [oauth.customFetch]: seen, auth })
    return text
  }

  test.each<[string, oauth.ClientAuth]>([
    ['client_secret_basic', oauth.ClientSecretBasic(value)],
    ['client_secret_post', oauth.ClientSecretPost(value)],
  ])('hold no secret, with %s', async (_, auth) => {
    const client = { client_id: 'a client' }
    const requests = [
      (options: object) => oauth.refreshTokenGrantRequest(as, client, auth, value, options),
      (options: object) => oauth.revocationRequest(as, client, auth, value, options),
      (options: object) => oauth.clientCredentialsGrantRequest(as, client, auth, { scope: 'a b' }, options),
    ]
    for (const request of requests) {
      const text = await sent(auth, request)
      expect(text).toContain('••••')
      expect(remains(text, value)).toEqual([])
      expect(text).not.toMatch(/S3cret/i)
    }
  })
})

test('a megabyte takes a moment, however many secrets are known and whatever a hostile server fills it with', async () => {
  const random = (length: number) => Array.from({ length }, () => Math.random().toString(36).charAt(2)).join('')
  const secrets = knowing(
    ...Array.from({ length: 200 }, () => random(43)),
    `${'a'.repeat(3000)}b`,
    'eyJhbGciOiJSUzI1NiJ9.token',
  )
  const units = [
    '"access_token":"',
    'x "token":"x',
    'access_token=',
    '"code":',
    ' :',
    '\\"',
    '%41',
    '&amp;',
    '-----BEGIN PRIVATE KEY-----',
  ]
  for (const unit of [
    ...units,
    '"token":["',
    'a',
    '•••• (6 characters)',
    'eyJhbGciOiJSUzI1NiJ9.',
    'a&',
    '&#x',
    '"kty":"d":"',
    random(5000),
  ]) {
    const body = unit.repeat(1024 * (1024 / unit.length))
    // Thirty times the usual duration; quadratic code takes minutes.
    await expectWithin(3_000, () => secrets.text(body))
  }
})
