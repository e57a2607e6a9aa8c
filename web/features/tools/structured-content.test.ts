import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../mcp/index.ts'
import { comparing, repeats } from './structured-content.ts'

const text = (value: string): Json => ({ type: 'text', text: value })
const same = (a: Json, b: Json, step?: number): boolean => {
  const steps = comparing(a, b, step)
  let next = steps.next()
  while (!next.done) next = steps.next()
  return next.value
}
const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>

test('SF-TOOL-17: a text that repeats the structured content, with other spaces and another order, is in order', async () => {
  const structured = { b: 1, a: [null] }
  expect(await repeats([text('sunny'), text('{ "a": [null],\n "b": 1.0 }')], structured)).toBe(true)
  expect(await repeats([text('sunny')], structured)).toBe(false)
  expect(await repeats([], structured)).toBe(false)
  expect(await repeats(undefined, structured)).toBe(false)
  expect(await repeats([text('null')], null)).toBe(true)
})

test('SF-TOOL-17: five megabytes are compared as well, in steps', async () => {
  const rows = Array.from({ length: 25_000 }, (_, id) => ({ id, name: `row ${id}`, note: 'x'.repeat(150) }))
  const said = JSON.stringify({ rows })
  expect(await repeats([text(said)], { rows })).toBe(true)
  expect(await repeats([text(said)], { rows: rows.with(20_000, { ...rows[20_000]!, id: -1 }) })).toBe(false)
  expect([...comparing({ rows }, { rows: structuredClone(rows) })].length).toBeGreaterThan(20)
})

test('more than can be read is no verdict', async () => {
  expect(
    await repeats(
      Array.from({ length: 2000 }, () => text('x')),
      {},
    ),
  ).toBe(undefined)
})

test('two values are the same exactly when they are equal, however often there is a pause', () => {
  fc.assert(
    fc.property(json, json, fc.integer({ min: 1, max: 5 }), (a, b, step) => {
      const key = (value: Json): string =>
        JSON.stringify(value, (_, part: Json) =>
          typeof part === 'object' && part !== null && !Array.isArray(part)
            ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
            : part,
        )
      expect(same(a, JSON.parse(JSON.stringify(a)) as Json, step)).toBe(true)
      expect(same(a, b, step)).toBe(key(a) === key(b))
    }),
  )
})
