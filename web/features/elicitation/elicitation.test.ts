import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../../tests/patience.ts'
import { controlOf } from '../../forms/control.ts'
import { argumentsField } from '../../forms/model.ts'
import { validate } from '../../forms/validate.ts'
import type { JsonObject } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import type { ServerView } from '../feature.ts'
import type { ServerRequest } from '../server-request.ts'
import { readAddress, visible } from './address.ts'
import { elicitation } from './index.ts'
import { readFormSchema } from './form-schema.ts'
import { declareElicitation, gistOf, readElicitation } from './modes.ts'
import { unicodeHost } from './punycode.ts'
import { secretInSentence, secretsIn } from './secrets.ts'

const form = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  message: 'x',
  requestedSchema: { type: 'object', properties, ...more },
})
const codes = (params: JsonObject, revision: string) =>
  readFormSchema(params, revision).findings.map(({ code, rule }) => `${code} ${rule}`)

describe('modes', () => {
  test('the capability is declared as each revision has it (CF-ELIC-01, LC-10)', () => {
    expect(declareElicitation('2025-03-26')).toEqual({})
    expect(declareElicitation('2025-06-18')).toEqual({ elicitation: {} })
    expect(declareElicitation('2025-11-25')).toEqual({ elicitation: { form: {}, url: {} } })
    expect(declareElicitation('2026-07-28')).toEqual({ elicitation: { form: {}, url: {} } })
  })

  test('without a mode it is a form (CF-ELIC-02); a mode that was not declared is named with its rule (CF-ELIC-05)', () => {
    expect(readElicitation({ message: 'x' }, '2025-11-25')).toMatchObject({
      mode: 'form',
      implied: true,
      declared: true,
      findings: [],
    })
    const url = { mode: 'url', message: 'x', url: 'https://a.example' }
    expect(readElicitation(url, '2025-06-18')).toMatchObject({
      declared: false,
      findings: [{ code: 'mode-undeclared' }],
    })
    expect(readElicitation({ mode: 'sms', message: 'x' }, '2025-11-25').findings).toMatchObject([
      { code: 'mode-unknown', rule: 'CF-ELIC-05' },
    ])
    // With requests in results, there is no error to respond with.
    expect(readElicitation({ mode: 'sms', message: 'x' }, '2026-07-28').findings).toMatchObject([{ rule: 'MRTR-09' }])
  })

  test('a mode that was not declared is refused with -32602, and all else waits for its user (CF-ELIC-05, CF-ELIC-03)', async () => {
    const auto = async (params: JsonObject, route: ServerRequest['route'], revision: string) =>
      await elicitation.answers!['elicitation/create']!.auto!(
        { params, route } as ServerRequest,
        { peer: { revision } } as unknown as ServerView,
        new AbortController().signal,
      )
    const url = { mode: 'url', message: 'x', url: 'https://a.example' }
    for (const [params, revision] of [
      [{ mode: 'sms', message: 'x' }, '2025-11-25'],
      [url, '2025-06-18'],
    ] as const)
      await expect(auto(params, 'request', revision)).rejects.toMatchObject({ code: -32602 })
    for (const params of [url, form({}), { message: 'x' }, {}])
      expect(await auto(params, 'request', '2025-11-25')).toBeUndefined()
    for (const route of ['round', 'task'] as const)
      expect(await auto({ mode: 'sms' }, route, '2026-07-28')).toBeUndefined()
  })

  test('an id of URL mode is due at 2025-11-25 (CF-URL-05) and must not be there after (CF-URL-08)', () => {
    const url = { mode: 'url', message: 'x', url: 'https://a.example' }
    expect(readElicitation(url, '2025-11-25').findings).toMatchObject([{ code: 'no-id', rule: 'CF-URL-05' }])
    expect(readElicitation({ ...url, elicitationId: '1' }, '2025-11-25').findings).toEqual([])
    expect(readElicitation({ ...url, elicitationId: '1' }, '2026-07-28').findings).toMatchObject([
      { rule: 'CF-URL-08' },
    ])
  })

  test('whatever the parameters are, they are read, and the gist is short', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('mode', 'message', 'url', 'requestedSchema'), fc.jsonValue()),
        (value) => {
          const params = JSON.parse(JSON.stringify(value)) as JsonObject
          for (const revision of ['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28']) {
            readElicitation(params, revision)
            readFormSchema(params, revision)
          }
          secretsIn(params)
          readAddress(params.url)
          expect(gistOf(params).length).toBeLessThanOrEqual(200)
        },
      ),
    )
  })
})

