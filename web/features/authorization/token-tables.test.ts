import fc from 'fast-check'
import { expect, test } from 'vitest'
import { union } from '../../oauth/model/scope.ts'
import { MOST_CLAIMS, claimRows, moment, scopeRows, span, stepUpScopes } from './token-tables.ts'

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

test('each scope stands in one row, as granted, missing, or granted unasked (AU-SCOPE-08)', () => {
  expect(scopeRows('a b c', 'c a  d')).toEqual([
    { scope: 'a', status: 'granted' },
    { scope: 'b', status: 'missing' },
    { scope: 'c', status: 'granted' },
    { scope: 'd', status: 'extra' },
  ])
  // The server chose the scope: without a request, no scope counts as extra.
  expect(scopeRows(undefined, 'a')).toEqual([{ scope: 'a', status: 'granted' }])
  expect(scopeRows('a', undefined)).toEqual([{ scope: 'a', status: 'missing' }])
  expect(scopeRows(undefined, undefined)).toEqual([])
})

const scopes = fc.array(fc.constantFrom('a', 'b', 'c', 'A', 'a:b', '__proto__')).map((list) => list.join(' '))

test('no scope is lost or shown twice', () => {
  fc.assert(
    fc.property(scopes, scopes, (requested, granted) => {
      const rows = scopeRows(requested, granted).map(({ scope }) => scope)
      expect(new Set(rows).size).toBe(rows.length)
      expect(new Set(rows)).toEqual(new Set(`${requested} ${granted}`.split(' ').filter((one) => one !== '')))
    }),
  )
})

test('a step-up names what is held, what is missing, and what is asked for in all (AU-SCOPE-03, AU-SCOPE-04)', () => {
  expect(stepUpScopes('read', 'write read admin', union('read', 'write read admin'))).toEqual({
    held: ['read'],
    missing: ['write', 'admin'],
    asked: ['read', 'write', 'admin'],
  })
  expect(stepUpScopes(undefined, undefined, undefined)).toEqual({ held: [], missing: [], asked: [] })
})
