/** What a caching client would do with a server's responses: displayed, never applied. */
import { describe, expect, inject, test } from 'vitest'
import { until } from '../../tests/patience.ts'
import { cacheEntry, caches, foldAll, freshnessOf, Session, StreamableHttpTransport, Trace } from './index.ts'

const connected = async (url: string) => {
  const trace = new Trace()
  const transport = new StreamableHttpTransport({ url })
  const clientInfo = { name: 'test', version: '0' }
  const session = new Session({ trace, link: 's1', transport, clientInfo, capabilities: () => ({ elicitation: {} }) })
  await session.open()
  const entry = (method: string, params = {}) => cacheEntry(foldAll(caches, trace), 's1', method, params)
  return { trace, session, entry }
}
const kind = (name: string) => connected(`${inject('erasUrl')}/${name}/${crypto.randomUUID()}`)

test.each([
  [
    { ttlMs: 60_000, cacheScope: 'public' },
    { ttlMs: 60_000, scope: 'public', why: 'told' },
  ],
  [{ cacheScope: 'private' }, { ttlMs: 0, scope: 'private', why: 'absent' }],
  [{ ttlMs: -1 }, { ttlMs: 0, scope: undefined, why: 'negative' }],
  [
    { ttlMs: '60000', cacheScope: 'shared' },
    { ttlMs: 0, scope: undefined, why: 'not-a-number' },
  ],
  [{ ttlMs: 1e18 }, { ttlMs: 1e18, scope: undefined, why: 'told' }],
])('CACHE-02: %j is fresh for as long as %j', (result, freshness) => {
  expect(freshnessOf(result)).toEqual(freshness)
})

describe('what a server says of its answers', () => {
  test('CACHE-03, CACHE-05: each answer has its clock, by method and by what decides it', async () => {
    const { session, entry } = await kind('ttl-long')
    await session.request('tools/list')
    const first = entry('tools/list')!
    expect(first.freshUntil - first.receivedAt).toBe(60_000)
    await session.request('tools/list', { cursor: 'another' }).catch(() => {})
    expect(entry('tools/list')).toEqual(first)
    await session.request('tools/list')
    expect(entry('tools/list')!.response).toBeGreaterThan(first.response)
    expect(entry('prompts/list')).toBeUndefined()
    await session.close()
  })

  test('CACHE-04: nothing is asked again because it grew old', async () => {
    const { session, trace } = await kind('ttl-negative')
    await session.request('tools/list')
    const before = trace.length
    await new Promise((resolve) => setTimeout(resolve, 300))
    const sent = [...trace].slice(before).filter((frame) => frame.kind === 'message' && frame.direction === 'sent')
    expect(sent).toEqual([])
    await session.close()
  })

  test('CACHE-07: a change that is told makes an answer stale at once', async () => {
    const { session, entry } = await connected(`${inject('modernUrl')}/${crypto.randomUUID()}`)
    await session.request('tools/list')
    expect(entry('tools/list')!.invalidatedBy).toBeUndefined()
    await until(() => session.subscriptions[0]?.state === 'granted')
    await session.request('tools/call', { name: 'add-tool', arguments: {} })
    await until(() => entry('tools/list')!.invalidatedBy !== undefined)
    expect(entry('tools/list')).toMatchObject({ invalidatedBy: expect.any(Number) as number })
    await session.close()
  })

  test('MRTR-12: what came of answered questions is kept by nobody', async () => {
    const trace = new Trace()
    const url = `${inject('erasUrl')}/rounds-one-form/${crypto.randomUUID()}`
    const session = new Session({
      trace,
      link: 's1',
      transport: new StreamableHttpTransport({ url }),
      clientInfo: { name: 'test', version: '0' },
      capabilities: () => ({ elicitation: {} }),
      answers: { 'elicitation/create': () => ({ action: 'accept', content: { name: 'x' } }) },
      pinned: '2026-07-28',
    })
    await session.open()
    await session.request('resources/read', { uri: 'mem://x' })
    expect(cacheEntry(foldAll(caches, trace), 's1', 'resources/read', { uri: 'mem://x' })).toBeUndefined()
    await session.close()
  })

  test('CACHE-06: what is private does not outlive its connection', () => {
    const trace = new Trace()
    const peer = { era: 'stateless', revision: '2026-07-28', info: {}, capabilities: {}, evidence: [] } as const
    const open = () => trace.append({ kind: 'session', phase: 'open', link: 's1', peer, transport: 'x' })
    const ask = (id: number, uri: string, cacheScope: string) => {
      const request = { jsonrpc: '2.0', id, method: 'resources/read', params: { uri } }
      const result = { contents: [], ttlMs: 60_000, cacheScope }
      const head = { kind: 'message', link: 's1', size: 1 } as const
      trace.append({ ...head, direction: 'sent', type: 'request', message: request })
      trace.append({ ...head, direction: 'received', type: 'result', message: { jsonrpc: '2.0', id, result } })
    }
    open()
    ask(1, 'mem://mine', 'private')
    ask(2, 'mem://ours', 'public')
    open()
    const after = foldAll(caches, trace)
    expect(cacheEntry(after, 's1', 'resources/read', { uri: 'mem://mine' })).toBeUndefined()
    expect(cacheEntry(after, 's1', 'resources/read', { uri: 'mem://ours' })).toBeDefined()
  })

  test('in the handshake era there are no such hints, and none are made up', async () => {
    const { session, entry } = await connected(inject('everythingUrl'))
    await session.request('tools/list')
    expect(entry('tools/list')).toBeUndefined()
    await session.close()
  })
})
