/** Every fault and every check has a text in every language: what happened, what it means, what to do. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuthStep, Json, JsonObject } from '../../mcp/index.ts'
import en from './en.ts'
import faultsEn from './faults/en.ts'
import faultsZh from './faults/zh-CN.ts'
import saysEn from './says/en.ts'
import saysZh from './says/zh-CN.ts'
import { spans, valuesOf, type FaultKey, type Values } from './words.ts'
import zh from './zh-CN.ts'

const STEPS: readonly AuthStep[] = [
  'challenge', 'resource-metadata', 'authorization-server', 'server-metadata', 'registration', 'preparation', 'authorization',
  'callback', 'assertion', 'token', 'use', 'refresh', 'revocation',
] // prettier-ignore

const FULL: JsonObject = {
  ...{ url: 'https://as.example/x', urls: ['http://as.example'], name: 'token_endpoint', status: 503, limit: 30_000 },
  ...{ error: 'invalid_grant', description: 'too old', issuer: 'https://as.example', bound: 'https://other.example' },
  ...{ found: 'a', expected: 'b', names: ['code'], what: 'HTML or XML', at: 'path', failed: '404', place: 2, of: 3 },
  ...{ scope: 'a b', source: 'challenge', resource: 'https://mcp.example', clientId: 'c1', applicationType: 'native' },
  ...{ reason: 'loopback', used: 'http://127.0.0.1/', registered: ['http://x'], methods: ['plain'], missing: 'b', granted: 'a' },
  ...{ public: true, hint: 'refresh_token', claims: 'nonce', claim: 'https://as.example', response: 1, seconds: 3, value: 'x' },
  ...{ audience: 'x', extra: 'y', algorithm: 'ES256', problems: 'header', malformed: 'no scheme', count: 3, origin: 'https://x' },
  ...{ listed: ['implicit'], needed: 'code' },
} // prettier-ignore

const catalogues = {
  en: { says: saysEn, faults: faultsEn, has: /[a-z]{2}/i },
  'zh-CN': { says: saysZh, faults: faultsZh, has: /[一-鿿]/ },
} as const

const words = (text: string): string =>
  spans(text)
    .map((span) => span.text)
    .join('')
const broken = /undefined|\[object|NaN|null(?![a-z])/

describe.each(Object.entries(catalogues))('in %s', (_, { says, faults, has }) => {
  test.each(Object.keys(says))('the check %s is said in a sentence, whatever came with it', (key) => {
    for (const values of [FULL, {}]) {
      const text = words(says[key as keyof typeof says](valuesOf(values)))
      expect(text).toMatch(has)
      if (values === FULL) expect(text).not.toMatch(broken)
    }
  })

  const codes = Object.keys(faults).filter((key) => !key.includes(':'))
  test.each(codes)('the fault %s says what happened, and what it means or what to do, at any step', (code) => {
    for (const step of STEPS) {
      for (const values of [FULL, {}]) {
        const said = [code, `${code}:why`].map((key) => words(faults[key as FaultKey](valuesOf(values), step)))
        for (const text of said) expect(text).toMatch(has)
        // Several sentences: what it means and what to do.
        if (values === FULL) expect(said.join(' ')).not.toMatch(broken)
      }
    }
  })

  test('whatever a server put there stays a value, and never becomes words of ours', () => {
    const json = fc.jsonValue() as fc.Arbitrary<Json>
    const drawn = fc.dictionary(fc.constantFrom(...Object.keys(FULL)), fc.oneof(json, fc.string({ unit: 'binary' })))
    const all: ((of: Values) => string)[] = [
      ...Object.values(says),
      ...Object.values(faults).map((say) => (of: Values) => say(of, 'token')),
    ]
    const own = all.map((say) => say)
    fc.assert(
      fc.property(drawn, fc.nat(own.length - 1), (values, at) => {
        const text = own[at]!(valuesOf(values))
        for (const span of spans(text)) expect(span.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\ue000\ue001]/)
        expect(text.length).toBeLessThan(3000)
      }),
    )
  })
})

test('every step has a name and a sentence in both languages, and none is left in English', () => {
  for (const step of STEPS) {
    expect(en.stepName(step)).not.toBe(step)
    expect(zh.aboutStep(step)).toMatch(/[一-鿿]/)
    expect(zh.aboutStep(step)).not.toBe(en.aboutStep(step))
  }
})

test('what the authors of a server can change is said in both languages, or in none', () => {
  expect(Object.keys(faultsZh).toSorted()).toEqual(Object.keys(faultsEn).toSorted())
})
