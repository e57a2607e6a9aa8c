import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../tests/memory-store.ts'
import { press, NO_KEY, type Pressed } from './keys.ts'
import { findProxy, launch, launchTarget, takeCode } from './proxy-link.svelte.ts'
import { loadRecent, loadServers, saveRecent, RECENT_KEPT, type Recent } from './remembered.ts'
import { formatRoute, parseRoute } from './route.ts'
import type { Settings } from './connect/settings.ts'
import { initialsOf, nameOf, type Target } from './connect/target.ts'
import { withoutSecrets } from './connect/without-secrets.ts'
import { saveServers, withRecent, withVisit } from './storable.ts'

describe('the address', () => {
  test('names a server, a feature and a place, whatever the place is', () => {
    expect(parseRoute('#/s1/tools/echo')).toEqual({ server: 's1', feature: 'tools', place: 'echo' })
    expect(parseRoute('#/s12')).toEqual({ server: 's12', place: '' })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (place) => {
        expect(parseRoute(formatRoute({ server: 's1', feature: 'tools', place }))).toEqual({
          server: 's1',
          feature: 'tools',
          place,
        })
      }),
    )
  })

  test('nonsense leads to the connect screen and never throws', () => {
    for (const hash of ['', '#', '#/', '#/<x>/y', '#token=abc', '#//']) expect(parseRoute(hash)).toEqual({ place: '' })
    expect(parseRoute('#/s1/tools/%E0%A4%A')).toMatchObject({ place: '%E0%A4%A' })
    fc.assert(fc.property(fc.string(), (text) => void parseRoute(text)))
  })
})

describe('the launch', () => {
  test('the launch code is taken out of the fragment, and the rest stays', () => {
    expect(takeCode('#launch=abc-123_X')).toEqual({ code: 'abc-123_X', rest: '' })
    expect(takeCode('#/s1/tools&launch=abc')).toEqual({ code: 'abc', rest: '#/s1/tools' })
    expect(takeCode('#launch=abc&/s1')).toEqual({ code: 'abc', rest: '#/s1' })
    expect(takeCode('#/s1/tools/launch=abc')).toEqual({ rest: '#/s1/tools/launch=abc' })
    expect(takeCode('')).toEqual({ rest: '' })
  })

  const answering = (status: number, body: string, type = 'application/json') =>
    ((): Promise<Response> =>
      Promise.resolve(new Response(body, { status, headers: { 'content-type': type } }))) as typeof fetch
  const hello = JSON.stringify({ name: 'periscope', version: '1', platform: 'linux', cwd: '/' })

  test('a proxy that knows us, one that does not, and none are told apart', async () => {
    expect(await findProxy('/', 't', answering(200, hello))).toMatchObject({ state: 'there', token: 't' })
    expect(await findProxy('/', undefined, answering(401, '{"error":{}}'))).toEqual({ state: 'no-token' })
    expect(await findProxy('/', 'old', answering(401, '{"error":{}}'))).toEqual({ state: 'refused' })
    expect(await findProxy('/', 't', answering(404, '<html>', 'text/html'))).toEqual({ state: 'none' })
    expect(await findProxy('/', 't', answering(200, '<html>', 'text/html'))).toEqual({ state: 'none' })
    expect(await findProxy('/', 't', answering(200, '{not json'))).toEqual({ state: 'none' })
    expect(await findProxy('/', 't', () => Promise.reject(new TypeError('no')))).toEqual({
      state: 'none',
    })
  })

  /** A proxy with one code, which works once. */
  const proxyWith = (code: string): typeof fetch => {
    let used = false
    return (async (url: string, init: RequestInit = {}) => {
      if (url !== '/api/launch') {
        const known = (init.headers as Record<string, string>)['Periscope-Token'] === 'token'
        return await answering(known ? 200 : 403, known ? hello : '{"error":{"code":"forbidden"}}')('/')
      }
      const given = (JSON.parse(init.body as string) as { code: string }).code
      const why = given !== code ? 'code-unknown' : used ? 'code-used' : undefined
      used ||= given === code
      return await answering(why ? 403 : 200, JSON.stringify(why ? { error: { code: why } } : { token: 'token' }))('/')
    }) as typeof fetch
  }
  const tab = (): Storage => {
    const held = new Map<string, string>()
    return {
      getItem: (key: string) => held.get(key) ?? null,
      setItem: (key: string, value: string) => void held.set(key, value),
    } as Storage
  }

  test('a code is exchanged for the token once; its tab keeps it through reloads, another tab is told why not', async () => {
    const proxy = proxyWith('once')
    const [first, second] = [tab(), tab()]
    expect(await launch('/', undefined, first, proxy)).toEqual({ state: 'no-token' })
    expect(await launch('/', 'once', first, proxy)).toMatchObject({ state: 'there', token: 'token' })
    expect(await launch('/', undefined, first, proxy)).toMatchObject({ state: 'there' })
    expect(await launch('/', 'once', first, proxy)).toMatchObject({ state: 'there' })
    expect(await launch('/', 'once', second, proxy)).toEqual({ state: 'code-used' })
    expect(await launch('/', 'another', second, proxy)).toEqual({ state: 'refused' })
  })

  test('a static copy asks nobody for a token', async () => {
    const refuse = (() => Promise.reject(new Error('asked'))) as typeof fetch
    expect(await launch('https://example.com/', undefined, tab(), refuse)).toEqual({ state: 'none' })
    expect(await launch('/', 'code', tab(), answering(404, '<html>', 'text/html'))).toEqual({ state: 'none' })
  })

  test('what the command line named becomes a target', () => {
    const base = { name: 'periscope', version: '1', platform: 'linux', cwd: '/' } as const
    expect(launchTarget(base)).toBeUndefined()
    expect(launchTarget({ ...base, launch: { url: 'http://x/' } })).toMatchObject({ kind: 'url' })
    expect(launchTarget({ ...base, launch: { command: 'a', args: ['b'] } })).toMatchObject({
      kind: 'command',
      args: ['b'],
    })
    expect(launchTarget({ ...base, launch: { url: 'ws://x/' } })).toEqual({ kind: 'custom', url: 'ws://x/' })
  })
})

