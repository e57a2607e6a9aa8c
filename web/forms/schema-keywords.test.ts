import { describe, expect, test } from 'vitest'
import type { Dialect } from './json-schema.ts'
import type { JsonObject } from './json-schema.ts'
import { keywordFaults } from './schema-keywords.ts'

const faults = (schema: JsonObject, dialect: Dialect = '2020-12') =>
  keywordFaults(schema, dialect).map(({ pointer }) => pointer)
const ALL: readonly Dialect[] = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12']
const LATE = ALL.slice(1)

describe('a keyword has the form of its dialect:', () => {
  test.each<[keyword: string, dialects: readonly Dialect[], wrong: readonly JsonObject[string][], right: readonly JsonObject[string][]]>([
    ['type', ALL, ['strng', [], ['string', 'string'], 7, null], ['string', ['string', 'null']]],
    ['required', ALL, [true, 'a', ['a', 'a'], [1]], [['a', 'b']]],
    ['required', LATE, [], [[]]],
    ['required', ['draft-04'], [[]], []],
    ['enum', ALL, ['red,green', { a: 1 }], [['red'], [null, 1]]],
    ['minLength', ALL, [-1, 1.5, '1', null], [0, 3, 3.0]],
    ['maxItems', ALL, [-1, '2'], [0]],
    ['minimum', ALL, ['1', true], [-1.5]],
    ['multipleOf', ALL, [0, -1], [0.5]],
    ['exclusiveMinimum', LATE, [true, '1'], [1]],
    ['exclusiveMinimum', ['draft-04'], [1], [true]],
    ['properties', ALL, [[], 'a', { a: 'string' }, { a: ['string'] }], [{}, { a: {} }]],
    ['items', ['2020-12'], [[], [{}], 'a'], [{}, false]],
    ['items', ALL.slice(0, -1), ['a', ['a']], [{}, [{}]]],
    ['prefixItems', ['2020-12'], [{}, [], [1]], [[{}]]],
    ['prefixItems', ALL.slice(0, -1), [], ['anything']],
    ['additionalProperties', ALL, ['no', []], [false, {}]],
    ['allOf', ALL, [{}, [], ['a']], [[{}]]],
    ['anyOf', ALL, [{}, [null]], [[{}]]],
    ['not', ALL, ['a'], [{}]],
    ['pattern', ALL, [1, {}], ['^a$', '(?i)a']],
    ['title', ALL, [1], ['']],
    ['$defs', ['2019-09', '2020-12'], [[]], [{ a: {} }]],
    ['dependentRequired', ['2019-09', '2020-12'], [{ a: 'b' }], [{ a: ['b'] }]],
    ['uniqueItems', ALL, ['true'], [true]],
    ['x-own', ALL, [], [7, null]],
  ])('JS-04: %s in %j', (keyword, dialects, wrong, right) => {
    for (const dialect of dialects) {
      for (const value of wrong) expect(faults({ [keyword]: value }, dialect), JSON.stringify(value)).toEqual([`/${keyword}`])
      for (const value of right) expect(faults({ [keyword]: value }, dialect), JSON.stringify(value)).toEqual([])
    }
  }) // prettier-ignore
})

test('JS-04: keywords are found by position, wherever schemas are', () => {
  const odd = { minLength: -1 }
  const schema: JsonObject = {
    properties: { required: { type: 'boolean' }, type: odd, 'a/b': odd },
    items: { items: odd },
    allOf: [{}, { not: odd }],
    $defs: { x: { additionalProperties: odd } },
    enum: [odd],
    default: odd,
  }
  expect(faults(schema)).toEqual([
    '/properties/type/minLength',
    '/properties/a~1b/minLength',
    '/items/items/minLength',
    '/allOf/1/not/minLength',
    '/$defs/x/additionalProperties/minLength',
  ])
})

test('JS-04: a schema of any size takes time in proportion, and gives few faults', () => {
  const properties = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`p${at}`, { minLength: -1 }]))
  expect(keywordFaults({ properties }, '2020-12', 3)).toHaveLength(3)
  let deep: JsonObject = {}
  for (let level = 0; level < 50_000; level++) deep = { not: deep }
  expect(faults(deep)).toEqual([])
})
