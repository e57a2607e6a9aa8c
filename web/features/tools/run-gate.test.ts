import { expect, test } from 'vitest'
import type { JsonObject } from '../../mcp/index.ts'
import { nextRunStep, takesNothing } from './run-gate.ts'

const fine = { fits: true, allowed: true, tried: false }

test('arguments that fit are sent at once', () => {
  expect(nextRunStep(fine)).toBe('call')
})

test('arguments that do not fit, and tools that must not be called, are shown first and sent on the second try', () => {
  for (const problem of [{ fits: false }, { allowed: false }]) {
    expect(nextRunStep({ ...fine, ...problem })).toBe('show-problems')
    expect(nextRunStep({ ...fine, ...problem, tried: true })).toBe('call')
  }
})

test('a tool takes nothing if its schema allows nothing, or lists no properties', () => {
  const nothing: JsonObject = { type: 'object', additionalProperties: false }
  expect(takesNothing(nothing)).toBe(true)
  expect(takesNothing({ ...nothing, properties: {} })).toBe(true)
  expect(takesNothing({ ...nothing, required: [] })).toBe(true)
  expect(takesNothing({ type: 'object', properties: {} })).toBe(true)
  const more: readonly JsonObject[] = [
    { properties: { a: {} } },
    { additionalProperties: true },
    { anyOf: [{}] },
    { patternProperties: { a: {} } },
    { required: ['a'] },
    { $ref: '#/$defs/a' },
  ]
  for (const each of more) expect(takesNothing({ ...nothing, ...each })).toBe(false)
  expect(takesNothing({ type: 'object' })).toBe(false)
})
