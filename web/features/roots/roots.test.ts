import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { until } from '../../../tests/patience.ts'
import {
  foldAll,
  Session,
  StreamableHttpTransport,
  Trace,
  type Frame,
  type Json,
  type JsonObject,
} from '../../mcp/index.ts'
import type { Kept, ServerView } from '../feature.ts'
import type { ServerRequest } from '../server-request.ts'
import { MOST_ROOTS, notifyListChanged, resultOf, RootEdits, RootList, rootListOf, settingsFrom } from './root-list.ts'
import { lookAtRoot, lookAtRoots, nameOf, rootFrom } from './root-uri.ts'
import { roots } from './index.ts'
import { listChangedFold, suggestionsFor } from './folds.ts'

const faults = (uri: string) => lookAtRoot(uri).map(({ code }) => code)
const uriOf = (path: string, directory?: string) => {
  const made = rootFrom(path, directory)
  return 'uri' in made ? made.uri : made.problem
}
const keeping = (items: Record<string, unknown> = {}): Kept => ({
  get: (name) => items[name],
  set: (name, value) => void (items[name] = value),
})

test.each<[string, string[]]>([
  ['file:///home/user/projects/my%20project', []],
  ['file:///home/user/', []],
  ['file://localhost/home/user', []],
  ['file:///C:/Users/x', []],
  ['file:///c%3A/Users/x', []],
  ['file:///%E4%BD%A0%E5%A5%BD', []],
  ['', ['empty']],
  ['/home/user', ['path']],
  ['C:\\Users', ['path']],
  ['~/x', ['path']],
  ['projects', ['no-uri']],
  ['https://example.com/x', ['scheme']],
  ['vscode-remote://ssh/x', ['scheme']],
  ['file:/home/user', ['slashes']],
  ['file:home/user', ['slashes']],
  ['file://home/user', ['host']],
  ['file://server/share/x', ['host']],
  ['file://C:/Users', ['drive']],
  ['file:///C|/Users', ['drive']],
  ['file:///C:\\Users', ['backslash']],
  ['file:///my project', ['characters']],
  ['file:///你好', ['characters']],
  ['file:///100%', ['percent']],
  ['file:///%ff', ['percent']],
  ['file:///a%2Fb', ['hidden-separator']],
  ['file:///a%00', ['hidden-separator']],
  ['file:///a/../b', ['traversal']],
  ['file:///a/%2e%2E/b', ['traversal']],
  ['file:///a%2f..%2fb', ['hidden-separator', 'traversal']],
  ['file:///a/./b', ['dot']],
  ['file:///a?x=1', ['query']],
  ['file:///a#x', ['query']],
  ['file:///', ['whole-disk']],
  ['file:///C:/', ['whole-disk']],
])('the root %s is judged (CF-ROOT-02, CF-ROOT-05)', (uri, expected) => {
  expect(faults(uri)).toEqual(expected)
})

test('whatever is written, the judgement never throws; what is no file:// URI never passes (CF-ROOT-02)', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `file:///${text}`),
        fc.webUrl(),
      ),
      (uri) => {
        const found = lookAtRoot(uri)
        if (!/^file:\/\//i.test(uri)) expect(found).not.toEqual([])
        // What passes is a URI with the same path after resolution: there is nothing to resolve.
        else if (found.length === 0) {
          expect(decodeURIComponent(new URL(uri).pathname)).not.toMatch(/(^|\/)\.{1,2}(\/|$)/)
          expect(new URL(uri).pathname.length).toBeGreaterThan(1)
        }
      },
    ),
  )
})

test('every absolute path becomes a URI that nothing is wrong with, and that means that path', () => {
  const segment = fc
    .string({ minLength: 1, unit: 'grapheme' })
    .filter((text) => !/[/\0]/.test(text) && text !== '.' && text !== '..')
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
      const path = `/${segments.join('/')}`
      fc.pre(path === path.trim())
      const made = rootFrom(path) as { uri: string; name: string }
      // A name may contain a backslash where paths use slashes.
      expect(lookAtRoot(made.uri).filter(({ code }) => code !== 'hidden-separator' || !path.includes('\\'))).toEqual([])
      expect(decodeURIComponent(made.uri.slice('file://'.length))).toBe(path)
      expect(made.name).toBe(segments.at(-1)!.slice(0, 100))
    }),
  )
})

