import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import type { Field } from './model.ts'
import { matchPattern } from './json-schema.ts'
import { WIDEST } from './kind.ts'
import { argumentsField, DEEPEST, fieldOf, MOST } from './model.ts'

/** The tree as a short text: what a form would show. */
const outline = (field: Field, depth = 3): string => {
  const mark = field.nullable && field.kind !== 'null' && field.kind !== 'enum' ? '?' : ''
  if (field.kind === 'json') return `json:${field.reason}${mark}`
  if (field.kind === 'enum') return `enum${JSON.stringify(field.choices.map(({ value }) => value))}`
  if (depth === 0) return field.kind
  if (field.kind === 'union') {
    return `(${field.branches.map((each) => outline(each.field, depth - 1)).join(' | ')})${mark}`
  }
  if (field.kind === 'array') return `[${outline(field.item(0) ?? fieldOf(false), depth - 1)}]${mark}`
  if (field.kind !== 'object') return field.kind + mark
  const inner = field.properties.map(
    (each) => `${each.key}${each.required ? '!' : ''} ${outline(each.field, depth - 1)}`,
  )
  return `{${inner.join(', ')}${field.open ? ' …' : ''}}${mark}`
}
const of = (properties: object, rest: object = {}) => outline(argumentsField({ type: 'object', properties, ...rest }))

describe('a schema becomes fields', () => {
  test.each([
    [
      'plain types',
      { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'integer' }, d: { type: 'boolean' } },
      '{a string, b number, c integer, d boolean}',
    ],
    ['lists', { a: { type: 'array', items: { type: 'string' } }, b: { type: 'array' } }, '{a [string], b [json:any]}'],
    [
      'choices of any type',
      { a: { enum: ['x', 1, null, { k: 1 }] }, b: { const: 3 } },
      '{a enum["x",1,null,{"k":1}], b enum[3]}',
    ],
    ['titled choices', { a: { oneOf: [{ const: 1, title: 'One' }, { const: 2 }] } }, '{a enum[1,2]}'],
    ['one titled choice', { a: { anyOf: [{ const: 1, title: 'One' }, { type: 'null' }] } }, '{a enum[1]}'],
    [
      'null as one of the types',
      { a: { type: ['string', 'null'] }, b: { type: ['null', 'array'] } },
      '{a string?, b [json:any]?}',
    ],
    [
      'optional as generators write it',
      { a: { anyOf: [{ type: 'integer' }, { type: 'null' }] }, b: { type: 'string', nullable: true } },
      '{a integer?, b string?}',
    ],
    ['no types, but a shape', { a: { properties: { x: {} } }, b: { items: true } }, '{a {x json:any}, b [json:any]}'],
    ['several types', { a: { type: ['string', 'number'] } }, '{a (string | number)}'],
    [
      'alternatives',
      { a: { anyOf: [{ type: 'string' }, { type: 'number' }] }, b: { not: {} } },
      '{a (string | number), b json:never}',
    ],
    [
      'alternatives beside properties',
      { a: { type: 'object', properties: { x: { type: 'string' } }, oneOf: [{}, {}] } },
      '{a {x string}}',
    ],
    ['booleans as schemas', { a: true, b: false, c: {} }, '{a json:any, b json:never, c json:any}'],
    [
      'nonsense',
      { a: 5, b: null, c: [], d: { type: 'text' }, e: { type: 7 }, f: { type: [] }, g: { enum: 'x', type: 'string' } },
      '{a json:invalid, b json:invalid, c json:invalid, d json:invalid, e json:invalid, f json:any, g string}',
    ],
    [
      'tuples',
      { a: { type: 'array', prefixItems: [{ type: 'string' }] }, b: { type: 'array', items: [{ type: 'number' }] } },
      '{a [string], b [number]}',
    ],
  ])('%s', (_, properties, expected) => {
    expect(of(properties)).toBe(expected)
  })

  test('walks by keyword, so that arguments may have the names of keywords', () => {
    const names = [
      'properties',
      'type',
      'items',
      'required',
      'default',
      'format',
      'enum',
      '$ref',
      '$defs',
      'title',
      'constructor',
    ]
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    expect(of(properties, { required: ['type', 'constructor'] })).toBe(
      `{${names.map((name) => `${name}${name === 'type' || name === 'constructor' ? '!' : ''} string`).join(', ')}}`,
    )
  })

  test('shows a tool without properties, with an empty schema or with none as an object with any keys', () => {
    for (const schema of [
      undefined,
      null,
      'x',
      7,
      [],
      true,
      false,
      {},
      { type: 'object' },
      { type: 'object', required: [] },
      { $schema: 'x' },
    ]) {
      expect([schema, outline(argumentsField(schema))]).toEqual([schema, '{ …}'])
    }
    expect(outline(argumentsField({ type: 'object', properties: {}, additionalProperties: false }))).toBe('{}')
    expect(outline(argumentsField({ oneOf: [{ type: 'object' }, { type: 'object' }] }))).toBe('({ …} | { …})')
  })

  test('survives lists of required names that are none', () => {
    for (const required of [[], 'a', true, null, [1, null], { a: true }]) {
      expect(of({ a: { type: 'string' } }, { required })).toBe('{a string}')
    }
    expect(of({ a: { type: 'string', required: true } })).toBe('{a! string}')
  })

  test('tells which keywords bind a part beyond its fields', () => {
    const field = fieldOf({ type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] })
    expect(field.beyond).toEqual(['anyOf'])
  })
})

