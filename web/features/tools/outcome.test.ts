import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { filterItems } from '../lists/list-items.ts'
import { rowsOf } from './groups.ts'
import { resultFindings } from './findings.ts'
import { viewsOf } from './outcome.ts'
import { claimsDestructive, claimsOf, TOOLS, type ToolItem } from './tools-fold.ts'

const text = (value: string): JsonObject => ({ type: 'text', text: value })
const codes = (
  result: JsonObject,
  hasSchema: boolean,
  revision: '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28',
) => resultFindings(result, hasSchema, revision).map(({ code }) => code)

describe('the rules on a result', () => {
  const structuredContent = { b: 1, a: [null] }

  test('content is required beside structured content, too', () => {
    expect(codes({ structuredContent }, true, '2025-11-25')).toContain('content-missing')
  })

  test('with an outputSchema structured content is due, except where the tool failed', () => {
    expect(codes({ content: [] }, true, '2025-11-25')).toEqual(['structured-missing'])
    expect(codes({ content: [], isError: true }, true, '2025-11-25')).toEqual([])
    expect(codes({ content: [] }, false, '2025-11-25')).toEqual([])
  })

  test('null is structured content from 2026-07-28 on, and is never taken for absent', () => {
    const result = { content: [text('null')], structuredContent: null }
    expect(codes(result, true, '2025-11-25')).toEqual(['structured-no-object'])
    expect(codes(result, true, '2026-07-28')).toEqual([])
  })

  test('a revision without structured content is named', () => {
    expect(codes({ content: [text('{"b":1,"a":[null]}')], structuredContent }, false, '2025-03-26')).toEqual([
      'structured-unknown',
    ])
  })
})

test('structured content with a list of objects in it can be seen as a table, other content cannot', () => {
  const views = (result: JsonObject) => viewsOf({ state: 'ok', result, message: { result } })
  expect(views({ content: [], structuredContent: { rows: [{ a: 1 }] } })).toEqual([
    'structured',
    'table',
    'content',
    'raw',
  ])
  expect(views({ content: [], structuredContent: { rows: [1] } })).toEqual(['structured', 'content', 'raw'])
  expect(views({ content: [] })).toEqual(['content', 'raw'])
})

const item = (raw: Json, index = 0): ToolItem => TOOLS.itemOf(raw, index, 0, { keys: new Set(), names: new Set() })
const named = (...names: string[]) => names.map((name, index) => item({ name }, index))

describe('annotations are claims', () => {
  test('the defaults of the specification hold where nothing is claimed', () => {
    expect(claimsOf(item({ name: 'x' })).map(({ hint, value, declared }) => [hint, value, declared])).toEqual([
      ['readOnlyHint', false, false],
      ['destructiveHint', true, false],
      ['idempotentHint', false, false],
      ['openWorldHint', true, false],
    ])
  })

  test('only a tool that claims destruction itself asks first, and never one that claims to read only', () => {
    expect(claimsDestructive(item({ name: 'x' }))).toBe(false)
    expect(claimsDestructive(item({ name: 'x', annotations: { destructiveHint: true } }))).toBe(true)
    expect(claimsDestructive(item({ name: 'x', annotations: { destructiveHint: true, readOnlyHint: true } }))).toBe(
      false,
    )
    expect(claimsDestructive(item({ name: 'x', annotations: { destructiveHint: 'true' } }))).toBe(false)
  })

  test('the display name is title, then annotations.title, then name (SF-TOOL-03)', () => {
    expect(item({ name: 'n', title: 't', annotations: { title: 'a' } }).title).toBe('t')
    expect(item({ name: 'n', annotations: { title: 'a' } }).title).toBe('a')
    expect(item({ name: 'n', title: 5 }).title).toBe('n')
  })
})

describe('the rows of the list', () => {
  test('a few tools stand without headings', () => {
    expect(rowsOf(named('get-a', 'get-b', 'set-a', 'set-b')).every(({ kind }) => kind === 'tool')).toBe(true)
  })

  test('prefixes that help become headings, in the server’s order, the rest comes last; no tool is lost', () => {
    const items = named('echo', 'get-a', 'get-b', 'set-a', 'get-c', 'set-b', 'ping', 'get-d', 'one-off')
    const rows = rowsOf(items)
    expect(rows.filter(({ kind }) => kind === 'group')).toEqual([
      { kind: 'group', prefix: 'get', count: 4 },
      { kind: 'group', prefix: 'set', count: 2 },
      { kind: 'group', prefix: undefined, count: 3 },
    ])
    expect(rows.flatMap((row) => (row.kind === 'tool' ? [row.item.name] : [])).sort()).toEqual(
      items.map(({ name }) => name).sort(),
    )
  })

  test('one prefix over everything says nothing and is left out', () => {
    expect(
      rowsOf(named(...Array.from({ length: 12 }, (_, at) => `fs_${at}`))).some(({ kind }) => kind === 'group'),
    ).toBe(false)
  })

  test('the filter wants every word, in name, title or description, in any case', () => {
    const items = [item({ name: 'get-sum', description: 'Adds NUMBERS' }), item({ name: 'echo' })]
    expect(filterItems(items, ' number SUM ').map(({ name }) => name)).toEqual(['get-sum'])
    expect(filterItems(items, '  ').length).toBe(2)
    expect(filterItems(items, 'echo sum')).toEqual([])
  })
})
