import { describe, expect, test } from 'vitest'
import { Trace, type JsonObject } from '../../mcp/index.ts'
import { ConnectionName, numbered } from './connection-name.svelte.ts'
import { Draft } from '../connect/draft.svelte.ts'
import { loadServers } from '../remembered.ts'
import { saveServers } from '../storable.ts'
import { ServerList } from './servers.svelte.ts'
import type { ServerHost } from './server-host.ts'
import { Server } from './server.svelte.ts'

/** A server with this `serverInfo`. */
const serverSaying = (info: JsonObject): Server => {
  const host = { trace: new Trace(), connected: { connectionOf: () => ({ peer: { info } }) } } as unknown as ServerHost
  return new Server(host, { link: 's1', target: { kind: 'sample' }, name: 'as configured' })
}

test('LC-14: a server calls itself by its title, else by its name', () => {
  const own = (info: JsonObject) => serverSaying(info).ownName
  expect(own({ name: 'weather', title: 'Weather · 天气' })).toBe('Weather · 天气')
  expect(own({ name: 'weather', title: '  ' })).toBe('weather')
  expect(own({ name: 'weather', title: 7 })).toBe('weather')
  expect(own({ name: '', version: '1' })).toBeUndefined()
  expect(own({})).toBeUndefined()
  expect(own({ title: 'x'.repeat(500) })!.length).toBeLessThanOrEqual(80)
})

/** A list whose servers all send the same `serverInfo`. */
const listOf = () => {
  const info = { name: 'everything', title: 'Everything' }
  const list = new ServerList({
    trace: new Trace(),
    connected: { connectionOf: () => ({ peer: { info } }) },
  } as unknown as ServerHost)
  const add = (given: string) => {
    const target = { kind: 'url', url: 'http://127.0.0.1:1/mcp', headers: [] } as const
    const server = list.add({ target, draft: Draft.of(target, [], {}, given) })
    // As when its session opens.
    list.rename(server)
    return server
  }
  return { list, add, names: () => list.all.map(({ name }) => name) }
}

describe('the name of a connection', () => {
  test('is what the configuration calls it, whatever the server calls itself', () => {
    const { add, names, list } = listOf()
    add('production')
    add('staging')
    expect(names()).toEqual(['production', 'staging'])
    expect(list.all.map(({ ownName }) => ownName)).toEqual(['Everything', 'Everything'])
    expect(list.nameOf('s2')).toBe('staging')
  })

  test('is the server’s own where none was given, and the second of the same name has a number', () => {
    const { add, names } = listOf()
    for (let time = 0; time < 3; time++) add('')
    expect(names()).toEqual(['Everything', 'Everything (2)', 'Everything (3)'])
  })

  test('keeps its number while others come and go, and over reconnects', () => {
    const { list, add, names } = listOf()
    const [first] = [add(''), add('')]
    list.remove(first)
    expect(names()).toEqual(['Everything (2)'])
    list.rename(list.all[0]!)
    expect(names()).toEqual(['Everything (2)'])
    add('')
    expect(names()).toEqual(['Everything (2)', 'Everything'])
  })

  test('survives a reload with its number', () => {
    const { list, add } = listOf()
    add('a')
    add('')
    add('')
    const stored = new Map<string, string>()
    const store = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    }
    list.save(store, saveServers)
    const again = listOf()
    again.list.load(store)
    expect(again.names()).toEqual(['a', 'Everything', 'Everything (2)'])
    for (const server of again.list.all) again.list.rename(server)
    expect(again.names()).toEqual(['a', 'Everything', 'Everything (2)'])
  })

  test('is read from what older versions stored', () => {
    const stored = JSON.stringify([{ link: 's1', name: 'Old', target: { kind: 'sample' }, dropped: [], settings: {} }])
    const store = { getItem: () => stored, setItem: () => {}, removeItem: () => {} }
    expect(loadServers(store)).toMatchObject([{ name: 'Old' }])
    const { list, names } = listOf()
    list.load(store)
    expect(names()).toEqual(['Old'])
    expect(() => saveServers(store, [])).not.toThrow()
  })

  test('can be changed, and given back', () => {
    const { list, add, names } = listOf()
    const server = add('prod')
    server.draft.name = 'production'
    list.rename(server)
    expect(names()).toEqual(['production'])
    server.draft.name = ''
    list.rename(server)
    expect(names()).toEqual(['Everything'])
  })

  test('shows hidden characters, and is never longer than 80', () => {
    expect(new ConnectionName('a\u202eb').current).not.toContain('\u202e')
    expect(new ConnectionName('x'.repeat(500)).current.length).toBeLessThanOrEqual(80)
    expect(numbered('a (2)', new Set(['a', 'a (2)']))).toBe('a (2) (2)')
  })
})

test('a server moves in the rail to a place that exists, and the others keep their order', () => {
  const { list, add, names } = listOf()
  const [first] = ['one', 'two', 'three'].map(add)
  expect(list.move(first!, -1)).toBeUndefined()
  expect(list.move(first!, 2)).toBe(3)
  expect(names()).toEqual(['two', 'three', 'one'])
  expect(list.move(first!, 1)).toBeUndefined()
})