describe('references', () => {
  test('are followed within the schema: $defs, definitions, properties, with encoded and escaped names', () => {
    const schema = {
      type: 'object',
      $id: 'https://example.org/tool',
      $defs: { 'a/b~c d': { type: 'integer' }, chain: { $ref: '#/$defs/a~1b~0c%20d' } },
      definitions: { Old: { type: 'boolean', description: 'target' } },
      properties: {
        one: { $ref: '#/$defs/chain' },
        two: { $ref: '#/definitions/Old', description: 'here' },
        three: { $ref: '#/properties/one' },
        four: { allOf: [{ $ref: '#/definitions/Old' }], default: true },
        five: { anyOf: [{ $ref: '#/definitions/Old' }, { type: 'null' }] },
        six: { $ref: 'https://example.org/tool#/definitions/Old' },
      },
    }
    const field = argumentsField(schema)
    expect(outline(field)).toBe('{one integer, two boolean, three integer, four boolean, five boolean?, six boolean}')
    expect(field.properties[1]!.field.description).toBe('here')
    expect(field.properties[3]!.field).toMatchObject({ default: true, description: 'target' })
  })

  test('that lead nowhere, elsewhere or in circles leave a JSON field for that part alone', () => {
    const schema = {
      type: 'object',
      $defs: {
        loop: { $ref: '#/$defs/pool' },
        pool: { $ref: '#/$defs/loop' },
        self: { allOf: [{ $ref: '#/$defs/self' }] },
      },
      properties: {
        a: { $ref: '#/$defs/missing' },
        b: { $ref: 'https://example.org/x.json' },
        c: { $ref: '#/$defs/loop' },
        d: { $ref: '#/$defs/self' },
        e: { $ref: '#/__proto__/toString' },
        f: { $ref: '#/%E0%A4%A' },
        g: { $ref: 5 },
        h: { type: 'string' },
      },
    }
    expect(outline(argumentsField(schema))).toBe(
      '{a json:unresolved, b json:remote, c json:circular, d json:circular, e json:unresolved, f json:unresolved, g json:any, h string}',
    )
  })

  test('to themselves open level by level, and end in JSON', () => {
    const tree = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#' } } }
    let field: Field = fieldOf(tree)
    for (let depth = 0; depth <= DEEPEST; depth++) {
      expect(field.kind).toBe('object')
      field = field.properties[1]!.field
    }
    expect([field.kind, field.reason]).toEqual(['json', 'deep'])
  })
})