/** One property of every kind in 2025-11-25. */
const ALL: JsonObject = {
  name: {
    type: 'string',
    title: 'Name',
    description: 'd',
    minLength: 1,
    maxLength: 20,
    format: 'email',
    default: 'a@b.example',
  },
  age: { type: 'integer', minimum: 1, maximum: 9, default: 5 },
  rate: { type: 'number', default: 0.5 },
  yes: { type: 'boolean', default: false },
  plain: { type: 'string', enum: ['a', 'b'], default: 'b' },
  named: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
  titled: {
    type: 'string',
    oneOf: [
      { const: 'a', title: 'A' },
      { const: 'b', title: 'B' },
    ],
    default: 'a',
  },
  several: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2, default: ['a'] },
  both: {
    type: 'array',
    items: {
      anyOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'B' },
      ],
    },
    default: [],
  },
}

describe('the schema of a form', () => {
  test('every form of schema that 2025-11-25 and 2026-07-28 allow is taken without a word (CF-FORM-01, -02, -04, -06)', () => {
    const params = form(ALL, { required: ['name'], $schema: 'https://json-schema.org/draft/2020-12/schema' })
    expect(codes(params, '2025-11-25')).toEqual([])
    expect(codes(params, '2026-07-28')).toEqual([])
  })

  test('at 2025-06-18 several choices, titles by oneOf and defaults other than of a boolean are not there yet (CF-FORM-03)', () => {
    const early = codes(form(ALL), '2025-06-18')
    expect(early).toContain('array-early CF-FORM-01')
    expect(early).toContain('titled-early CF-FORM-03')
    expect(early.filter((code) => code === 'default-early CF-FORM-03')).toHaveLength(7)
    expect(
      codes(
        form({ yes: { type: 'boolean', default: true }, one: { type: 'string', enum: ['a'], enumNames: ['A'] } }),
        '2025-06-18',
      ),
    ).toEqual([])
  })

  test.each<[string, JsonObject, string]>([
    ['an object in the object', form({ a: { type: 'object', properties: {} } }), 'nested CF-FORM-01'],
    ['a list of objects', form({ a: { type: 'array', items: { type: 'object' } } }), 'array-items CF-FORM-04'],
    ['a reference', form({ a: { $ref: '#/x' } }), 'combined CF-FORM-01'],
    ['no type', form({ a: { title: 'A' } }), 'odd-type CF-FORM-01'],
    ['two types', form({ a: { type: ['string', 'null'] } }), 'odd-type CF-FORM-01'],
    ['another format', form({ a: { type: 'string', format: 'password' } }), 'format CF-FORM-02'],
    ['a pattern', form({ a: { type: 'string', pattern: '^a' } }), 'pattern CF-FORM-02'],
    ['a keyword of JSON Schema alone', form({ a: { type: 'number', multipleOf: 2 } }), 'keyword CF-FORM-01'],
    ['an enum of numbers', form({ a: { type: 'string', enum: [1] } }), 'enum-values CF-FORM-04'],
    [
      'fewer names than values',
      form({ a: { type: 'string', enum: ['a', 'b'], enumNames: ['A'] } }),
      'enum-names CF-FORM-04',
    ],
    ['something required that is not there', form({}, { required: ['b'] }), 'required-unknown CF-FORM-01'],
    ['an address to click', form({ a: { type: 'string', description: 'See https://evil.test' } }), 'link CF-FORM-10'],
    ['no schema', { message: 'x' }, 'no-schema CF-FORM-01'],
    ['a list of a schema', form({}, { type: 'array' }), 'root-type CF-FORM-01'],
    ['a keyword at the root', form({}, { oneOf: [] }), 'root-keyword CF-FORM-01'],
  ])('%s is named with its rule', (_, params, code) => {
    expect(codes(params, '2025-11-25')).toEqual([code])
  })

  test('a form opens with every default, the empty and the false ones too, and sent untouched they are the answer (CF-FORM-05)', () => {
    const { defaults, schema } = readFormSchema(form(ALL), '2025-11-25')
    expect(defaults).toEqual({
      name: 'a@b.example',
      age: 5,
      rate: 0.5,
      yes: false,
      plain: 'b',
      titled: 'a',
      several: ['a'],
      both: [],
    })
    // CF-FORM-08: a fraction is a number, whatever the published JSON Schemas say.
    expect(validate(schema, defaults).state).toBe('valid')
  })

  test('each form of choice is offered under its titles; too few or too many of several are told (CF-FORM-03, CF-FORM-04, CF-FORM-06)', () => {
    const { schema } = readFormSchema(form(ALL), '2025-11-25')
    const root = argumentsField(schema)
    const offered = (name: string) => {
      const { field } = root.property(name)
      const { choices } = field.kind === 'array' ? field.item(0)! : field
      return [controlOf(field, undefined), choices.map(({ value, title }) => title ?? value)]
    }
    expect(['plain', 'named', 'titled', 'several', 'both'].map(offered)).toEqual([
      ['choice', ['a', 'b']],
      ['choice', ['A', 'B']],
      ['choice', ['A', 'B']],
      ['set', ['a', 'b']],
      ['set', ['A', 'B']],
    ])
    const problems = (several: string[]) =>
      validate(schema, { several }).problems.map(({ pointer, keyword }) => `${pointer} ${keyword}`)
    expect(problems(['a', 'b'])).toEqual([])
    expect(problems([])).toEqual(['/several minItems'])
    expect(problems(['a', 'b', 'a'])).toEqual(['/several maxItems'])
    expect(problems(['c'])).toEqual(['/several/0 enum'])
  })

  test('a default is there if and only if the property has one that can be sent', () => {
    const property = fc.record({ type: fc.constant('string'), default: fc.option(fc.string(), { nil: undefined }) })
    fc.assert(
      fc.property(fc.dictionary(fc.string(), property), (properties) => {
        const plain = JSON.parse(JSON.stringify(properties)) as JsonObject
        const { defaults } = readFormSchema(form(plain), '2025-11-25')
        const due = Object.entries(plain).filter(([, each]) => 'default' in (each as JsonObject))
        expect(Object.keys(defaults).sort()).toEqual(due.map(([key]) => key).sort())
      }),
    )
  })
})

