import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ServerFeatures } from '../../compare/server-features.ts'
import { compared, completed, MOST_KEPT, nameOf, FeaturesStore, type KeptFeatures } from './kept-features.ts'

const offer: ServerFeatures = { info: { name: 'a' }, capabilities: { tools: {}, prompts: {} }, tools: [{ name: 'x' }] }
const kept = (to: number, more: Partial<ServerFeatures> = {}): KeptFeatures => ({
  from: 1,
  to,
  offer: { ...offer, ...more },
})

beforeEach(() => void vi.stubGlobal('indexedDB', new IDBFactory()))
afterEach(() => void vi.unstubAllGlobals())

test('what a server offered is there after a reload, the last few of it, until it is forgotten', async () => {
  const many = Array.from({ length: MOST_KEPT + 3 }, (_, at) => kept(100 - at))
  await new FeaturesStore().put('a', many)
  expect(await new FeaturesStore().of('a')).toEqual(many.slice(0, MOST_KEPT))
  await new FeaturesStore().forget('a')
  expect(await new FeaturesStore().of('a')).toEqual([])
})

test('of many servers those seen last are kept, and no offer that is very large', async () => {
  const store = new FeaturesStore()
  for (let at = 0; at < 70; at++) await store.put(`s${at}`, [kept(at)])
  expect(await store.of('s9')).toEqual([])
  expect(await store.of('s10')).toHaveLength(1)
  await store.put('large', [kept(99, { instructions: 'x'.repeat(5_000_000) }), kept(98)])
  expect((await store.of('large')).map(({ to }) => to)).toEqual([98])
})

test('where nothing can be kept there is nothing, and no fault', async () => {
  vi.stubGlobal('indexedDB', undefined)
  const store = new FeaturesStore()
  await store.put('a', [kept(1)])
  expect(await store.of('a')).toEqual([])
})

test('the name of a server tells nothing of its command line, and is the same the next time', async () => {
  const name = await nameOf('npx server --api-key hunter2')
  expect(name).toMatch(/^[0-9a-f]{32}$/)
  expect(await nameOf('npx server --api-key hunter2')).toBe(name)
  expect(await nameOf('npx server')).not.toBe(name)
})

test('a list that was not asked for again is taken as it was known, unless the server offers none any more', () => {
  const known = { ...offer, prompts: [{ name: 'p' }], resources: [] }
  expect(completed(offer, known)).toEqual({ ...offer, prompts: [{ name: 'p' }] })
  expect(completed({ ...offer, tools: [] }, known).tools).toEqual([])
})

test('a list that came too late to be stored isn’t taken for a change by the next connection, and a changed one is', () => {
  const late = { ...offer, prompts: [{ name: 'p' }] }
  const first = compared(offer, [], 5)
  expect(first.kept).toEqual([{ from: 5, to: 5, offer }])
  const second = compared(late, first.kept, 7)
  expect(second.since).toEqual([])
  expect(second.kept).toEqual([{ from: 5, to: 7, offer: late }])
  const third = compared({ ...late, prompts: [{ name: 'q' }] }, second.kept, 9)
  expect(third.since).not.toEqual([])
  expect(third.kept).toHaveLength(2)
})