describe('bounds', () => {
  test('an object of 10^5 properties, and a list of 10^5 choices, cost what is shown of them', async () => {
    const wide = Array.from({ length: 100_000 }, (_, at) => at)
    await expectWithin(2_000, () => {
      const field = fieldOf({
        type: 'object',
        properties: Object.fromEntries(wide.map((at) => [`p${at}`, { $ref: '#' }])),
      })
      expect(field.keys.slice(0, 50).map((key) => field.property(key).field.kind)).toContain('object')
      expect(fieldOf({ enum: wide }).choices.length).toBe(wide.length)
    })
  })

  test('alternatives without end become JSON', () => {
    const anyOf = Array.from({ length: WIDEST + 1 }, () => ({ type: 'object' }))
    expect(outline(fieldOf({ anyOf }))).toBe('json:many')
  })

  test('a schema of many wide objects stops growing', () => {
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}`, { $ref: '#' }])),
    }
    const root = fieldOf(wide)
    let built = 0
    for (const { field } of root.properties)
      for (const { field: inner } of field.properties) built += Number(inner.kind === 'object')
    expect(built).toBeLessThanOrEqual(MOST)
  })

  test('nothing is built before it is asked for', () => {
    let read = 0
    const schema = {
      type: 'object',
      get properties() {
        return {
          a: {
            type: 'object',
            get properties() {
              return (void read++, {})
            },
          },
        }
      },
    }
    const field = fieldOf(schema)
    read = 0
    expect(field.kind).toBe('object')
    expect(read).toBe(0)
  })
})

describe('keys of one’s own', () => {
  test('take the schema that patterns or additionalProperties give them', () => {
    const schema = {
      type: 'object',
      patternProperties: { '^n_': { type: 'number' }, '(': {} },
      additionalProperties: { type: 'string' },
    }
    const field = fieldOf(schema, matchPattern)
    expect([field.extra('n_1')?.kind, field.extra('x')?.kind, field.open]).toEqual(['number', 'string', true])
    // Until the matching pattern is known.
    expect(fieldOf(schema).extra('n_1')?.kind).toBe('string')
    const closed = fieldOf({ type: 'object', properties: { a: {} }, additionalProperties: false })
    expect([closed.extra('x'), closed.open]).toEqual([undefined, false])
  })
  test('are offered only where the schema says so or names no keys', () => {
    expect(fieldOf({ type: 'object', properties: { a: {} } }).open).toBe(false)
    expect(fieldOf({ type: 'object', properties: { a: {} } }).extra('x')?.reason).toBe('any')
    expect(fieldOf({ type: 'object' }).open).toBe(true)
  })
})

test('any JSON whatsoever in place of a schema gives a form, never an exception', () => {
  const words = [
    'type',
    'properties',
    'items',
    'required',
    '$ref',
    'anyOf',
    'oneOf',
    'allOf',
    'enum',
    'const',
    'additionalProperties',
    'patternProperties',
    'prefixItems',
    'default',
    'nullable',
    '$id',
    'object',
    'array',
    'string',
    'null',
    '#',
    '#/properties/a',
    'a',
  ]
  const word = fc.constantFrom(...words)
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { depthSize: 'medium' },
      word,
      fc.constantFrom(null, true, false, 1),
      fc.array(tie('schema'), { maxLength: 3 }),
      fc.dictionary(word, tie('schema'), { maxKeys: 5 }),
    ),
  }))
  const visit = (field: Field, depth: number): void => {
    void [
      field.title,
      field.description,
      field.default,
      field.types,
      field.open,
      field.beyond,
      field.extra('a'),
      field.item(0),
      field.item(3),
      field.under({ a: 1 }),
      field.requires({ a: 1 }),
      field.examples,
      field.tuple,
      field.base,
      field.branchOf({ a: 1 }),
      field.fits({ a: 1 }),
    ]
    if (depth < 4) for (const each of field.branches) visit(each.field, depth + 1)
    if (depth < 4) for (const each of field.properties) visit(each.field, depth + 1)
  }
  fc.assert(
    fc.property(schema, (any) => visit(argumentsField(any), 0)),
    { numRuns: 2000 },
  )
})
