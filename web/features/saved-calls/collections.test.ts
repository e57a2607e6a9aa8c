import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CollectionStore, NotKept } from './collections.svelte.ts'
import type { KeptCollection } from './kept-collection.ts'

const step = { id: '1', link: 's1', kind: 'request', method: 'tools/call', params: { name: 'echo' } } as const
const kept = (id: string, name = id): KeptCollection => ({ id, name, changed: 1, steps: [step] })

beforeEach(() => void vi.stubGlobal('indexedDB', new IDBFactory()))
afterEach(() => void vi.unstubAllGlobals())

test('what was kept is there after a reload, by name, and gone once it is removed', async () => {
  const store = new CollectionStore()
  await store.put(kept('b', 'Zebra'))
  await store.put(kept('a', 'Ant'))
  const reloaded = new CollectionStore()
  expect(await reloaded.lasts()).toBe(true)
  expect(await reloaded.all()).toEqual([kept('a', 'Ant'), kept('b', 'Zebra')])
  await reloaded.remove('a')
  expect(await new CollectionStore().all()).toEqual([kept('b', 'Zebra')])
  await reloaded.clear()
  expect(await new CollectionStore().all()).toEqual([])
})

test('two tabs that add at once both keep their call', async () => {
  const [one, other] = [new CollectionStore(), new CollectionStore()]
  await one.put(kept('a'))
  const add = (store: CollectionStore, id: string) =>
    store.change('a', (known) => ({ ...known, steps: [...known.steps, { ...step, id }] }))
  await Promise.all([add(one, 'from one'), add(other, 'from other')])
  const [collection] = await one.all()
  expect(collection!.steps.map(({ id }) => id).toSorted()).toEqual(['1', 'from one', 'from other'])
})

test('a change to what another tab removed brings nothing back', async () => {
  const store = new CollectionStore()
  expect(await store.change('gone', (known) => known)).toBeUndefined()
  expect(await store.all()).toEqual([])
})

test('what is too large is refused with its reason, and what was kept stays', async () => {
  const store = new CollectionStore()
  await store.put(kept('a'))
  const large = { ...kept('a'), steps: [{ ...step, params: { text: 'x'.repeat(17 * 1024 * 1024) } }] }
  await expect(store.put(large)).rejects.toThrow(NotKept)
  expect(await store.all()).toEqual([kept('a')])
})

test('more than 200 are refused; one of them can still be changed', async () => {
  const store = new CollectionStore()
  for (let at = 0; at < 200; at++) await store.put(kept(String(at)))
  await expect(store.put(kept('one more'))).rejects.toMatchObject({ code: 'full' })
  expect((await store.change('7', (known) => ({ ...known, name: 'renamed' })))?.name).toBe('renamed')
})

test('without IndexedDB they last as long as the page, and it says so', async () => {
  vi.stubGlobal('indexedDB', undefined)
  const store = new CollectionStore()
  await store.put(kept('a'))
  expect(await store.lasts()).toBe(false)
  expect(await store.all()).toEqual([kept('a')])
  expect(await new CollectionStore().all()).toEqual([])
})
