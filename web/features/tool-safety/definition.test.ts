import { expect, test } from 'vitest'
import { changedParts, definitionOf } from './definition.ts'

const of = (...tools: Parameters<typeof definitionOf>[0]) => definitionOf(tools)

test('a change names the parts that differ, with both values', () => {
  const before = of({ name: 'x', description: 'reads', inputSchema: { type: 'object', properties: {} } })
  const now = of({
    name: 'x',
    title: 'X',
    description: 'reads',
    inputSchema: { properties: { a: {} }, type: 'object' },
  })
  expect(changedParts(before, now)).toEqual([
    { part: 'title', was: undefined, is: 'X' },
    {
      part: 'inputSchema',
      was: { type: 'object', properties: {} },
      is: { type: 'object', properties: { a: {} } },
    },
  ])
  expect(changedParts(before, before)).toEqual([])
})

test('a name that is listed twice since is a change as well', () => {
  const one = { name: 'x', description: 'reads' }
  expect(changedParts(of(one), of(one, { name: 'x', description: 'writes' }))).toEqual([
    { part: 'tools', was: [{ description: 'reads' }], is: [{ description: 'reads' }, { description: 'writes' }] },
  ])
  expect(changedParts(of(), of(one))).toHaveLength(1)
  expect(changedParts(of(one, one), of(one, one))).toEqual([])
})

test('a definition that is no object is one without parts', () => {
  expect(of('x', null)).toEqual([{}, {}])
})
