import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headerPlan, paramHeaders } from './param-headers.ts'

const tool = (properties: object, more: object = {}) => headerPlan({ type: 'object', properties, ...more })
const string = (name: unknown) => ({ type: 'string', 'x-mcp-header': name })
const rules = (plan: ReturnType<typeof headerPlan>) => plan.issues.map(({ rule }) => rule)

describe('arguments that are repeated in headers', () => {
  test('TR-XH-01, TR-XH-02, TR-XH-03: strings, integers and booleans, nested ones by the exact chain of keys', () => {
    const plan = tool({
      region: string('Region'),
      retries: { type: 'integer', 'x-mcp-header': 'Retries' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
      place: { type: 'object', properties: { zone: string('Zone') } },
      note: { type: 'string' },
    })
    expect(plan.issues).toEqual([])
    expect(paramHeaders(plan, { region: 'eu', retries: -3, dry: false, place: { zone: 'Süd' }, note: 'n' })).toEqual({
      'mcp-param-Region': 'eu',
      'mcp-param-Retries': '-3',
      'mcp-param-Dry-Run': 'false',
      'mcp-param-Zone': '=?base64?U8O8ZA==?=',
    })
  })

  test('TR-XH-02: what is absent or null has no header; an empty text has an empty one', () => {
    const plan = tool({ a: string('A'), b: string('B'), c: string('C'), o: { properties: { d: string('D') } } })
    expect(paramHeaders(plan, { b: null, c: '', o: 'no object' })).toEqual({ 'mcp-param-C': '' })
    expect(paramHeaders(plan, undefined)).toEqual({})
    expect(paramHeaders(plan, [])).toEqual({})
  })

  test('TR-XH-02: keys that every object inherits are not arguments', () => {
    const plan = tool({ constructor: string('A'), toString: string('B') })
    expect(paramHeaders(plan, {})).toEqual({})
  })

  test('TR-XH-03: an integer that no header can carry truly is refused before anything is sent', () => {
    const plan = tool({ n: { type: 'integer', 'x-mcp-header': 'N' } })
    expect(paramHeaders(plan, { n: Number.MAX_SAFE_INTEGER })).toEqual({ 'mcp-param-N': '9007199254740991' })
    expect(() => paramHeaders(plan, { n: 2 ** 53 })).toThrow(expect.objectContaining({ code: 'not-sendable' }))
  })
})

describe('annotations that break a rule', () => {
  test.each([
    ['an empty name', { a: string('') }, 'TR-XH-04'],
    ['a name with a space', { a: string('My Region') }, 'TR-XH-04'],
    ['a name with a colon', { a: string('A:B') }, 'TR-XH-04'],
    ['a name beyond ASCII', { a: string('Région') }, 'TR-XH-04'],
    ['a name with a control character', { a: string('A\tB') }, 'TR-XH-04'],
    ['a name that is no text', { a: string(7) }, 'TR-XH-04'],
    ['the same name twice, in another case', { a: string('MyField'), b: string('myfield') }, 'TR-XH-04'],
    ['a number', { a: { type: 'number', 'x-mcp-header': 'N' } }, 'TR-XH-03'],
    ['an object', { a: { type: 'object', 'x-mcp-header': 'O' } }, 'TR-XH-03'],
    ['an array', { a: { type: 'array', 'x-mcp-header': 'A' } }, 'TR-XH-03'],
    ['null', { a: { type: 'null', 'x-mcp-header': 'Z' } }, 'TR-XH-03'],
    ['no type', { a: { 'x-mcp-header': 'N' } }, 'TR-XH-03'],
    ['below items', { a: { type: 'array', items: string('I') } }, 'TR-XH-05'],
    ['below anyOf', { a: { anyOf: [string('A')] } }, 'TR-XH-05'],
    ['below properties of an anyOf', { a: { anyOf: [{ properties: { b: string('B') } }] } }, 'TR-XH-05'],
    ['below if', { a: { if: string('A') } }, 'TR-XH-05'],
    ['below not', { a: { not: { properties: { b: string('B') } } } }, 'TR-XH-05'],
    ['below additionalProperties', { a: { additionalProperties: string('A') } }, 'TR-XH-05'],
  ])('TR-XH-06: %s', (_, properties, rule) => {
    const plan = tool(properties)
    expect(rules(plan)).toEqual([rule])
    expect(plan.issues[0]).toMatchObject({
      explanation: expect.any(String) as string,
      pointer: expect.any(String) as string,
    })
  })

  test('TR-XH-05: neither does one behind $defs, nor on the root', () => {
    expect(rules(tool({}, { $defs: { x: string('X') } }))).toEqual(['TR-XH-05'])
    expect(rules(headerPlan({ type: 'string', 'x-mcp-header': 'Root' }))).toEqual(['TR-XH-05'])
  })

  test('the pointer leads to the property', () => {
    expect(tool({ 'a/b': { properties: { '~': string('') } } }).issues[0]!.pointer).toBe(
      '/properties/a~1b/properties/~0',
    )
  })

  test('arguments that are called as a keyword are arguments, and data is no annotation', () => {
    const plan = tool({
      'x-mcp-header': { type: 'string' },
      properties: string('P'),
      items: string('I'),
      type: { type: 'string', default: { 'x-mcp-header': '' }, enum: [{ 'x-mcp-header': '' }] },
    })
    expect(plan.issues).toEqual([])
    expect(plan.headers.map(({ path }) => path)).toEqual([['properties'], ['items']])
  })
})

test('JS-08: whatever a schema is, reading it ends and throws nothing', () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 12 }), (schema) => void headerPlan(schema)))
  let deep: object = string('Deep')
  for (let depth = 0; depth < 100_000; depth++) deep = { type: 'object', properties: { a: deep } }
  expect(headerPlan(deep).headers).toEqual([])
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`p${n}`, { type: 'string' }]))
  expect(tool(wide).issues).toEqual([])
})
