import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeToken, formatPointer, parsePointer, percentDecoded, resolvePointer, unescapeToken } from './pointer.ts'

describe('JSON pointers', () => {
  // RFC 6901, section 5.
  const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7 }
  test.each([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
  ])('resolve as RFC 6901 has it: "%s"', (pointer, value) => {
    expect(resolvePointer<unknown>(document, pointer)).toEqual(value)
  })

  test('resolve ~01 to the key ~1', () => {
    expect(resolvePointer<unknown>({ '~1': 'right', '/': 'wrong' }, '/~01')).toBe('right')
  })

  test.each([
    'foo',
    '#/foo',
    '/foo/2',
    '/foo/-',
    '/foo/00',
    '/foo/length',
    '/foo/0/0',
    '/toString',
    '/__proto__',
    '/x/y',
  ])('find nothing at %s', (pointer) => {
    expect(resolvePointer<unknown>(document, pointer)).toBeUndefined()
  })

  test('find a member that is called __proto__', () => {
    expect(resolvePointer<unknown>(JSON.parse('{"__proto__":1}'), '/__proto__')).toBe(1)
  })

  test('what is written can be read, whatever the keys', () => {
    const key = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('~', '/', '0', '1') }))
    fc.assert(
      fc.property(fc.array(key), (path) => {
        expect(parsePointer(formatPointer(path))).toEqual(path)
        for (const each of path) expect(unescapeToken(escapeToken(each))).toBe(each)
        const value = path.reduceRight<unknown>((inner, each) => ({ [each]: inner }), 'here')
        // A computed `__proto__` key creates an own property.
        expect(resolvePointer(value, formatPointer(path))).toBe('here')
      }),
    )
  })
})

test.each([
  ['/%24defs/a%7E1b', '/$defs/a~1b'],
  ['/100%', '/100%'],
  ['%ff', '%ff'],
])('RFC 6901 section 6: %s in a fragment reads %s, and what is malformed stays', (written, text) => {
  expect(percentDecoded(written)).toBe(text)
})
