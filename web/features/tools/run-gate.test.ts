import { expect, test } from 'vitest'
import type { JsonObject } from '../../mcp/index.ts'
import { nextRunStep, takesNothing } from './run-gate.ts'
import en from './text/en.ts'
import zh from './text/zh-CN.ts'
import { TOOLS } from './tools-fold.ts'

const item = (tool: JsonObject) => TOOLS.itemOf(tool, 0, 0, { keys: new Set(), names: new Set() })
const plain = item({ name: 'x' })
const destructive = item({ name: 'x', annotations: { destructiveHint: true } })
const fine = { fits: true, allowed: true, tried: false, confirmed: false }

test('arguments that fit are sent at once', () => {
  expect(nextRunStep(plain, fine)).toBe('call')
})

test('arguments that do not fit, and tools that must not be called, are shown first and sent on the second try', () => {
  for (const problem of [{ fits: false }, { allowed: false }]) {
    expect(nextRunStep(plain, { ...fine, ...problem })).toBe('show-problems')
    expect(nextRunStep(plain, { ...fine, ...problem, tried: true })).toBe('call')
  }
})

test('a destructive tool is confirmed after its problems were seen, and called once it is', () => {
  expect(nextRunStep(destructive, { ...fine, fits: false })).toBe('show-problems')
  expect(nextRunStep(destructive, { ...fine, fits: false, tried: true })).toBe('confirm')
  expect(nextRunStep(destructive, { ...fine, confirmed: true })).toBe('call')
})

test.each([en, zh])('the question before a destructive tool names the tool and the connection', ({ confirmText }) => {
  const question = confirmText('erase', 'production')
  expect(question).toContain('erase')
  expect(question).toContain('production')
})

test('a tool takes nothing if its schema allows nothing, or lists no properties', () => {
  const nothing: JsonObject = { type: 'object', additionalProperties: false }
  expect(takesNothing(nothing)).toBe(true)
  expect(takesNothing({ ...nothing, properties: {} })).toBe(true)
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