describe('secrets (CF-FORM-09)', () => {
  const text = (name: string, more: JsonObject = {}) => form({ [name]: { type: 'string', ...more } })

  test.each([
    'password',
    'userPassword',
    'DB_PASSWORD',
    'apiKey',
    'API-Key',
    'api_key',
    'openaiApiKey',
    'accessToken',
    'token',
    'GitHub token',
    'PIN',
    'pin_code',
    'cardNumber',
    'credit_card',
    'cvv',
    'ssn',
    'socialSecurityNumber',
    '2fa',
    'otp',
    'totp',
    'mfaCode',
    'one-time code',
    'verificationCode',
    'recovery_code',
    'privateKey',
    'seedPhrase',
    'clientSecret',
    'credentials',
    'passphrase',
    'key',
    '密码',
    '支付密码',
    '短信验证码',
    '银行卡号',
    '身份证号',
    '私钥',
    '访问令牌',
    'API 密钥',
    '登录口令',
    '助记词',
  ])('a text field named %s is warned of', (name) => {
    expect(secretsIn(text(name))).toMatchObject([{ key: name }])
  })

  test.each([
    'token count',
    'tokenCount',
    'maxTokens',
    'max_tokens',
    'tokenizer',
    'keyboard layout',
    'keyboardLayout',
    'primary key',
    'primaryKey',
    'publicKey',
    'foreign_key',
    'keyword',
    'monkey',
    'issueKey',
    'projectKey',
    'key features',
    'pinned',
    'pineapple',
    'opinion',
    'spinner',
    'map pin color',
    'pinterest board',
    'secretary',
    'passenger',
    'passport name',
    'compass',
    'password policy',
    'passwordLength',
    'assertion',
    'session name',
    'classname',
    'cardinality',
    'business card title',
    'email',
    'username',
    'country code',
    'zip code',
    'postal code',
    'discount code',
    'notpasswordish',
    '令牌数量',
    '主键',
    '关键字',
    '键盘布局',
    '密码学课程',
    '会员卡号',
    '验证方式',
  ])('a text field named %s is not', (name) => {
    expect(secretsIn(text(name))).toEqual([])
  })

  test('a yes or no, a choice, and a number of tokens take no secret; a PIN of digits does', () => {
    expect(secretsIn(form({ rememberPassword: { type: 'boolean' } }))).toEqual([])
    expect(secretsIn(form({ password: { type: 'string', enum: ['keep', 'change'] } }))).toEqual([])
    expect(secretsIn(form({ tokens: { type: 'integer' } }))).toEqual([])
    expect(secretsIn(form({ key: { type: 'string' }, value: { type: 'string' } }))).toEqual([])
    expect(secretsIn(form({ pin: { type: 'integer' } }))).toHaveLength(1)
    expect(secretsIn(form({ x: { type: 'string', format: 'password' } }))).toHaveLength(1)
  })

  test('a message counts where a field could take what it asks for', () => {
    const message = 'Please enter your GitHub personal access token to continue.'
    expect(secretsIn({ ...text('value'), message })).toMatchObject([{ key: undefined }])
    expect(secretsIn({ ...form({ go: { type: 'boolean' } }), message })).toEqual([])
  })

  test.each([
    'Enter the PIN that we sent you',
    'What is your social security number?',
    'Paste your API key here',
    'Provide the token',
    '请输入您的密码',
    '请粘贴 API 密钥',
  ])('“%s” asks for one', (sentence) => expect(secretInSentence(sentence)).toBeDefined())

  test.each([
    'Your favorite integer (do not give us your phone number, pin, or other sensitive info)',
    'Never enter your password here.',
    'How many tokens may the answer have?',
    'Pick the key results to show',
    'Pin this message?',
    '请勿输入密码',
    'The key point of the story',
  ])('“%s” does not', (sentence) => expect(secretInSentence(sentence)).toBeUndefined())

  test('long and hostile texts are judged in no time', async () => {
    await expectWithin(2_000, () => {
      for (const part of ['enter your ', 'aA', 'not ', '密', 'pass ', "n't "]) secretInSentence(part.repeat(200_000))
    })
  })
})

