import type { Store } from '../../ui/index.ts'
import { expect, test } from 'vitest'
import { forgetLink, linkKey, linkOfKey, rememberLink } from './recording-open.ts'
import { formatRoute, isKeptKey, isLinkKey, LAUNCHED_KEY, parseRoute } from '../route.ts'

const memory = (): Store => {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

test('a link is found by its key until its recording is closed', () => {
  const store = memory()
  const keys = Array.from({ length: 100 }, linkKey)
  expect(new Set(keys).size).toBe(100)
  for (const key of keys) {
    expect(isLinkKey(key) && !isKeptKey(key)).toBe(true)
    const route = { recording: key, server: '0', feature: 'tools', place: 'a/b' }
    expect(parseRoute(formatRoute(route))).toEqual(route)
  }
  expect(isLinkKey(LAUNCHED_KEY)).toBe(false)
  expect(isLinkKey('f1')).toBe(false)
  rememberLink(store, keys[0]!, '#share=1.a')
  rememberLink(store, keys[1]!, '#share=1.b')
  expect(linkOfKey(store, keys[0]!)).toBe('#share=1.a')
  forgetLink(store, keys[0]!)
  expect(linkOfKey(store, keys[0]!)).toBeUndefined()
  expect(linkOfKey(store, keys[1]!)).toBe('#share=1.b')
})

test('the five latest links are stored, two million characters of them at most', () => {
  const store = memory()
  for (let at = 0; at < 7; at++) rememberLink(store, `l000${at}`, `link ${at}`)
  expect(linkOfKey(store, 'l0001')).toBeUndefined()
  expect(linkOfKey(store, 'l0002')).toBe('link 2')
  rememberLink(store, 'llong', 'x'.repeat(1_999_990))
  expect(linkOfKey(store, 'llong')).toHaveLength(1_999_990)
  expect(linkOfKey(store, 'l0005')).toBeUndefined()
  rememberLink(store, 'lhuge', 'x'.repeat(2_000_001))
  expect(linkOfKey(store, 'lhuge')).toBeUndefined()
})

test.each(['', '{', '7', '{"key":"l0001"}', '[null,7,{"key":1,"text":"x"},{"key":"l0001"}]'])(
  'what is stored is read without trust: %s',
  (text) => {
    const store = memory()
    store.setItem('periscope.links', text)
    expect(linkOfKey(store, 'l0001')).toBeUndefined()
    rememberLink(store, 'l0001', 'good')
    expect(linkOfKey(store, 'l0001')).toBe('good')
  },
)
