import { describe, expect, test } from 'vitest'
import { matrix } from '../../tests/schemas/index.ts'
import { plain } from '../json/index.ts'
import { argumentsField } from './model.ts'
import { sampledField, startingValue as startingValueOf, withExamples as filledFrom } from './samples.ts'
import { validate } from './validate.ts'

const startingValue = (schema: unknown) => startingValueOf(argumentsField(schema))
const withExamples = (schema: unknown, value: Parameters<typeof filledFrom>[1]) =>
  filledFrom(argumentsField(schema), value)
const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required })

describe('a form starts', () => {
  const shipping = { type: 'string', enum: ['standard', 'express'], default: 'standard' }

  test('with the default of a required choice', () => {
    expect(startingValue(object({ shipping, note: { type: 'string' } }, ['shipping']))).toEqual({
      shipping: 'standard',
    })
  })

  test.each([
    ['an optional choice', object({ shipping })],
    ['a required text with a default', object({ note: { type: 'string', default: 'x' } }, ['note'])],
    ['a default that is not in the list', object({ a: { enum: ['x'], default: 'y' } }, ['a'])],
    ['a name that is required but not declared', object({}, ['toString'])],
    ['no schema', 'x'],
  ])('absent for %s', (_, schema) => {
    expect(startingValue(schema)).toBeUndefined()
  })
})

describe('filling with examples', () => {
  test('takes the first example, then the default, and makes up only what is required', () => {
    const schema = object(
      {
        customer: { type: 'string', examples: ['C-1', 'C-2'], default: 'C-0' },
        count: { type: 'integer', default: 3 },
        city: { type: 'string' },
        mail: { type: 'string', format: 'email' },
        note: { type: 'string' },
      },
      ['city', 'mail'],
    )
    expect(withExamples(schema, undefined)).toEqual({
      customer: 'C-1',
      count: 3,
      city: 'example',
      mail: 'user@example.com',
    })
  })

  test('keeps what the user entered, also inside objects', () => {
    const schema = object({ to: object({ street: { type: 'string' }, city: { type: 'string' } }, ['street', 'city']) })
    expect(withExamples(schema, { to: { city: 'Bern' }, more: 1 })).toEqual({
      to: { city: 'Bern', street: 'example' },
      more: 1,
    })
    const full = { to: { city: 'Bern', street: 'x' } }
    expect(withExamples(schema, full)).toBe(full)
  })

  test('skips an example that the schema itself does not allow', () => {
    expect(withExamples(object({ a: { type: 'integer', examples: ['many', 7] } }), undefined)).toEqual({ a: 7 })
  })

  test.each([
    [{ type: 'integer', minimum: 10 }, 10],
    [{ type: 'integer', exclusiveMinimum: 10 }, 11],
    [{ type: 'integer', maximum: -3 }, -3],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 }, 0.25],
    [{ type: 'integer', minimum: 4, multipleOf: 5 }, 5],
    [{ type: 'string', minLength: 10 }, 'exampleexa'],
    [{ type: 'string', maxLength: 3 }, 'exa'],
    [{ type: 'boolean' }, false],
    [{ type: 'null' }, null],
    [{ const: 5 }, 5],
    [{ type: 'array', items: { type: 'integer' } }, [1]],
    [{ type: 'array', items: { type: 'string' }, minItems: 2 }, ['example', 'example']],
    [{ type: 'array', items: { type: 'string' }, maxItems: 0 }, []],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, 1],
  ])('makes up a value for %j', (schema, expected) => {
    expect(withExamples(object({ a: schema }, ['a']), undefined)).toEqual({ a: expected })
  })

  test.each([
    { type: 'string', pattern: '^[A-Z]{3}$' },
    { type: 'string', minLength: 100_000 },
    { type: 'integer', minimum: 2, maximum: 1 },
    { type: 'array', items: { type: 'string' }, minItems: 1000 },
    { not: {} },
  ])('leaves out what it cannot make: %j', (schema) => {
    expect(withExamples(object({ a: schema }, ['a']), undefined)).toBeUndefined()
  })

  test('ends with a schema that requires itself', () => {
    const recursive = { $ref: '#/$defs/node', $defs: { node: object({ next: { $ref: '#/$defs/node' } }, ['next']) } }
    expect(withExamples(recursive, undefined)).toBeUndefined()
  })

  test('is limited in the number of values, and not tried with more properties than a keystroke has time for', () => {
    const wide = (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `p${at}`)
      return object(Object.fromEntries(names.map((name) => [name, { type: 'string' }])), names)
    }
    expect(Object.keys(withExamples(wide(1000), undefined) as object).length).toBeLessThanOrEqual(500)
    expect(sampledField(wide(2000) as never)).toBeDefined()
    expect(sampledField(wide(100_000) as never)).toBeUndefined()
  })

  test('adds nothing that violates a schema of the matrix beyond what is missing', () => {
    for (const { name, schema } of matrix.filter((each) => !each.name.startsWith('10^'))) {
      const value = withExamples(schema, undefined)
      if (value === undefined || typeof schema !== 'object') continue
      const { problems } = validate(schema, plain(value))
      const wrong = problems.filter(({ keyword, severity }) => severity === 'error' && keyword !== 'required')
      expect(wrong.map(({ pointer, keyword }) => `${name} ${pointer} ${keyword}`)).toEqual([])
      expect(withExamples(schema, value), name).toEqual(value)
    }
  })
})
