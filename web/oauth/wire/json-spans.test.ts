/** Bodies are highlighted and split into lines without changing their text. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonSpans, prettyJson } from './json-spans.ts'

const joined = (text: string) =>
  jsonSpans(text)
    .map((span) => span.text)
    .join('')

test('the pieces are the text, whatever it is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary' })), (text) => void expect(joined(text)).toBe(text)),
  )
  expect(joined('{"a'.repeat(20_000))).toBe('{"a'.repeat(20_000))
})

test('names, texts, numbers and words are told apart', () => {
  expect(jsonSpans('{"a": "b\\"c", "d": -1.5e3, "e": null}').filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => `${kind} ${text}`)).toEqual(
    ['key "a"', 'string "b\\"c"', 'key "d"', 'number -1.5e3', 'key "e"', 'word null'],
  ) // prettier-ignore
})

test('what is on one line is told apart into several only where nothing is lost by it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const pretty = prettyJson(text)
      if (pretty !== text) expect(JSON.stringify(JSON.parse(pretty))).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
  expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(prettyJson('{"a":1.0}')).toBe('{"a":1.0}')
  expect(prettyJson('{"a":1,"a":2}')).toBe('{"a":1,"a":2}')
  expect(prettyJson('{\n "a":1}')).toBe('{\n "a":1}')
})
