import { expect, test } from 'vitest'
import { argumentsFor, contentFor } from './values.ts'

test('CF-FORM-05: the answer to an elicitation holds every default, required or not, falsy or not', () => {
  const properties = {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 0 },
    status: { type: 'string', enum: ['active', 'pending'], default: 'pending' },
    verified: { type: 'boolean', default: false },
    comment: { type: 'string' },
  }
  expect(contentFor({ type: 'object', properties, required: [] })).toEqual({
    name: 'John Doe',
    age: 0,
    status: 'pending',
    verified: false,
  })
})

test('a tool gets a value of the right type for each required argument, through references within the schema', () => {
  const schema = {
    type: 'object',
    $defs: { id: { type: 'string' } },
    properties: {
      id: { $ref: '#/$defs/id' },
      a: { type: 'number', minimum: 2.5 },
      deep: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] },
      remote: { $ref: 'https://example.com/schema.json' },
      optional: { type: 'string' },
    },
    required: ['id', 'a', 'deep', 'remote'],
  }
  expect(argumentsFor(schema)).toEqual({ id: 'periscope', a: 3, deep: { on: true }, remote: 'periscope' })
})

test('a tool without a schema gets no arguments', () => {
  expect(argumentsFor(undefined)).toEqual({})
})
