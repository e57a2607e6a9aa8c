import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Store } from '../../ui/index.ts'
import { amountsIn, KINDS, keysOf, kindOf } from './kinds.ts'

/** Texts in the sources that look like names of stored data but aren't: formats, a lock, a channel, a header, a server. */
const NOT_STORED = new Set([
  'periscope-session',
  'periscope-session-',
  'periscope-data',
  'periscope-data.json',
  'periscope.oauth',
  'periscope-token',
  'periscope-sample',
  'periscope-handover',
])

/** Every text in a string that begins like a name of stored data. */
const namesInSources = (): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const root = join(import.meta.dirname, '..', '..')
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !/\.(ts|svelte)$/.test(entry.name) || /\.(test|case)\.ts$|\/text\//.test(path)) continue
    if (path === join(import.meta.dirname, 'kinds.ts')) continue
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/['"`](periscope[.-][\w.-]+)(?=['"`]|\$\{)/g))
      found.set(name, path)
  }
  return found
}

const listed = KINDS.flatMap(({ local, session = [], databases = [] }) => [...local, ...session, ...databases])
const isListed = (name: string): boolean =>
  listed.some((each) => each === name || (each.endsWith('.') && name.startsWith(each)))

test('every name that the page stores something under is in the list, so that users can see and delete it', () => {
  const names = namesInSources()
  // Otherwise the test would find nothing to object to.
  expect([...names.keys()]).toEqual(expect.arrayContaining(['periscope.recent', 'periscope.split.', 'periscope-keys']))
  const missing = [...names].filter(([name]) => !isListed(name) && !NOT_STORED.has(name))
  expect(missing).toEqual([])
})

test('the list contains no name that nothing is stored under', () => {
  const names = [...namesInSources().keys()]
  const stored = (each: string) => names.some((name) => name === each || (each.endsWith('.') && name.startsWith(each)))
  expect(listed.filter((each) => !stored(each))).toEqual([])
})

test('what is stored is counted by kind, data of other versions as well, and that of other pages not at all', () => {
  const held: Record<string, string> = {
    'periscope.recent': '[{},{},{}]',
    'periscope.split.dock': '40',
    'periscope.theme': 'dark',
    'periscope.from-the-future': '{}',
    'another.page': '…',
  }
  const store = { getItem: (key: string) => held[key] ?? null } as unknown as Store
  const amounts = amountsIn('local', store, Object.keys(held))
  expect(Object.fromEntries([...amounts].map(([id, { count }]) => [id, count]))).toEqual({
    servers: 3,
    settings: 2,
    other: 1,
  })
  expect(amounts.get('servers')!.size).toBe('periscope.recent'.length + '[{},{},{}]'.length)
  expect(keysOf('settings', Object.keys(held))).toEqual(['periscope.split.dock', 'periscope.theme'])
  expect(kindOf('local', 'periscope.recent.more')).toBe('other')
})
