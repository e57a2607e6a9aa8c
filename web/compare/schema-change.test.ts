import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectWithin, patient } from '../../tests/patience.ts'
import { validate } from '../forms/validate.ts'
import { isObject } from '../mcp/index.ts'
import type { Json, JsonObject } from '../mcp/index.ts'
import { schemaChanges, type Judgement, type Side } from './schema-change.ts'

const worst = (was: Json | undefined, is: Json | undefined, side: Side): Judgement | 'none' =>
  schemaChanges(was, is, side)[0]?.judgement ?? 'none'
const valid = (schema: Json, value: Json) => validate(schema, value).state === 'valid'

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
const string = { type: 'string' }

/** For each change: its effect on the sender and the receiver, and a value that tells the two schemas apart. */
describe('a change is judged for who sends and for who gets', () => {
  test.each<[what: string, was: Json, is: Json, input: string, output: string, witness?: Json]>([
    ['a new required argument', object({}), object({ a: string }, { required: ['a'] }), 'breaking', 'compatible', {}],
    ['a new optional argument', object({}), object({ a: string }), 'compatible', 'compatible'],
    ['an argument that is gone', object({ a: string, b: string }), object({ b: string }), 'breaking', 'breaking'],
    [
      'one that became required',
      object({ a: string }),
      object({ a: string }, { required: ['a'] }),
      'breaking',
      'compatible',
      {},
    ],
    [
      'one that became optional',
      object({ a: string }, { required: ['a'] }),
      object({ a: string }),
      'compatible',
      'breaking',
      {},
    ],
    ['another type', string, { type: 'number' }, 'breaking', 'breaking', 'a'],
    ['a type more', string, { type: ['string', 'null'] }, 'compatible', 'breaking', null],
    ['integers only', { type: 'number' }, { type: 'integer' }, 'breaking', 'compatible', 1.5],
    ['any type', string, {}, 'compatible', 'breaking', 1],
    ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, 'compatible', 'breaking', 'b'],
    ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, 'breaking', 'compatible', 'b'],
    ['a constant for a list', { const: 'a' }, { enum: ['b', 'a'] }, 'compatible', 'breaking', 'b'],
    ['a higher minimum', { minimum: 1 }, { minimum: 2 }, 'breaking', 'compatible', 1],
    ['an open minimum', { minimum: 1 }, { exclusiveMinimum: 1 }, 'breaking', 'compatible', 1],
    ['a maximum that moved up', { maximum: 1 }, { maximum: 2 }, 'compatible', 'breaking', 2],
    ['both limits up', { minimum: 1, maximum: 2 }, { minimum: 2, maximum: 3 }, 'breaking', 'breaking', 1],
    ['a shorter text', { maxLength: 9 }, { maxLength: 2 }, 'breaking', 'compatible', 'abc'],
    ['no limit at 0', { minLength: 0 }, {}, 'none', 'none'],
    ['multiples of less', { multipleOf: 4 }, { multipleOf: 2 }, 'compatible', 'breaking', 2],
    ['a pattern', string, { type: 'string', pattern: '^a' }, 'breaking', 'compatible', 'b'],
    ['another pattern', { pattern: '^b' }, { pattern: '^a' }, 'breaking', 'breaking', 'b'],
    ['unique items', { type: 'array' }, { type: 'array', uniqueItems: true }, 'breaking', 'compatible', [1, 1]],
    ['items of less', { items: { type: ['string', 'null'] } }, { items: string }, 'breaking', 'compatible', [null]],
    ['closed', object({}), object({}, { additionalProperties: false }), 'breaking', 'compatible', { x: 1 }],
    [
      'more in what was closed',
      object({}, { additionalProperties: false }),
      object({ a: string }, { additionalProperties: false }),
      'compatible',
      'breaking',
      { a: 'a' },
    ],
    ['an alternative more', { anyOf: [string] }, { anyOf: [string, { type: 'null' }] }, 'compatible', 'breaking', null],
    [
      'alternatives in another order',
      { anyOf: [string, { type: 'null' }] },
      { anyOf: [{ type: 'null' }, string] },
      'none',
      'none',
    ],
    [
      'one of several more, apart from the others',
      { oneOf: [string] },
      { oneOf: [string, { type: 'null' }] },
      'compatible',
      'breaking',
      null,
    ],
    [
      'one of several more, told apart by a property',
      { oneOf: [object({ kind: { const: 'a' } }, { required: ['kind'] })] },
      {
        oneOf: [
          object({ kind: { const: 'a' } }, { required: ['kind'] }),
          object({ kind: { const: 'b' } }, { required: ['kind'] }),
        ],
      },
      'compatible',
      'breaking',
      { kind: 'b' },
    ],
    ['one of several twice', { oneOf: [string] }, { oneOf: [string, string] }, 'breaking', 'breaking', 'a'],
    ['a constant and a list without it', { const: 1 }, { const: 1, enum: [2] }, 'breaking', 'compatible', 1],
    ['one more of all', { allOf: [string] }, { allOf: [string, { maxLength: 1 }] }, 'breaking', 'compatible', 'ab'],
    ['nothing any more', {}, false, 'breaking', 'compatible', 1],
    [
      'in depth',
      object({ a: object({ b: { minimum: 1 } }) }),
      object({ a: object({ b: { minimum: 2 } }) }),
      'breaking',
      'compatible',
      { a: { b: 1 } },
    ],
    [
      'through a reference',
      { $ref: '#/$defs/a', $defs: { a: { minimum: 1 } } },
      { $ref: '#/$defs/a', $defs: { a: { minimum: 2 } } },
      'breaking',
      'compatible',
      1,
    ],
    [
      'a reference in place of its target',
      { type: 'string' },
      { $ref: '#/$defs/a', $defs: { a: string } },
      'none',
      'none',
    ],
    ['another anchor, which is not followed', { $ref: '#a' }, { $ref: '#b' }, 'breaking', 'breaking'],
    ['what nobody can tell', { not: string }, { not: { type: 'number' } }, 'breaking', 'breaking', 1],
    ['a description', { description: 'a' }, { description: 'b' }, 'notable', 'notable'],
    ['a title', { title: 'a' }, { title: 'b' }, 'compatible', 'compatible'],
    ['a default', { default: 1 }, { default: 2 }, 'notable', 'notable'],
    ['keys in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, 'none', 'none'],
  ])('%s', (_, was, is, input, output, witness) => {
    expect([worst(was, is, 'input'), worst(was, is, 'output')]).toEqual([input, output])
    if (witness !== undefined) expect(valid(was, witness)).not.toBe(valid(is, witness))
  })

  test('an argument under a new name is told as renamed, with a pointer to the old', () => {
    const [change] = schemaChanges(
      object({ path: string }),
      object({ file: { ...string, description: 'new' } }),
      'input',
    )
    expect(change).toMatchObject({ code: 'property-renamed', pointer: '/properties/path', renamedTo: 'file' })
  })
})