test.each<[string, string]>([
  ['C:\\Users\\Ann Lee\\x', 'file:///C:/Users/Ann%20Lee/x'],
  ['c:/a/b/', 'file:///c:/a/b'],
  ['C:\\', 'file:///C:/'],
  ['"C:\\a b"', 'file:///C:/a%20b'],
  ["'/a b'\n", 'file:///a%20b'],
  ['\\\\server\\share\\x', 'file://server/share/x'],
  ['\\\\?\\C:\\a', 'file:///C:/a'],
  ['\\\\?\\UNC\\server\\share', 'file://server/share'],
  ['/a/../b/./c//d', 'file:///b/c/d'],
  ['/../../etc', 'file:///etc'],
  ['/a#b?c%', 'file:///a%23b%3Fc%25'],
  ["/a'(b)+c@d:e", "file:///a'(b)+c@d:e"],
  ['file:///as it is', 'file:///as it is'],
  ['/\ud800', 'file:///%EF%BF%BD'],
  ['~/x', 'home'],
  ['x/y', 'relative'],
  ['https://a.example', 'not-file'],
  ['  ', 'empty'],
  ['/a\0b', 'nul'],
])('the path %j becomes %s', (path, uri) => {
  expect(uriOf(path)).toBe(uri)
})

test('a relative path is taken from the directory the server runs in', () => {
  expect(uriOf('./x', '/home/a')).toBe('file:///home/a/x')
  expect(uriOf('..', '/home/a')).toBe('file:///home')
  expect(uriOf('.\\x', 'C:\\a')).toBe('file:///C:/a/x')
})

test('the same root twice is told, however it is written', () => {
  const codes = lookAtRoots(['file:///a', 'file:///a/', 'file:///b']).map((found) => found.map(({ code }) => code))
  expect(codes).toEqual([[], ['twice'], []])
  expect(nameOf('file:///')).toBe('')
})

test('suggested are where a stdio server runs and the directories it was given, and not its own program or a package', () => {
  const args = [
    '-y',
    '@scope/server',
    '/srv/data',
    '--root=/srv/more',
    './here',
    '/usr/lib/server.js',
    'owner/name',
    'https://a.example/x',
    '/srv/data',
    '.',
    '//x',
  ]
  expect(suggestionsFor({ args, cwd: '/home/a' }, ['file:///srv/more']).map(({ uri, why }) => [uri, why])).toEqual([
    ['file:///home/a', 'directory'],
    ['file:///srv/data', 'argument'],
    ['file:///home/a/here', 'argument'],
  ])
  expect(suggestionsFor({ args: ['./x'] }, [])).toEqual([])
})

test('what was kept is read without trust, and what is too much is refused and changes nothing', () => {
  const anyRoots = fc.array(fc.oneof(fc.jsonValue(), fc.record({ uri: fc.jsonValue(), name: fc.jsonValue() })))
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.record({ roots: anyRoots })), (value) => {
      const { roots, answer, tell } = settingsFrom(JSON.parse(JSON.stringify(value)))
      for (const root of roots)
        expect(root).toEqual({ uri: expect.any(String) as string, name: expect.any(String) as string })
      expect([answer, tell]).toEqual([
        expect.stringMatching(/^(list|ask)$/),
        expect.stringMatching(/^(itself|by-hand)$/),
      ])
    }),
  )
  expect(settingsFrom({ roots: [{ uri: 'file:///a' }, 7, { uri: 1 }], answer: 'ask', tell: 9 })).toEqual({
    roots: [{ uri: 'file:///a', name: '' }],
    answer: 'ask',
    tell: 'itself',
  })
  const [kept, list] = [keeping(), new RootList()]
  expect(list.change({ roots: [{ uri: 'file:///a', name: 'A' }] }, kept)).toBe(true)
  expect(list.change({ roots: Array.from({ length: MOST_ROOTS + 1 }, () => ({ uri: 'x', name: '' })) }, kept)).toBe(
    false,
  )
  expect(new RootList().load(kept).roots).toEqual([{ uri: 'file:///a', name: 'A' }])
})

test('a name that is empty is left out; what is wrong goes as it is written (CF-ROOT-02)', () => {
  expect(
    resultOf([
      { uri: 'file:///a', name: '' },
      { uri: 'nonsense', name: 'N' },
    ]),
  ).toEqual({
    roots: [{ uri: 'file:///a' }, { uri: 'nonsense', name: 'N' }],
  })
})

test('listChanged is declared up to 2025-11-25, and roots alone after (CF-ROOT-01, CF-ROOT-07)', () => {
  expect(roots.declares!('2024-11-05')).toEqual({ roots: { listChanged: true } })
  expect(roots.declares!('2025-11-25')).toEqual({ roots: { listChanged: true } })
  expect(roots.declares!('2026-07-28')).toEqual({ roots: {} })
})

