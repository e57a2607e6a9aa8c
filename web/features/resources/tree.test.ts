import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../../tests/patience.ts'
import type { Json } from '../../mcp/index.ts'
import { findingsOf, RESOURCES, templateKey, TEMPLATES, type ResourceItem } from './resources-fold.ts'
import { filterItems, flipKey, piecesOf, rowsOf, treeRows, type ListRow } from './tree.ts'

const itemsOf = (values: readonly Json[], listed = RESOURCES): ResourceItem[] => {
  const taken = { keys: new Set<string>(), names: new Set<string>() }
  return values.map((value, index) => listed.itemOf(value, index, 7, taken))
}
const of = (...uris: string[]) => itemsOf(uris.map((uri) => ({ uri, name: uri })))
const none = new Set<string>()
const drawn = (rows: readonly ListRow[]) =>
  rows.map((row) => (row.kind === 'section' ? row.section : `${' '.repeat(row.depth)}${row.label}`))

/** URIs that servers use, valid and invalid. */
const uri = fc.oneof(
  fc.string(),
  fc.webUrl(),
  fc.constantFrom(
    'file:///',
    'x:',
    '//a/b',
    'urn:isbn:1',
    '{t}x',
    '/',
    'a//b//',
    '__proto__/constructor',
    'x://a/?b/c#d/e',
  ),
  fc
    .tuple(fc.constantFrom('demo://', 'file:///', 'X-1:'), fc.array(fc.constantFrom('a', 'b', '', '..', 'ü')))
    .map(([scheme, path]) => scheme + path.join('/')),
)

describe('the tree by URI', () => {
  test('folders that hold one folder are one row, and the authority is a level of its own where it helps', () => {
    const items = of('file:///home/x/a.txt', 'file:///home/x/b/c.txt', 'https://a.example/one', 'https://b.example/two')
    expect(drawn(treeRows(items, none))).toEqual([
      'file:///home/x/',
      ' b/',
      '  c.txt',
      ' a.txt',
      'https://',
      ' a.example/',
      '  one',
      ' b.example/',
      '  two',
    ])
  })

  test('the pieces of any text, put together, are the text (SF-RES-12)', () => {
    fc.assert(fc.property(uri, (text) => void expect(piecesOf(text).join('')).toBe(text)))
    expect(piecesOf(`x:${'a/'.repeat(10_000)}`).length).toBeLessThan(50)
  })

  test('no resource is lost, and the labels above it with its own are its URI', () => {
    fc.assert(
      fc.property(fc.array(uri), (uris) => {
        const items = of(...uris)
        const above: string[] = []
        const seen: ResourceItem[] = []
        for (const row of treeRows(items, none, true)) {
          if (row.kind === 'section') throw new Error('no section here')
          above.length = row.depth
          if (row.kind === 'folder') above.push(row.label)
          else {
            seen.push(row.item)
            expect([...above, row.label].join('')).toBe(row.item.uri ?? row.label)
          }
        }
        expect(new Set(seen)).toEqual(new Set(items))
        expect(seen.length).toBe(items.length)
      }),
    )
  })

  test('every row has a key of its own, and a folder that is folded up hides what it counts', () => {
    fc.assert(
      fc.property(fc.array(uri), fc.nat(), (uris, pick) => {
        const items = of(...uris)
        const rows = rowsOf(items, itemsOf([{ uriTemplate: 'x:{a}' }], TEMPLATES), {
          layout: 'tree',
          flipped: none,
          searching: true,
        })
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
        const folders = treeRows(items, none).filter((row) => row.kind === 'folder')
        const folder = folders[pick % (folders.length || 1)]
        if (!folder) return
        const all = treeRows(items, none).filter((row) => row.kind === 'item').length
        const left = treeRows(items, new Set([flipKey(folder)])).filter((row) => row.kind === 'item').length
        expect(all - left).toBe(folder.count)
      }),
    )
  })

  test('10,000 resources are a tree in a moment, and begin folded up', async () => {
    const items = of(...Array.from({ length: 10_000 }, (_, at) => `file:///srv/d${at % 100}/e${at % 10}/f${at}.txt`))
    const rows = await expectWithin(200, () => treeRows(items, none))
    expect(rows.length).toBe(101)
  })
})

describe('an item of a list, whatever it is', () => {
  test('no JSON value makes it throw, and each has a key of its own', () => {
    const value = fc.oneof(
      fc.record(
        {
          uri: fc.oneof(fc.constantFrom('a:1', 'a:1', '{t}x', '', 'no uri'), fc.jsonValue()),
          name: fc.jsonValue(),
          size: fc.jsonValue(),
          annotations: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const items = [...itemsOf(values as Json[]), ...itemsOf(values as Json[], TEMPLATES)]
        expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
        for (const item of items) expect(() => findingsOf(item, '2026-07-28')).not.toThrow()
      }),
    )
  })

  test('the first resource of a URI is addressed by it, and a template cannot be taken for a resource', () => {
    const [first, second, odd] = of('a:1', 'a:1', templateKey('x'))
    expect([first!.key, second!.key, odd!.key]).toEqual(['a:1', '{#2', '{#3'])
    expect(second!.repeated).toBe(true)
  })

  test.each<[Json, string, string]>([
    ['text', 'no-object', 'SF-RES-02'],
    [{ name: 'x' }, 'no-uri', 'SF-RES-12'],
    [{ name: 'x', uri: 'no scheme' }, 'not-a-uri', 'SF-RES-12'],
    [{ uri: 'a:1' }, 'no-name', 'SF-RES-02'],
    [{ name: 'x', uri: 'a:1', mimeType: 7 }, 'not-a-string', 'SF-RES-02'],
    [{ name: 'x', uri: 'a:1', size: -1 }, 'bad-size', 'SF-RES-10'],
    [{ name: 'x', uri: 'a:1', annotations: [] }, 'annotations-no-object', 'SF-RES-10'],
    [{ name: 'x', uri: 'a:1', annotations: { priority: 2 } }, 'bad-priority', 'SF-RES-10'],
    [{ name: 'x', uri: 'a:1', annotations: { audience: ['all'] } }, 'bad-audience', 'SF-RES-10'],
    [{ name: 'x', uri: 'a:1', annotations: { lastModified: 'today' } }, 'bad-last-modified', 'SF-RES-10'],
  ])('%j is shown with its finding %s (%s)', (value, code, rule) => {
    expect(findingsOf(itemsOf([value])[0]!, '2025-11-25')).toMatchObject([{ code, rule }])
  })

  test('a good one has none', () => {
    const good = {
      name: 'x',
      uri: 'a:1',
      size: 0,
      annotations: { priority: 1, audience: ['user'], lastModified: '2025-01-12T15:00:58Z' },
    }
    expect(findingsOf(itemsOf([good])[0]!, '2025-11-25')).toEqual([])
  })
})

test('the filter looks at name, title, URI, MIME type and description', () => {
  const items = itemsOf([
    { uri: 'a:1', name: 'Alpha', title: 'One', mimeType: 'text/plain', description: 'first' },
    { uri: 'b:2', name: 'Beta' },
  ])
  for (const filter of ['alpha', 'ONE', 'a:1', 'plain', 'first', 'alpha text']) {
    expect(filterItems(items, filter).map(({ name }) => name)).toEqual(['Alpha'])
  }
  expect(filterItems(items, 'alpha beta')).toEqual([])
  expect(filterItems(items, ' ')).toBe(items)
})
