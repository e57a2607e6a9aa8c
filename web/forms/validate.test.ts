import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NumberText, Unfinished, type Value } from '../json/lossless.ts'
import { readJson } from '../json/reader.ts'
import { validate } from './validate.ts'
import { dialectOf } from './json-schema.ts'

/** `pointer keyword` of each problem, with warnings marked. */
const verdict = (schema: unknown, value: Value | undefined, skip: readonly string[] = []) => {
  const { state, problems, unchecked } = validate(schema, value, { skip })
  const found = problems.map(
    ({ pointer, keyword, severity }) => `${pointer} ${keyword}${severity === 'warning' ? '?' : ''}`,
  )
  return [state, ...(unchecked ? [`${unchecked.code} ${unchecked.detail ?? ''}`.trim()] : []), ...found]
}
const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest })

describe('problems stand at the field that has them', () => {
  test.each<[string, unknown, Value, string[]]>([
    ['nothing wrong', object({ a: { type: 'string' } }), { a: '' }, ['valid']],
    [
      'a missing property is missed at its own field',
      object({ 'a/b': {} }, { required: ['a/b', 'say "x"'] }),
      {},
      ['invalid', '/a~1b required', '/say "x" required'],
    ],
    [
      'all problems at once, each once',
      object({ a: { type: 'string' }, b: { type: 'integer', minimum: 1 }, c: { maxLength: 1 } }),
      { a: 1, b: 0, c: 'xx' },
      ['invalid', '/a type', '/b minimum', '/c maxLength'],
    ],
    [
      'in lists and groups',
      object({ l: { type: 'array', items: object({ n: { type: 'number' } }) } }),
      { l: [{ n: 1 }, { n: '1' }] },
      ['invalid', '/l/1/n type'],
    ],
    [
      'behind references',
      { ...object({ a: { $ref: '#/$defs/n' } }), $defs: { n: { type: 'number' } } },
      { a: 'x' },
      ['invalid', '/a type'],
    ],
    [
      'a reference to a property',
      object({ a: { type: 'number' }, b: { $ref: '#/properties/a' } }),
      { b: 'x' },
      ['invalid', '/b type'],
    ],
    [
      'a key that is not allowed',
      object({ a: {} }, { additionalProperties: false }),
      { a: 1, 'é#%': 2 },
      ['invalid', '/é#% additionalProperties'],
    ],
    [
      'alternatives, without the attempts below',
      object({ a: { anyOf: [{ type: 'string' }, { type: 'number', minimum: 5 }] } }),
      { a: true },
      ['invalid', '/a anyOf'],
    ],
    [
      'but with those of the alternative that the value was meant to be',
      object({
        a: {
          oneOf: [
            object({ kind: { const: 'mail' }, to: { type: 'string' } }, { required: ['kind', 'to'] }),
            object({ kind: { const: 'call' }, number: { type: 'integer' } }, { required: ['kind', 'number'] }),
          ],
        },
        b: { anyOf: [{ type: 'string' }, { type: 'number', minimum: 5 }] },
      }),
      { a: { kind: 'call', number: '5' }, b: 3 },
      ['invalid', '/a/number type', '/b minimum'],
    ],
    [
      'keys that others require are missed at their own field',
      object({ a: {}, b: {} }, { dependentRequired: { a: ['b', 'c'] } }),
      { a: 1 },
      ['invalid', '/b dependentRequired', '/c dependentRequired'],
    ],
    [
      'and in draft 7',
      { $schema: 'http://json-schema.org/draft-07/schema#', dependencies: { a: ['b'], c: { required: ['d'] } } },
      { a: 1, c: 1 },
      ['invalid', '/b dependencies', '/d required'],
    ],
    [
      'but with them where only null is the other',
      object({ a: { anyOf: [{ type: 'integer', minimum: 5 }, { type: 'null' }] } }),
      { a: 3 },
      ['invalid', '/a minimum'],
    ],
    ['several alternatives fit', { oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1, ['invalid', ' oneOf']],
    ['contains', { contains: { type: 'string' } }, [1, 2], ['invalid', ' contains']],
    ['an enum', object({ a: { enum: [1, '1'] } }), { a: true }, ['invalid', '/a enum']],
    ['names', { propertyNames: { pattern: '^a' } }, { b: 1 }, ['invalid', '/b propertyNames']],
    [
      'patterns and keys by pattern',
      { patternProperties: { '^n_': { type: 'number' } }, additionalProperties: { pattern: '^x+$' } },
      { n_a: 'x', b: 'xx', c: 'y' },
      ['invalid', '/n_a type', '/c pattern'],
    ],
    ['a false schema', false, 1, ['invalid', ' false']],
    ['then', { if: { required: ['a'] }, then: { required: ['b'] } }, { a: 1 }, ['invalid', '/b required']],
  ])('%s', (_, schema, value, expected) => {
    expect(verdict(schema, value)).toEqual(expected)
  })

  test('with what the schema says, in words', () => {
    const schema = object({
      a: { pattern: '^a+$' },
      b: { type: 'array', items: { enum: ['x', 1] } },
      c: { type: ['string', 'null'] },
    })
    const { problems } = validate(schema, { a: 'b', b: [2], c: 1 })
    expect(problems.map(({ message }) => message)).toEqual([
      'Must match ^a+$',
      'Must be one of "x", 1',
      'Must be of type string or null',
    ])
  })

  test('also for text that is no JSON yet', () => {
    expect(verdict(object({ a: { type: 'number' } }), { a: new Unfinished('{') })).toEqual(['invalid', '/a json'])
  })

  test('numbers are judged by their value, not their spelling', () => {
    expect(
      verdict(object({ a: { type: 'integer', maximum: 9007199254740991 } }), readJson('{"a": 1.0}').value),
    ).toEqual(['valid'])
    expect(verdict({ maximum: 9007199254740991 }, new NumberText('9007199254740993'))).toEqual(['invalid', ' maximum'])
  })
})

describe('formats are annotations', () => {
  test('a wrong one is a warning, and does not make the value invalid', () => {
    expect(verdict(object({ a: { format: 'email' }, b: { format: 'int32' } }), { a: 'x', b: 1 })).toEqual([
      'valid',
      '/a format?',
    ])
  })
  test('and does not decide alternatives', () => {
    expect(verdict({ oneOf: [{ format: 'date' }, { type: 'number' }] }, 'x')).toEqual(['valid', ' format?'])
    expect(verdict({ anyOf: [{ format: 'date' }, { type: 'string' }] }, 'x')).toEqual(['valid'])
  })
})

describe('dialects', () => {
  test('are those of $schema, 2020-12 without one', () => {
    expect(dialectOf({})).toBe('2020-12')
    expect(dialectOf({ $schema: 'http://json-schema.org/draft-07/schema#' })).toBe('draft-07')
    expect(dialectOf({ $schema: 'https://json-schema.org/draft/2020-12/schema' })).toBe('2020-12')
    const schema = { $defs: { s: { type: 'string' } }, properties: { a: { $ref: '#/$defs/s', maxLength: 1 } } }
    // Keywords next to a reference count in 2020-12 and are ignored in draft 7.
    expect(verdict(schema, { a: 'xx' })).toEqual(['invalid', '/a maxLength'])
    expect(verdict({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }, { a: 'xx' })).toEqual(['valid'])
  })

  test('that cannot be checked are named, not passed over', () => {
    for (const $schema of ['https://example.org/my-dialect', 'http://json-schema.org/draft-03/schema#', 7]) {
      const { state, unchecked, dialect } = validate({ $schema, type: 'string' }, 1)
      expect([state, unchecked?.code, dialect]).toEqual(['unchecked', 'dialect', undefined])
      expect(unchecked?.message).toContain(String($schema))
    }
  })
})

describe('what real servers write', () => {
  test.each<[string, unknown, Value, string[]]>([
    ['OpenAPI: nullable', object({ a: { type: 'string', nullable: true } }), { a: null }, ['valid']],
    [
      'OpenAPI: boolean limits',
      object({ a: { minimum: 1, exclusiveMinimum: true }, b: { maximum: 5, exclusiveMaximum: false } }),
      { a: 1, b: 5 },
      ['invalid', '/a exclusiveMinimum'],
    ],
    ['required that is no list', object({ a: { required: true } }, { required: false }), {}, ['valid']],
    [
      'keywords of a wrong type',
      {
        type: 'object',
        properties: 5,
        enum: 'x',
        anyOf: {},
        minLength: 'a',
        items: 3,
        dependentRequired: [],
        pattern: 1,
      },
      { a: 1 },
      ['valid'],
    ],
    ['types that are none', object({ a: { type: 'any' }, b: { type: ['text'] } }), { a: 1 }, ['valid']],
    [
      'arguments named as keywords',
      object(
        {
          properties: { type: 'object' },
          type: { type: 'string' },
          required: { type: 'boolean' },
          items: { type: 'number' },
          $ref: { type: 'string' },
        },
        { required: ['type'] },
      ),
      { type: 1, items: 'x', $ref: 2 },
      ['invalid', '/type type', '/items type', '/$ref type'],
    ],
    [
      'places outside the schema',
      { components: { schemas: { X: { type: 'number' } } }, properties: { a: { $ref: '#/components/schemas/X' } } },
      { a: 'x' },
      ['invalid', '/a type'],
    ],
    [
      'a key named __proto__',
      { properties: JSON.parse('{"__proto__":{"type":"number"}}') as object },
      readJson('{"__proto__":"x"}').value,
      ['invalid', '/__proto__ type'],
    ],
    [
      'patterns legal only without u',
      object({ a: { pattern: '^[a-z]+\\-\\d$' } }),
      { a: 'x' },
      ['invalid', '/a pattern'],
    ],
    [
      'patterns that look around and back',
      object({ a: { pattern: '^(?=.*\\d)[a-z\\d]+$' }, b: { pattern: '^(.)\\1$' }, c: { pattern: '(?<!a)b' } }),
      { a: 'x', b: 'xy', c: 'ab' },
      ['invalid', '/a pattern', '/b pattern', '/c pattern'],
    ],
    [
      'patterns that match characters, not halves of them',
      object({ a: { pattern: '^.{3,5}$' }, b: { pattern: '^\\p{L}+$' } }),
      { a: '😀😀', b: 'é1' },
      ['invalid', '/a pattern', '/b pattern'],
    ],
    [
      'ids that are no addresses',
      { $id: 'http://[', properties: { a: { $id: '::', type: 'number' } } },
      { a: 'x' },
      ['invalid', '/a type'],
    ],
    [
      'the same id twice',
      { properties: { a: { $id: 'x', type: 'number' }, b: { $id: 'x', type: 'string' } } },
      { a: 'x' },
      ['invalid', '/a type'],
    ],
  ])('%s', (_, schema, value, expected) => {
    expect(verdict(schema, value)).toEqual(expected)
  })

  test('a schema that is frozen, as everything in the Trace is, stays as it was', () => {
    const schema = Object.freeze({
      type: 'object',
      properties: Object.freeze({ a: Object.freeze({ $ref: '#/$defs/b' }) }),
      $defs: Object.freeze({ b: Object.freeze({ type: 'string' }) }),
    })
    expect(verdict(schema, { a: 1 })).toEqual(['invalid', '/a type'])
    expect(Object.getOwnPropertyNames(schema.properties.a)).toEqual(['$ref'])
  })

  test('what was left out of the check is noted', () => {
    const { notes, state } = validate(
      object({ a: { pattern: '(' }, b: { type: 'any' }, c: { $dynamicRef: '#x' }, d: { pattern: '^x' } }),
      { a: 'y', d: 'y' },
      { skip: ['^x'] },
    )
    expect([state, ...notes.map(({ code, detail }) => `${code} ${detail}`)]).toEqual([
      'valid',
      'pattern (',
      'type any',
      'keyword $dynamicRef',
      'pattern ^x',
    ])
  })

  test('a key may be what a pattern that cannot be checked stands for', () => {
    const schema = { patternProperties: { '^y': {} }, additionalProperties: false }
    expect(verdict(schema, { x: 1 })).toEqual(['invalid', '/x additionalProperties'])
    expect(verdict(schema, { x: 1 }, ['^y'])).toEqual(['valid'])
  })
})

describe('references that are not there', () => {
  test('make the schema unusable, never permissive, and nothing is fetched', () => {
    const schema = object({ a: { $ref: 'https://example.org/a.json' }, b: { type: 'number' } })
    expect(verdict(schema, { a: 1 })).toEqual(['unchecked', 'remote https://example.org/a.json'])
    expect(verdict(object({ a: { $ref: '#/$defs/x' } }), { a: 1 })).toEqual(['unchecked', 'unresolved #/$defs/x'])
  })
  test('do not hide what is wrong elsewhere', () => {
    const schema = object({ a: { $ref: 'https://example.org/a.json' }, b: { type: 'number' } })
    expect(verdict(schema, { b: 'x' })).toEqual(['invalid', 'remote https://example.org/a.json', '/b type'])
  })
})

describe('whatever is sent', () => {
  test('any JSON whatsoever gets a verdict', () => {
    const word = fc.constantFrom(
      'type',
      'properties',
      'items',
      'required',
      '$ref',
      'anyOf',
      'enum',
      'const',
      'additionalProperties',
      'patternProperties',
      'prefixItems',
      'not',
      'if',
      'then',
      '$id',
      'id',
      '$anchor',
      'dependencies',
      'minLength',
      'exclusiveMinimum',
      'minimum',
      'pattern',
      'format',
      'object',
      'string',
      '#',
      '#/properties/a',
      'a',
      '__proto__',
    )
    const { any } = fc.letrec<{ any: Value }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'medium' },
        word,
        fc.constantFrom<Value>(null, true, false, 1, -1),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(word, tie('any'), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(any, any, (schema, value) => {
        const { state, problems, unchecked } = validate(schema, value)
        expect(state === 'invalid').toBe(problems.some(({ severity }) => severity === 'error'))
        if (state === 'unchecked') expect(unchecked?.message).toMatch(/^Not validated: /)
      }),
      { numRuns: 1000 },
    )
  })
})