describe('what is remembered', () => {
  const SECRET = 'hunter2-hunter2'
  const secretive: Target[] = [
    { kind: 'url', url: `https://e.com/mcp?token=${SECRET}&x=1`, headers: [['X-Any', SECRET]] },
    {
      kind: 'command',
      command: 'npx',
      args: ['x', `--api-key=${SECRET}`, '--token', SECRET, `Authorization: ${SECRET}`],
      env: { ANY: SECRET },
    },
    { kind: 'custom', url: `wss://e.com/mcp?token=${SECRET}&x=1` },
  ]

  test('never holds a value of a header, a variable, or a secret argument; their names stay', () => {
    for (const target of secretive) {
      const disk = memoryStore()
      saveServers(disk, [{ link: 's1', name: 'n', target, launch: false, settings: {} }])
      saveRecent(disk, withRecent([], { name: 'n', target, settings: {} }, 1))
      expect([...disk.all.values()].join()).not.toContain(SECRET)
      expect(loadServers(disk)[0]!.dropped.length).toBeGreaterThan(0)
    }
    expect(withoutSecrets(secretive[0]!).dropped).toEqual(['X-Any', 'token'])
    expect(withoutSecrets(secretive[1]!).dropped).toEqual(['ANY', '--api-key', '--token', 'Authorization'])
  })

  test('comes back as it was written, newest first, each once, bounded', () => {
    const disk = memoryStore()
    const url = (n: number): Target => ({ kind: 'url', url: `http://localhost:${n}/mcp`, headers: [] })
    let recent = loadRecent(disk)
    for (let n = 1; n <= 20; n++) recent = withRecent(recent, { name: `n${n}`, target: url(n), settings: {} }, n)
    recent = withRecent(recent, { name: 'again', target: url(15), settings: { relay: true } }, 99)
    saveRecent(disk, recent)
    expect(loadRecent(disk)).toEqual(recent)
    expect(recent).toHaveLength(RECENT_KEPT)
    expect(recent[0]).toMatchObject({ name: 'again', at: 99, settings: { relay: true } })
    const found = { tools: 17, problems: 2, version: '2025-11-25' }
    const after = withVisit(recent, url(15), { found })!
    expect(withVisit(after, url(15), { found })).toBeUndefined()
    expect(withVisit(after, url(1), { found })).toBeUndefined()
    saveRecent(disk, withRecent(after, { name: 'again', target: url(15), settings: {} }, 100))
    expect(loadRecent(disk)[0]).toMatchObject({ at: 100, found })
    expect(
      recent.filter(({ target }) => target.kind === 'url' && target.url === 'http://localhost:15/mcp'),
    ).toHaveLength(1)
  })

  test('how a visit ended stays until the next one succeeds, and what was found before stays beside it', () => {
    const disk = memoryStore()
    const target: Target = { kind: 'command', command: 'node', args: ['server.js'], env: {} }
    const found = { tools: 3, problems: 0, version: '2025-11-25', changes: 2 }
    let recent: readonly Recent[] = withRecent([], { name: 'n', target, settings: {} }, 1)
    recent = withVisit(recent, target, { found })!
    recent = withVisit(recent, target, { ended: 'exit 1' })!
    saveRecent(disk, withRecent(recent, { name: 'n', target, settings: {} }, 2))
    expect(loadRecent(disk)[0]).toMatchObject({ found, ended: 'exit 1' })
    expect(withVisit(recent, target, { ended: 'exit 1' })).toBeUndefined()
    expect(withVisit(recent, target, { found })![0]).not.toHaveProperty('ended')
    disk.setItem('periscope.recent', JSON.stringify([{ ...recent[0], ended: 'exit <b>1</b>' }]))
    expect(loadRecent(disk)[0]).not.toHaveProperty('ended')
  })

  test('settings and the era that was found out come back with the server, and what is odd of them is left out', () => {
    const disk = memoryStore()
    const target: Target = { kind: 'url', url: 'http://localhost/', headers: [] }
    const settings: Settings = { revision: '2025-06-18', relay: true, idle: 5000, reconnect: false }
    saveServers(disk, [{ link: 's1', name: 'n', target, launch: false, settings, era: 'handshake' }])
    expect(loadServers(disk)[0]).toMatchObject({ settings, era: 'handshake' })
    disk.setItem(
      'periscope.servers',
      JSON.stringify([{ link: 's1', name: 'n', target, dropped: [], settings: { revision: '1', idle: -1 }, era: 7 }]),
    )
    expect(loadServers(disk)[0]).toEqual({ link: 's1', name: 'n', target, dropped: [], settings: {} })
  })

  test('what was tampered with is left out, and never throws', () => {
    const disk = memoryStore()
    for (const text of [
      '{',
      'null',
      '7',
      '[1,null,{}]',
      '[{"link":"s1","name":"x","dropped":[],"target":{"kind":"url","url":"javascript:x","headers":[]}}]',
    ]) {
      disk.setItem('periscope.servers', text)
      disk.setItem('periscope.recent', text)
      expect(loadServers(disk)).toEqual([])
      expect(loadRecent(disk)).toEqual([])
    }
  })
})

