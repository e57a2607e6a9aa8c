import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matcher } from './pattern.ts'

const leaf = fc.constantFrom(
  'a',
  'b',
  '-',
  '.',
  '\\d',
  '\\w',
  '[ab]',
  '[^a]',
  '[\\w.-]',
  '\\.',
  '\\s',
  '\\p{L}',
  '😀',
  '\\u{1F600}',
  '\\x61',
)
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => a + b),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}|${b})`),
    tie('expression').map((a) => `(?:${a})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '*?'))
      .map(([a, q]) => `(?<g>${a})${q}`.replace('?<g>', '?:')),
    tie('expression').map((a) => `^${a}`),
    tie('expression').map((a) => `${a}$`),
    tie('expression').map((a) => `\\b${a}`),
    fc.constantFrom('', '(|a)', '^$', '^'),
  ),
}))

describe('patterns of servers', () => {
  it('match exactly as the native engine does', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', '1', ' ', 'é', '😀', '\n'), maxLength: 8 })
    fc.assert(
      fc.property(expression, fc.array(text, { minLength: 1, maxLength: 5 }), (pattern, texts) => {
        const matches = matcher(pattern)!
        for (const each of texts) {
          expect([pattern, each, matches(each)]).toEqual([pattern, each, new RegExp(pattern, 'u').test(each)])
        }
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 'a-b-c', 'a--b'],
    ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 'me@example.org', 'me@example'],
    ['^(?<year>\\d{4})-\\d{2}-\\d{2}$', '2026-01-31', '26-01-31'],
    ['^\\/api\\/v[12]\\-x$', '/api/v1-x', '/api/v3-x'],
    ['^.{3,5}$', '😀😀😀', '😀😀'],
    ['^a{,3}$', 'a{,3}', 'aa'],
  ])('%s', (pattern, good, bad) => {
    expect(matcher(pattern)!(good)).toBe(true)
    expect(matcher(pattern)!(bad)).toBe(false)
  })

  it('that make a native engine backtrack for years are answered at once', () => {
    const text = `${'a'.repeat(5000)}!`
    for (const pattern of [
      '^(a+)+$',
      '^(a|a)*$',
      '^(a|aa)+$',
      'a*a*a*a*a*b',
      '(.*a){12}$',
      '^(([a-z])+.)+[A-Z]([a-z])+$',
    ]) {
      const before = performance.now()
      expect([pattern, matcher(pattern)!(text)]).toEqual([pattern, false])
      expect(performance.now() - before).toBeLessThan(2000)
    }
  })

  it('that are invalid, not supported or too large are not judged', () => {
    for (const pattern of [
      '(',
      '[z-a]',
      '(?=a)b',
      '(?<!a)b',
      '(a)\\1',
      '(?<n>a)\\k<n>',
      'a{100000}',
      '((a{99}){99}){99}',
      '(?i:a)',
    ]) {
      expect([pattern, matcher(pattern)]).toEqual([pattern, undefined])
    }
    expect(matcher('(a?){1000}b')!('a'.repeat(100_000))).toBe(undefined)
  })
})
