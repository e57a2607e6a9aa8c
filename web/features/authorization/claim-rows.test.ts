import fc from 'fast-check'
import { expect, test } from 'vitest'
import { claimRows, MOST_CLAIMS } from './claim-rows.ts'
import { moment, span } from './times.ts'

test('claims keep their order, times are told apart from other numbers, and nothing unseen hides in a text', () => {
  expect(claimRows({ iss: 'https://a.example', exp: 1_800_000_000, n: 7, aud: ['a', 'b'], sub: 'a\u202eb' })).toEqual([
    { name: 'iss', text: 'https://a.example' },
    { name: 'exp', text: '1800000000', at: 1_800_000_000_000 },
    { name: 'n', text: '7' },
    { name: 'aud', text: '["a","b"]' },
    { name: 'sub', text: 'a⟨U+202E⟩b' },
  ])
})

test('whatever a token claims, there are rows, few enough, and each moment can be shown', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('exp', 'iat', 'x'), fc.jsonValue()), fc.double(), (claims, odd) => {
      for (const { at } of claimRows({ ...JSON.parse(JSON.stringify(claims)), nbf: Number.isFinite(odd) ? odd : 0 })) {
        if (at !== undefined) expect(moment(at, 0, 'en')).not.toContain('Invalid')
      }
    }),
  )
  expect(claimRows(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`c${at}`, at])))).toHaveLength(
    MOST_CLAIMS,
  )
  expect(moment(1e300, 0, 'en')).toBe('—')
})

test('a moment of today has no date, one of another day has; what is left is told in whole seconds', () => {
  const noon = new Date(2026, 5, 1, 12).getTime()
  expect(moment(noon + 60_000, noon, 'en')).not.toContain('2026')
  expect(moment(noon + 86_400_000, noon, 'en')).toContain('2026')
  expect([span(59_400, 'en'), span(3_599_999, 'en'), span(-5, 'en'), span(5 * 86_400_000 + 1, 'en')]).toEqual([
    '59 s',
    '1 h',
    '0 s',
    '5 d',
  ])
})
