import { expect, test } from 'vitest'
import { LoopbackTransport, Projection, Session, Trace, type JsonObject, type LoopbackServer } from '../../mcp/index.ts'
import { fetchListing, followListing, REFRESH_WINDOW } from './list-pages.ts'
import { TOOLS, toolsFold } from '../tools/tools-fold.ts'

/** A session that responds when the test says so, and writes the Trace like the real one. */
const fake = () => {
  let now = 0
  const trace = new Trace({ now: () => now })
  const link = 'a'
  const lists = new Projection(trace, toolsFold)
  const open: {
    cursor: string | undefined
    answer: (result: JsonObject) => Promise<void>
    refuse: () => Promise<void>
  }[] = []
  let id = 0
  const write = (direction: 'sent' | 'received', message: JsonObject) =>
    trace.append({ kind: 'message', direction, type: 'request', message, size: 1, link }).seq
  const settle = async (act: () => void) => {
    act()
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  const call = (method: string, params?: JsonObject) => {
    const mine = ++id
    const seq = write('sent', { jsonrpc: '2.0', id: mine, method, ...(params ? { params } : {}) })
    let resolve!: (result: JsonObject) => void
    let reject!: (error: Error) => void
    const result = new Promise<JsonObject>((yes, no) => ([resolve, reject] = [yes, no]))
    open.push({
      cursor: params?.cursor as string | undefined,
      answer: (value) =>
        settle(() => {
          write('received', { jsonrpc: '2.0', id: mine, result: value })
          resolve(value)
        }),
      refuse: () =>
        settle(() => {
          write('received', { jsonrpc: '2.0', id: mine, error: { code: -32603, message: 'no' } })
          reject(new Error('no'))
        }),
    })
    return { seq, result }
  }
  const changed = () => write('received', { jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  const pass = (ms: number) => (now += ms)
  return { asker: { trace, link, call }, lists, open, changed, pass, list: () => lists.current.get(link)! }
}

const page = (...names: string[]) => ({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) })

test('all pages are fetched, with each cursor as the server sent it, the empty one included', async () => {
  const { asker, lists, open, list } = fake()
  void fetchListing(asker, TOOLS, lists)
  await open[0]!.answer({ ...page('a'), nextCursor: '' })
  await open[1]!.answer({ ...page('b'), nextCursor: ' ü/=' })
  await open[2]!.answer(page('c'))
  expect(open.map(({ cursor }) => cursor)).toEqual([undefined, '', ' ü/='])
  expect([list().state, list().items.length]).toEqual(['ready', 3])
})

test('a repeated cursor is not asked for again', async () => {
  const { asker, lists, open, list } = fake()
  void fetchListing(asker, TOOLS, lists)
  await open[0]!.answer({ ...page('a'), nextCursor: 'x' })
  await open[1]!.answer({ ...page('b'), nextCursor: 'x' })
  expect([open.length, list().stopped]).toEqual([2, 'repeated-cursor'])
})

test('a page that fails ends the walk, and the next walk begins at the start', async () => {
  const { asker, lists, open, list } = fake()
  void fetchListing(asker, TOOLS, lists)
  await open[0]!.answer({ ...page('a'), nextCursor: 'x' })
  await open[1]!.refuse()
  expect([open.length, list().state]).toEqual([2, 'error'])
  void fetchListing(asker, TOOLS, lists)
  expect([open.length, open[2]!.cursor]).toEqual([3, undefined])
})

test('many changes at once are one refresh, and changes during it are one more', async () => {
  const { asker, lists, open, changed, list } = fake()
  followListing(asker, TOOLS, lists)
  await open[0]!.answer(page('a'))
  for (let time = 0; time < 4; time++) changed()
  expect(open.length).toBe(2)
  for (let time = 0; time < 4; time++) changed()
  expect(open.length).toBe(2)
  await open[1]!.answer(page('a', 'b'))
  expect(open.length).toBe(3)
  await open[2]!.answer(page('a', 'b', 'c'))
  expect([open.length, list().state, list().items.length]).toEqual([3, 'ready', 3])
})

test('a server that answers each list with another change is refreshed three times in ten seconds, then waits for the user', async () => {
  const { asker, lists, open, changed, pass, list } = fake()
  followListing(asker, TOOLS, lists)
  let answered = 0
  const serve = async () => {
    while (open[answered]) {
      changed()
      await open[answered++]!.answer(page('a'))
    }
  }
  await serve()
  expect([open.length, list().state]).toEqual([1 + 3, 'stale'])
  changed()
  expect(open.length).toBe(4)
  pass(REFRESH_WINDOW + 1)
  changed()
  expect(open.length).toBe(5)
})

test('a walk that was overtaken by another asks for no more pages', async () => {
  const { asker, lists, open } = fake()
  void fetchListing(asker, TOOLS, lists)
  void fetchListing(asker, TOOLS, lists)
  await open[0]!.answer({ ...page('a'), nextCursor: 'x' })
  expect(open.length).toBe(2)
  await open[1]!.answer(page('b'))
  expect(open.length).toBe(2)
})

test('a server that does not offer tools is not asked until the user asks, and changes are still followed', async () => {
  const { asker, lists, open, changed } = fake()
  followListing(asker, TOOLS, lists, { lazy: true })
  expect(open.length).toBe(0)
  changed()
  expect(open.length).toBe(1)
})

test.each(['closed', 'renewing'] as const)('a session that is %s asks for nothing any more', async (phase) => {
  const { asker, lists, open, changed } = fake()
  followListing(asker, TOOLS, lists)
  await open[0]!.answer(page('a'))
  asker.trace.append({ kind: 'session', phase, why: 'gone', link: 'a' })
  changed()
  expect(open.length).toBe(1)
})

test('over a real session: a server that is closed in the middle of its pages leaves an error, not an endless wait', async () => {
  const server: LoopbackServer = {
    connect: (reply) => ({
      receive(text) {
        const { id, method } = JSON.parse(text) as { id: number; method: string }
        const answer = (result: unknown) => reply(JSON.stringify({ jsonrpc: '2.0', id, result }))
        if (method === 'initialize') {
          answer({
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          })
          reply('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}')
        }
      },
      close() {},
    }),
  }
  const trace = new Trace()
  const transport = new LoopbackTransport(server)
  const session = new Session({ trace, link: 'a', transport, clientInfo: { name: 't', version: '1' } })
  const lists = new Projection(trace, toolsFold)
  await session.open()
  const fetched = fetchListing(session, TOOLS, lists)
  expect(lists.current.get('a')!.state).toBe('loading')
  await session.close()
  await fetched
  expect(lists.current.get('a')).toMatchObject({ state: 'error', error: { kind: 'gave-up' } })
})