describe('keys', () => {
  const features = [{ key: 't', id: 'tools' }]
  const plain = (key: string): Pressed => ({ key, mod: false, alt: false, shift: false, typing: false })

  test('g then t opens tools, but not when it comes too late', () => {
    const first = press(NO_KEY, plain('g'), features, 1000)
    expect(press(first.state, plain('t'), features, 1500).action).toEqual({ do: 'feature', id: 'tools' })
    expect(press(first.state, plain('t'), features, 5000).action).toBeUndefined()
    expect(press(first.state, plain('2'), features, 1500).action).toEqual({ do: 'server', index: 1 })
  })

  test('plain keys belong to a field that takes text, the trace key with Control works there too', () => {
    for (const key of ['g', '/', '?', '`', 'f', 'r', 'j', 'k'])
      expect(press(NO_KEY, { ...plain(key), typing: true }, features, 0).action).toBeUndefined()
    expect(press(NO_KEY, { ...plain('`'), typing: true, mod: true }, features, 0).action).toEqual({ do: 'trace' })
    expect(press(NO_KEY, plain('`'), features, 0).action).toEqual({ do: 'trace' })
  })

  test('f and r go to a pane, except after g; F6 goes to the next one, from a text field as well', () => {
    expect(press(NO_KEY, plain('f'), features, 0).action).toEqual({ do: 'pane', pane: 'form' })
    expect(press(press(NO_KEY, plain('g'), features, 0).state, plain('r'), features, 1).action).toBeUndefined()
    const typing = { ...plain('F6'), typing: true }
    expect(press(NO_KEY, typing, features, 0).action).toEqual({ do: 'next-pane', step: 1 })
    expect(press(NO_KEY, { ...typing, shift: true }, features, 0).action).toEqual({ do: 'next-pane', step: -1 })
    expect(press(NO_KEY, { ...typing, mod: true }, features, 0).action).toBeUndefined()
  })
})

test('servers are named after what tells them apart', () => {
  const command = (line: string): string => {
    const [name, ...args] = line.split(' ')
    return nameOf({ kind: 'command', command: name!, args, env: {} })
  }
  expect(command('npx -y @modelcontextprotocol/server-everything')).toBe('everything')
  expect(command('npx -y @me/thing@1.2.3')).toBe('thing')
  expect(command('uvx mcp-server-git --repository .')).toBe('git')
  expect(command('node dist/index.js')).toBe('index')
  expect(nameOf({ kind: 'command', command: 'node', args: ['-e', 'run(1)'], env: {} })).toBe('node')
  expect(command('C:\\tools\\server.exe')).toBe('server')
  expect(nameOf({ kind: 'url', url: 'https://mcp.example.com/v1', headers: [] })).toBe('mcp.example.com')
  expect(nameOf({ kind: 'custom', url: 'ws://localhost:3000/mcp' })).toBe('localhost:3000')
  expect(nameOf({ kind: 'url', url: 'http://localhost:{{port}}/mcp', headers: [] })).toBe('localhost:{{port}}')
  expect(nameOf({ kind: 'custom', url: 'unix:/run/mcp/files.sock' })).toBe('files.sock')
  expect(nameOf({ kind: 'custom', url: 'npipe:files' })).toBe('files')
  expect(initialsOf('everything')).toBe('ev')
  expect(initialsOf('GitHub Copilot')).toBe('gc')
  expect(initialsOf('127.0.0.1:3001')).toBe('01')
  expect(initialsOf('')).toBe('?')
})
