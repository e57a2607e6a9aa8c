import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify, type Value } from './lossless.ts'
import { readJson } from './reader.ts'
import { respelled } from './respell.ts'

const changed = (text: string, now: (was: Value) => Value): string | undefined => {
  const { value } = readJson(text)
  return respelled(text, value, now(value))
}

describe('a changed value in the text it was read from', () => {
  test.each([
    ['{"a": 1.0,\n\t"b" : "x" ,"c":[ 1,2 ]}', '{"a": 1.0,\n\t"b" : "‹y›" ,"c":[ 1,2 ]}'],
    ['[ {"b" : "x"}, "x" ]', '[ {"b" : "‹y›"}, "‹y›" ]'],
    ['{"2": "x", "1": "x"}', '{"2": "‹y›", "1": "‹y›"}'],
    [' "x" ', ' "‹y›" '],
  ])('keeps spaces, numbers and order: %s', (text, expected) => {
    const without = (value: Value): Value => {
      if (value === 'x') return '‹y›'
      if (Array.isArray(value)) return value.map(without)
      if (typeof value !== 'object' || value === null || !('a' in value || 'b' in value || '1' in value)) return value
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, without(one)]))
    }
    expect(changed(text, without)).toBe(expected)
  })

  test('writes a name that changed in its place', () => {
    expect(changed('{ "x" : 1, "z":2 }', () => ({ y: 1, z: 2 }))).toBe('{ "y" : 1, "z":2 }')
  })

  test('another shape is none of its text', () => {
    expect(changed('[1, 2]', () => [1])).toBeUndefined()
    expect(changed('{"a": 1, "b": 2}', () => ({ a: 1 }))).toBeUndefined()
  })

  test('any text has the value that it got', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(3), (text, spaces) => {
        const written = spaces === 0 ? text : JSON.stringify(JSON.parse(text), null, spaces)
        const { value } = readJson(written)
        const without = (one: Value): Value => {
          if (typeof one === 'string') return `${one}!`
          if (Array.isArray(one)) return one.map(without)
          if (typeof one !== 'object' || one === null || 'text' in one) return one
          return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, without(member)]))
        }
        const now = without(value)
        const again = respelled(written, value, now)
        expect(stringify(readJson(again!).value)).toBe(stringify(now))
      }),
    )
  })
})