const view = (trace: Trace, link: string, kept: Kept) => ({ trace, link, kept }) as unknown as ServerView
const auto = (server: ServerView) =>
  roots.answers!['roots/list']!.auto!({} as ServerRequest, server, new AbortController().signal) as
    | JsonObject
    | undefined

test('a server gets the list of its own, an empty one where nothing was written, and none where its user wants to be asked (SEC-16)', () => {
  const [trace, one, other] = [new Trace(), keeping(), keeping()]
  rootListOf({ trace, link: 'a' }).change({ roots: [{ uri: 'file:///a', name: '' }] }, one)
  expect(auto(view(trace, 'a', one))).toEqual({ roots: [{ uri: 'file:///a' }] })
  expect(auto(view(trace, 'b', other))).toEqual({ roots: [] })
  // The connection was switched to another server, which must not receive the first one's roots.
  expect(auto(view(trace, 'a', other))).toEqual({ roots: [] })
  rootListOf({ trace, link: 'b' }).change({ answer: 'ask' }, other)
  expect(auto(view(trace, 'b', other))).toBeUndefined()
})

const isGet = (frame: Frame | undefined): boolean =>
  frame?.kind === 'http' && frame.phase === 'request' && frame.method === 'GET'

test('the reference server is told the roots when it asks, and the new ones after list_changed (CF-ROOT-01, CF-ROOT-03)', async () => {
  const trace = new Trace()
  const server = view(trace, 'a', keeping())
  const list = rootListOf(server)
  list.change({ roots: [{ uri: 'file:///first', name: 'First' }] }, server.kept)
  const session = new Session({
    trace,
    link: 'a',
    transport: new StreamableHttpTransport({ url: inject('everythingUrl') }),
    clientInfo: { name: 'test', version: '0' },
    pinned: '2025-11-25',
    capabilities: (revision) => roots.declares!(revision),
    answers: { 'roots/list': (params) => auto(server) ?? params },
  })
  await session.open()
  // It asks on the GET stream, and nobody hears what it asks before that is open.
  await until(() =>
    [...trace].some((frame) => frame.kind === 'stream' && frame.event === 'open' && isGet(trace.at(frame.request))),
  )
  const told = async () =>
    JSON.stringify(await session.request('tools/call', { name: 'get-roots-list', arguments: {} }))
  await expect.poll(told).toContain('file:///first')
  list.change({ roots: [{ uri: 'file:///second', name: '' }] }, server.kept)
  await notifyListChanged(session)
  await expect.poll(told).toContain('file:///second')
  expect(await told()).not.toContain('file:///first')
  await session.close()
})

test('each word that the list changed is remembered with its frame, for each connection apart (CF-ROOT-03)', () => {
  const trace = new Trace()
  const add = (direction: 'sent' | 'received', link: string, message: Json) =>
    trace.append({ kind: 'message', direction, type: 'notification', message, size: 1, link })
  const changed = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' }
  add('sent', 'a', changed)
  add('received', 'a', changed)
  add('sent', 'a', { jsonrpc: '2.0', method: 'notifications/initialized' })
  add('sent', 'b', [changed])
  add('sent', 'a', changed)
  const notified = foldAll(listChangedFold, trace)
  expect([...notified].map(([link, frames]) => [link, frames.map(({ seq }) => seq)])).toEqual([
    ['a', [0, 4]],
    ['b', [3]],
  ])
})

test('an edit notifies the server once, if the list changed and the user did not choose otherwise (CF-ROOT-03)', () => {
  const [list, kept] = [new RootList(), keeping()]
  const edits = new RootEdits(list)
  const server = { session: {}, peer: { revision: '2025-11-25' } } as unknown as ServerView
  const enter = (uri: string) => edits.edit([{ uri, name: '' }], kept)
  expect(edits.commit(server)).toBe(false)
  enter('file:///a')
  expect([edits.commit(server), edits.commit(server)]).toEqual([true, false])
  enter('file:///ab')
  enter('file:///a')
  expect(edits.commit(server)).toBe(false)
  enter('file:///b')
  expect(edits.commit({ session: undefined, peer: server.peer })).toBe(false)
  enter('file:///c')
  expect(edits.commit({ session: server.session, peer: { revision: '2026-07-28' } as ServerView['peer'] })).toBe(false)
  list.change({ tell: 'by-hand' }, kept)
  enter('file:///d')
  expect(edits.commit(server)).toBe(false)
})
