import fc from 'fast-check'
import { expect, test } from 'vitest'
import { injected } from './json-text.ts'

test('BR-12: what is not replaced stands as it was written', () => {
  const text = '{ "n": 12345678901234567890, "e": 1e5, "_meta": {"a":[1,{"b":"}"}]} , "s": "\\u0041" }'
  expect(injected(text, { _meta: { x: 1 } })).toBe(
    '{ "n": 12345678901234567890, "e": 1e5, "_meta": {"x":1} , "s": "\\u0041" }',
  )
  expect(injected(text, { state: 's' })).toBe(`{"state":"s",${text.slice(2)}`)
  expect(injected('{}', { a: 1 })).toBe('{"a":1}')
})

test('whatever object it is, the members are there, and the others as they were', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom('_meta', 'a', '__proto__', '\\"'))
  const object = fc.array(fc.tuple(key, fc.jsonValue())).map((entries) => new Map(entries))
  fc.assert(
    fc.property(object, object, fc.constantFrom(0, 2, 5), (before, members, indent) => {
      // `fromEntries` defines `__proto__` as an own property, where an assignment would set the prototype.
      const text = JSON.stringify(Object.fromEntries(before), null, indent)
      const result = JSON.parse(injected(text, Object.fromEntries(members) as never)) as object
      expect(new Map(Object.entries(result))).toEqual(
        new Map(Object.entries(JSON.parse(JSON.stringify(Object.fromEntries([...before, ...members])))) as never),
      )
    }),
  )
})

test('a text that is no object is left alone', () => {
  for (const text of ['[1]', '7', '', 'nonsense']) expect(injected(text, { a: 1 })).toBe(text)
})