describe('addresses (CF-URL-02, SEC-04)', () => {
  const faults = (text: unknown) => readAddress(text).findings.map(({ code }) => code)

  test.each<[unknown, string[]]>([
    ['https://mcp.example.com/connect?elicitationId=1', []],
    ['HTTPS://MCP.Example.com/', []],
    ['https://mcp.example.com.', []],
    ['http://mcp.example.com/', ['plain-http']],
    ['http://localhost:3000/x', ['private-host']],
    ['http://127.0.0.1:3000/x', ['private-host']],
    ['https://192.168.1.1/', ['private-host']],
    ['https://intranet/', ['private-host']],
    ['https://203.0.113.7/', ['number-host']],
    ['https://[2001:db8::1]/', ['number-host']],
    ['https://google.com@evil.test/', ['userinfo']],
    ['https://xn--bcher-kva.example/', ['punycode']],
    ['https://bücher.example/', ['punycode']],
    ['https://аррӏе.com/', ['punycode']],
    ['https://pаypal.com/', ['punycode', 'mixed-script']],
    ['https://0xcb.0x0.0x71.7/', ['rewritten', 'number-host']],
    ['https://exa\u00admple.com/', ['hidden-characters', 'rewritten']],
    ['https://example.com/\u202Egnp.exe', ['hidden-characters']],
    ['https:\\\\example.com\\x', []],
    ['https://example.com:8443/', ['port']],
    ['https://example.com/?access_token=abc', ['credential']],
    ['https://example.com/#access_token=abc', ['credential']],
    ['javascript:alert(1)', ['scheme']],
    ['data:text/html,<script>alert(1)</script>', ['scheme']],
    ['file:///etc/passwd', ['scheme']],
    ['vscode://open?x', ['scheme']],
    ['blob:https://example.com/1', ['scheme']],
    ['mcp.example.com', ['invalid']],
    ['https://', ['invalid']],
    ['', ['none']],
    [undefined, ['none']],
    [{ url: 1 }, ['none']],
    [`https://example.com/${'a'.repeat(9000)}`, ['too-long']],
  ])('the address %s is judged', (text, expected) => {
    expect(faults(text)).toEqual(expected)
  })

  test('only http and https can be opened, and what is opened is what is shown in parts', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl({ withQueryParameters: true, withFragments: true }),
          fc.string(),
          fc.webUrl().map((url) => url.replace('//', '//user:pass@')),
        ),
        (text) => {
          const { href, parts, host } = readAddress(text)
          if (href === undefined) return
          expect(href).toMatch(/^https?:\/\//)
          expect(parts!.join('')).toBe(href)
          expect(`${parts![1]}${parts![2]}`).toBe(new URL(href).hostname)
          expect(host).toBe(new URL(href).host)
        },
      ),
    )
  })

  test('the registered part of a host is told apart, so that a name in front of it deceives nobody', () => {
    expect(readAddress('https://accounts.google.com.evil.test/x').parts).toEqual([
      'https://',
      'accounts.google.com.',
      'evil.test',
      '/x',
    ])
    expect(readAddress('https://a:b@www.bank.co.uk:8443/x').parts).toEqual([
      'https://a:b@',
      'www.',
      'bank.co.uk',
      ':8443/x',
    ])
    expect(readAddress('https://203.0.113.7/').parts).toEqual(['https://', '', '203.0.113.7', '/'])
  })

  test('what cannot be seen is written out', () => {
    expect(visible('a\u202Eb\u200B c\n')).toBe('a‹U+202E›b‹U+200B› c‹U+000A›')
  })

  test('a host in Punycode is shown as people read it, and any other text stays as it is', () => {
    expect(unicodeHost('xn--bcher-kva.xn--fiqs8s')).toBe('bücher.中国')
    expect(unicodeHost('xn--80ak6aa92e.com')).toBe('аррӏе.com')
    expect(unicodeHost('xn--99999999999.com')).toBe('xn--99999999999.com')
    const label = fc.stringMatching(/^[a-z\u00e0-\u00f6\u4e00-\u4e20\u0430-\u044f]{1,12}$/)
    fc.assert(
      fc.property(label, (text) => {
        fc.pre(parsedUrl(`https://${text}.example/`) !== undefined)
        expect(unicodeHost(new URL(`https://${text}.example/`).hostname)).toBe(`${text}.example`)
      }),
    )
  })
})