const RUNS = 400

const small = fc.integer({ min: 0, max: 4 })
const value: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, 1, 2, 3, 4, 1.5, -1, '', 'a', 'ab', 'abc', 'b'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), { maxKeys: 3 }),
  ),
})).any

const some = <Keys extends string>(keywords: Readonly<Record<Keys, fc.Arbitrary<Json>>>) =>
  fc.record(keywords, { requiredKeys: [] })
const words = { description: fc.constantFrom('one', 'two') }

const schema: fc.Arbitrary<JsonObject> = fc
  .letrec<{ any: JsonObject }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      some({
        type: fc.constantFrom<Json>('string', 'integer', 'number', ['string', 'null'], ['integer', 'object', 'array']),
      }),
      some({ enum: fc.uniqueArray(fc.constantFrom<Json>('a', 'ab', 1, 2, null), { minLength: 1 }), ...words }),
      some({ type: fc.constant('string'), minLength: small, maxLength: small, pattern: fc.constantFrom('^a', 'b$') }),
      some({ minimum: small, maximum: small, multipleOf: fc.constantFrom(1, 2, 4), ...words }),
      some({ exclusiveMinimum: small, exclusiveMaximum: small }),
      some({ items: tie('any'), minItems: small, maxItems: small, uniqueItems: fc.boolean() }),
      some({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('any'), { maxKeys: 2 }),
        required: fc.uniqueArray(fc.constantFrom('a', 'b')),
        additionalProperties: fc.oneof(fc.boolean(), tie('any')),
        minProperties: fc.constantFrom(0, 1),
        maxProperties: small,
      }),
      some({ anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
      some({ allOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }) }),
      some({ oneOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }) }),
    ),
  }))
  .any.map((each) => JSON.parse(JSON.stringify(each)) as JsonObject)

