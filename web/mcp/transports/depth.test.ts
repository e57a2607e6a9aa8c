import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../frame.ts'
import { DEEPEST } from '../../json/index.ts'
import { isDeep, shallow } from './tap.ts'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

test('BR-13: ordinary JSON is never taken for deep, whatever stands in its strings', () => {
  const brackets = fc.array(fc.constantFrom('[', '{', '"', '\\', 'x')).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), brackets, (value, text) => {
      const padded = JSON.stringify([value, text.repeat(50), '['.repeat(5000)])
      expect(isDeep(padded)).toBe(false)
    }),
  )
})

test('the limit is exact, for arrays and for objects', () => {
  expect(isDeep(nested(DEEPEST))).toBe(false)
  expect(isDeep(nested(DEEPEST + 1))).toBe(true)
  const objects = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
  expect(isDeep(objects(DEEPEST))).toBe(false)
  expect(isDeep(objects(DEEPEST + 1))).toBe(true)
})

test('what is cut can be written, and is the same down to the limit', () => {
  const value = JSON.parse(nested(100_000)) as Json
  expect(JSON.stringify(shallow(value))).toBe('['.repeat(DEEPEST) + '"…"' + ']'.repeat(DEEPEST))
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 20 }), (plain) => void expect(shallow(plain as Json)).toEqual(plain)))
})
