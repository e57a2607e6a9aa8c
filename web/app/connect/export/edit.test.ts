import fc from 'fast-check'
import { parse as parseJson } from 'jsonc-parser'
import { parse as parseToml, stringify } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../mcp/index.ts'
import { editJson } from './json-edit.ts'
import { editToml } from './toml-edit.ts'

const read = (text: string): unknown => parseJson(text, [], { allowTrailingComma: true })

describe('an edit of JSON with comments', () => {
  test.each([
    ['a value', '{\n  // a\n  "a": 1, // one\n}', ['a'], 2, '{\n  // a\n  "a": 2, // one\n}'],
    ['a new key behind a comment', '{\n\t"a": 1 // one\n}', ['b'], { c: [1] }, '{\n\t"a": 1, // one\n\t"b": {\n\t\t"c": [\n\t\t\t1\n\t\t]\n\t}\n}'],
    ['a new key behind a trailing comma', '{\n  "a": 1, // one\n}', ['b'], 2, '{\n  "a": 1, // one\n  "b": 2,\n}'],
    ['a new key on one line', '{ "a": { "b": 1 } }', ['a', 'c'], { d: [2] }, '{ "a": { "b": 1, "c": { "d": [2] } } }'],
    ['a key in an empty object', '{\n  "a": {}\n}', ['a', 'b'], 1, '{\n  "a": {\n    "b": 1\n  }\n}'],
    ['a key in an object with a comment only', '{\n  "a": { // none\n  }\n}', ['a', 'b'], 1, '{\n  "a": { // none\n    "b": 1\n  }\n}'],
    ['a key in an object that is missing', '{}', ['a', 'b'], 1, '{\n  "a": {\n    "b": 1\n  }\n}'],
    ['a key that is removed', '{\n  "a": 1,\n  // b\n  "b": 2\n}', ['a'], undefined, '{\n  // b\n  "b": 2\n}'],
    ['a last key that is removed', '{\n  "a": 1, // one\n  "b": 2 // two\n}', ['b'], undefined, '{\n  "a": 1 // one\n}'],
    ['a key that is removed from one line', '{ "a": 1, "b": 2, "c": 3 }', ['b'], undefined, '{ "a": 1, "c": 3 }'],
    ['a last key that is removed from one line', '{ "a": 1, "b": 2 }', ['b'], undefined, '{ "a": 1 }'],
    ['the only key', '{ "a": { "b": 1 } }', ['a', 'b'], undefined, '{ "a": {  } }'],
    ['an item that is added', '{ "a": [1] }', ['a', 1], 2, '{ "a": [1, 2] }'],
  ] as const)('changes only %s', (_, text, path, value, expected) => {
    expect(editJson(text, path, value as Json | undefined)).toBe(expected)
  }) // prettier-ignore
})

const key = fc.stringMatching(/^[a-z"\\ .é]{1,5}$/)
const leaf = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.boolean(), fc.integer({ min: -99, max: 99 }), fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 })) // prettier-ignore
const tables = fc.dictionary(key, fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf, { maxKeys: 3 })), { maxKeys: 4 }), { maxKeys: 4 }) // prettier-ignore

const withValue = (whole: Json, [first, ...rest]: readonly string[], value: Json): Json =>
  first === undefined
    ? value
    : {
        ...(whole as object),
        [first]: withValue(
          Object.hasOwn(whole as object, first) ? (whole as Record<string, Json>)[first]! : {},
          rest,
          value,
        ),
      }

describe('an edit of any text', () => {
  test('of JSON gives what was meant', () => {
    fc.assert(
      fc.property(tables, key, key, leaf, fc.constantFrom(undefined, 2, '\t'), (whole, one, two, value, indent) => {
        const edited = editJson(JSON.stringify(whole, null, indent), ['servers', one, two], value)
        expect(read(edited)).toEqual(withValue(whole as Json, ['servers', one, two], value))
      }),
    )
  })

  test('of JSON removes what was meant', () => {
    fc.assert(
      fc.property(tables, fc.nat(), fc.nat(), fc.constantFrom(undefined, 2), (whole, first, second, indent) => {
        const one = Object.keys(whole)[first % Math.max(1, Object.keys(whole).length)] ?? 'none'
        const keys = Object.keys(whole[one] ?? {})
        const two = keys[second % Math.max(1, keys.length)] ?? 'none'
        const edited = editJson(JSON.stringify({ servers: whole }, null, indent), ['servers', one, two], undefined)
        const expected = structuredClone(whole)
        delete expected[one]?.[two]
        expect(read(edited)).toEqual({ servers: expected })
      }),
    )
  })

  test('of TOML gives what was meant, and every comment stays', () => {
    fc.assert(
      fc.property(tables, key, key, leaf, fc.boolean(), (whole, one, two, value, crlf) => {
        const document = { top: 1, servers: whole }
        const lines = stringify(document).split('\n')
        // A comment in front of every line, behind the first, and at the end.
        const commented = [...lines.flatMap((line, at) => [`# ${at}`, line]), '# end'].join(crlf ? '\r\n' : '\n')
        const edited = editToml(commented, ['servers', one, two], value)
        expect(parseToml(edited)).toEqual(withValue(document as Json, ['servers', one, two], value))
        for (const [comment] of commented.matchAll(/^# (?:\d+|end)/gm)) expect(edited).toContain(comment)
      }),
    )
  })

  test('of TOML finds values behind strings and arrays that look like something else', () => {
    const text = `a = """
[servers.x]
b = 1 # "
"""
[servers.'x y']
list = [ # ]
  "]", '[', # "
]
b = 'it''s'.length
`.replace("'it''s'.length", `"#" # one`)
    expect(editToml(text, ['servers', 'x y', 'b'], '2')).toBe(text.replace('b = "#" # one', 'b = "2" # one'))
    expect(editToml(text, ['servers', 'x y', 'list'], ['1'])).toContain('list = ["1"]\nb = "#" # one')
    expect(editToml(text, ['servers', 'new'], { c: 'd' })).toBe(`${text}\n[servers.new]\nc = "d"\n`)
    expect(() => editToml('a = "open', ['b'], 1)).toThrow()
  })
})