/** One change somewhere in it: a keyword or an item removed, or taken from another schema. */
const changedAt = (was: Json, is: Json, [first = 0, ...rest]: readonly number[]): Json => {
  if (rest.length === 0 || typeof was !== 'object' || was === null) return is
  const keys = [...new Set([...Object.keys(was), ...(isObject(is) ? Object.keys(is) : [])])]
  const at = keys[first % Math.max(1, keys.length)] ?? '0'
  if (Array.isArray(was)) {
    const items = was as readonly Json[]
    return first % 2 === 0 ? items.filter((_, index) => String(index) !== at) : [...items, is]
  }
  const { [at]: old, ...others } = was as JsonObject
  const other = isObject(is) ? is[at] : undefined
  if (old === undefined) return other === undefined ? others : { ...others, [at]: other }
  if (other === undefined && first % 3 > 0) return others
  return { ...others, [at]: changedAt(old, other ?? is, rest) }
}

/** A schema and a slightly changed copy: two unrelated ones would prove little. */
const pair = fc
  .tuple(schema, schema, fc.array(fc.nat(20), { maxLength: 6 }))
  .map(([was, other, path]): [JsonObject, Json] => [was, changedAt(was, other, path)])
  .filter((both): both is [JsonObject, JsonObject] => isObject(both[1]))

/** Senders that know only the old schema don't send a new property, so its previous freedom says nothing. */
const noNewProperty = (was: JsonObject, is: JsonObject) =>
  !schemaChanges(was, is, 'input').some(({ code }) => code === 'property-added')

test('a schema compared with itself has no change, whatever the order of its keys', () => {
  fc.assert(
    fc.property(schema, (one) => {
      const turned = Object.fromEntries(Object.entries(one).toReversed())
      expect(schemaChanges(one, turned, 'input')).toEqual([])
    }),
  )
})

test(
  'where nothing is judged breaking, each value that was good stays so (of what one gets: what comes was good before)',
  () => {
    let judged = 0
    fc.assert(
      fc.property(pair, fc.array(value, { minLength: 6, maxLength: 12 }), ([one, other], values) => {
        for (const [was, is] of [
          [one, other],
          [other, one],
        ] as const) {
          for (const side of ['input', 'output'] as const) {
            if (worst(was, is, side) === 'breaking' || (side === 'input' && !noNewProperty(was, is))) continue
            const [from, to] = side === 'input' ? [was, is] : [is, was]
            for (const each of values) {
              if (!valid(from, each)) continue
              judged++
              expect(valid(to, each), JSON.stringify({ side, from, to, each })).toBe(true)
            }
          }
        }
      }),
      { numRuns: RUNS },
    )
    expect(judged).toBeGreaterThan(RUNS / 4)
  },
  patient(60_000),
)

test('hostile schemas end in a judgement, and quickly', async () => {
  let deep: Json = {}
  for (let at = 0; at < 5000; at++) deep = { properties: { a: deep } }
  const cyclic = {
    $ref: '#/$defs/a',
    $defs: { a: { properties: { x: { $ref: '#/$defs/a' }, y: { $ref: '#/$defs/b' } } }, b: { $ref: '#/$defs/b' } },
  }
  const other = { ...cyclic, $defs: { ...cyclic.$defs, b: { type: 'string' } } }
  await expectWithin(5_000, () => {
    expect(worst(deep, string, 'input')).toBe('breaking')
    expect(() => schemaChanges(cyclic, other, 'input')).not.toThrow()
    expect(schemaChanges(cyclic, cyclic, 'output')).toEqual([])
    const wide = { enum: Array.from({ length: 100_000 }, (_, at) => at) }
    expect(() => schemaChanges(wide, { anyOf: [wide, wide] }, 'input')).not.toThrow()
    for (const odd of [
      { properties: [] },
      { required: 'a' },
      { type: 5 },
      { items: 3 },
      { $ref: '#/%' },
      { anyOf: {} },
    ] as Json[])
      expect(() => schemaChanges(odd, { type: 'object' }, 'input')).not.toThrow()
  })
})
