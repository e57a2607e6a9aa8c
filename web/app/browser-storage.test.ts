import { expect, test } from 'vitest'
import { keptFor } from './browser-storage.ts'

const storage = (text?: string) => {
  const items = new Map(text === undefined ? [] : [['periscope.kept', text]])
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

test('what a feature keeps of a server is there after a reload, and apart from other servers', () => {
  const store = storage()
  keptFor(store, () => 'a').set('tasks', ['t1'])
  keptFor(store, () => 'b').set('tasks', ['t2'])
  expect(keptFor(store, () => 'a').get('tasks')).toEqual(['t1'])
  expect(keptFor(store, () => 'b').get('tasks')).toEqual(['t2'])
  expect(keptFor(store, () => 'c').get('tasks')).toBeUndefined()
})

test('a store that somebody else wrote to, or that grows, does no harm', () => {
  for (const text of ['nonsense', '[]', '7', 'null']) expect(keptFor(storage(text), () => 'a').get('x')).toBeUndefined()
  const store = storage()
  for (let n = 0; n < 200; n++) keptFor(store, () => `s${n}`).set('x', n)
  keptFor(store, () => 's199').set('y', 'long'.repeat(10_000))
  expect(store.getItem('periscope.kept')!.length).toBeLessThan(5000)
})
