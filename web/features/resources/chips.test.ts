import { expect, test } from 'vitest'
import type { Json } from '../../mcp/index.ts'
import { chipsOf, filterByChips, MEDIUM, SMALL } from './chips.ts'
import { RESOURCES, type ResourceItem } from './resources-fold.ts'

const itemsOf = (...raws: readonly Json[]): readonly ResourceItem[] =>
  raws.map((raw, index) => RESOURCES.itemOf(raw, index, 1, { keys: new Set(), names: new Set() }))

const resource = (uri: string, more: Record<string, Json> = {}): Json => ({ uri, name: uri, ...more })
const idsOf = (items: readonly ResourceItem[]) => chipsOf(items).map(({ id, count }) => `${id}: ${count}`)
const found = (items: readonly ResourceItem[], ...chosen: readonly string[]) =>
  filterByChips(items, new Set(chosen)).map(({ uri }) => uri)

test('only types, sizes, audiences and priorities that occur are offered, with their number', () => {
  const items = itemsOf(
    resource('a:1', { mimeType: 'text/markdown; charset=utf-8', size: SMALL }),
    resource('a:2', { mimeType: 'application/ld+json', size: SMALL + 1, annotations: { audience: ['user'] } }),
    resource('a:3', { mimeType: 'image/png', size: MEDIUM + 1, annotations: { priority: 1 } }),
    resource('a:4', { mimeType: 'none/none', annotations: { audience: ['assistant', 'user'], priority: 0.5 } }),
    resource('a:5'),
  )
  expect(idsOf(items)).toEqual([
    'type text: 1',
    'type json: 1',
    'type image: 1',
    'type other: 1',
    'type none: 1',
    'size small: 1',
    'size medium: 1',
    'size large: 1',
    'size unknown: 2',
    'audience assistant: 1',
    'audience user: 2',
    'priority 1: 1',
    'priority 0.5: 2',
  ])
})

test('what all resources have in common is not offered, because it would find all of them', () => {
  expect(idsOf(itemsOf(resource('a:1'), resource('a:2')))).toEqual([])
  expect(idsOf(itemsOf(resource('a:1', { size: 1 }), resource('a:2')))).toEqual(['size small: 1', 'size unknown: 1'])
})

test('chips of one kind add to each other, those of different kinds narrow each other', () => {
  const items = itemsOf(
    resource('a:1', { mimeType: 'text/plain', size: 1 }),
    resource('a:2', { mimeType: 'application/json', size: 1 }),
    resource('a:3', { mimeType: 'text/plain' }),
    resource('a:4', { mimeType: 'image/png', annotations: { priority: 0.7 } }),
  )
  expect(found(items)).toHaveLength(4)
  expect(found(items, 'type text', 'type json')).toEqual(['a:1', 'a:2', 'a:3'])
  expect(found(items, 'type text', 'type json', 'size small')).toEqual(['a:1', 'a:2'])
  expect(found(items, 'priority 0.5')).toEqual(['a:4'])
  expect(found(items, 'priority 0.8')).toEqual([])
  expect(found(items, 'size large')).toEqual([])
})

test('many priorities are offered as a few, of which each finds something', () => {
  const items = itemsOf(
    ...[0, 0.1, 0.2, 0.35, 0.6, 0.75].map((priority) => resource(`a:${priority}`, { annotations: { priority } })),
  )
  expect(idsOf(items).filter((id) => id.startsWith('priority'))).toEqual([
    'priority 0.7: 1',
    'priority 0.5: 2',
    'priority 0.3: 3',
  ])
})

test('annotations that break the specification are not offered and find nothing', () => {
  const items = itemsOf(
    resource('a:1', { annotations: { audience: ['system', 3], priority: 7 } }),
    resource('a:2', { annotations: { audience: 'user', priority: 'high' } }),
    resource('a:3', { annotations: [] }),
    null,
  )
  expect(idsOf(items)).toEqual([])
  expect(found(items, 'audience user', 'priority 0')).toEqual([])
})
