import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { Frames } from '../../../tests/sessions/frames.ts'
import { foldAll, Session, StreamableHttpTransport, Trace, type FrameDraft } from '../../mcp/index.ts'
import { capabilityRows } from './capabilities.ts'
import { factsFold } from './facts-fold.ts'
import { isMasked, safeLink, shownSessionId } from './identity.ts'
import { NO_PROCESS, stepProcess } from './process.ts'

test("capabilities are told apart: known, of another revision, a client's, unknown, malformed; none is dropped", () => {
  const rows = capabilityRows(
    {
      tools: { listChanged: true, odd: 1 },
      tasks: { list: {} },
      sampling: {},
      zap: { a: 1 },
      logging: true,
      experimental: { x: {} },
    },
    '2025-06-18',
  )
  expect(rows.map(({ name, status }) => [name, status])).toEqual([
    ['tools', 'known'],
    ['tasks', 'other-revision'],
    ['sampling', 'other-side'],
    ['zap', 'unknown'],
    ['logging', 'malformed'],
    ['experimental', 'known'],
  ])
  expect(rows[0]!.flags).toEqual([
    { name: 'listChanged', on: true, known: true },
    { name: 'odd', on: false, known: false, text: '1' },
  ])
  expect(rows[5]!.flags[0]!.known).toBe(true)
})

test('whatever a server declares gives one row per key, and never throws', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const capabilities = JSON.parse(JSON.stringify(value)) as Record<string, never>
      expect(capabilityRows(capabilities, '2025-11-25').map(({ name }) => name)).toEqual(Object.keys(capabilities))
    }),
  )
  expect(
    capabilityRows({ constructor: {}, toString: {} }, '2025-11-25').every(({ status }) => status === 'unknown'),
  ).toBe(true)
})

test('the handshake is followed to its frames, and a stray answer is not taken for it', () => {
  const trace = new Trace()
  const add = (draft: Omit<FrameDraft, 'link'>) => trace.append({ ...draft, link: 's1' } as FrameDraft)
  const message = (direction: 'sent' | 'received', value: object) =>
    add({ kind: 'message', direction, type: 'request', message: value, size: 1 } as unknown as FrameDraft)
  message('sent', { jsonrpc: '2.0', id: 1, method: 'initialize' })
  message('received', { jsonrpc: '2.0', id: 7, result: {} })
  message('received', { jsonrpc: '2.0', id: 1, method: 'ping' })
  message('received', { jsonrpc: '2.0', id: 1, result: {} })
  message('received', { jsonrpc: '2.0', id: 1, result: {} })
  expect(foldAll(factsFold, trace).get('s1')!.initialize).toMatchObject({ request: 0, answer: { seq: 3 } })
})

test('only addresses that can do no harm become links', () => {
  expect(safeLink('https://e.com/x')).toBe('https://e.com/x')
  expect(safeLink('mailto:a@e.com')).toBe('mailto:a@e.com')
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'https://good.com@evil.com/',
    '/relative',
    '',
    7,
    null,
    ' javascript:x',
    'file:///x',
  ]) {
    expect(safeLink(text)).toBeUndefined()
  }
})

test('a session id is shown by its first characters until it is revealed', () => {
  const id = '0123456789abcdef'
  expect(shownSessionId(id, false)).toBe('01234567…')
  expect(shownSessionId(id, true)).toBe(id)
  expect([isMasked(id), isMasked('short'), shownSessionId('short', false)]).toEqual([true, false, 'short'])
})

test('what is not seen in it is marked, masked or not', () => {
  expect(shownSessionId('a\u202eb', false)).toBe('a⟨U+202E⟩b')
  expect(shownSessionId('a\u202ebcdefghij', false)).toBe('a⟨U+202E⟩bcdefg…')
  expect(shownSessionId('a\u202ebcdefghij', true)).toBe('a⟨U+202E⟩bcdefghij')
})

test('the session has the id to be copied, and the trace does not (SEC-13)', async () => {
  const trace = new Trace()
  const transport = new StreamableHttpTransport({ url: inject('everythingUrl') })
  const session = new Session({ trace, link: 's1', transport, clientInfo: { name: 'test', version: '1' } })
  expect(session.sessionId).toBeUndefined()
  await session.open()
  const id = session.sessionId
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(JSON.stringify([...trace])).not.toContain(id)
  await session.close()
})

test('processes that ended before are listed with how they ended, the last twenty', () => {
  const frames = new Frames()
  for (let at = 0; at < 22; at++) {
    frames.add({ kind: 'process', event: 'spawn', command: 'node', args: [], env: [], pid: 100 + at })
    if (at !== 20) frames.add({ kind: 'process', event: 'exit', code: at, signal: null })
  }
  const { past, spawn, exit } = frames.all.reduce(stepProcess, NO_PROCESS)
  expect([spawn?.pid, exit?.code]).toEqual([121, 21])
  expect(past).toHaveLength(20)
  expect(past?.at(-1)).toEqual({ spawn: expect.objectContaining({ pid: 120 }) as unknown })
  expect(past?.at(-2)?.exit?.code).toBe(19)
})

test('a message after stdin was closed is late only if it is the first', () => {
  const lateIn = (...events: readonly ('message' | 'ending')[]) => {
    const frames = new Frames()
    frames.add({ kind: 'process', event: 'spawn', command: 'node', args: [], env: [] })
    for (const event of events) {
      if (event === 'ending') frames.add({ kind: 'process', event, step: 'stdin-closed' })
      else frames.add({ kind: 'message', direction: 'received', type: 'result', message: { id: 0 }, size: 1 })
    }
    return frames.all.reduce(stepProcess, NO_PROCESS).late
  }
  expect(lateIn('ending', 'message', 'message')).toEqual({ seq: 2, text: '{"id":0}' })
  expect(lateIn('message', 'ending', 'message')).toBeUndefined()
  expect(lateIn('message')).toBeUndefined()
})
