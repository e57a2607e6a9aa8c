import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { foldAll, isObject, livenessFold, Session, StreamableHttpTransport, Trace, type Json } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Stream = ReadableStreamDefaultController<Uint8Array>

/** An in-memory server over Streamable HTTP that can be killed. `stream`: it has a GET stream. */
const killable = async ({
  stream = false,
  ping = 'answered',
}: { stream?: boolean; ping?: 'answered' | 'refused' | 'silent' | 'ignored' } = {}) => {
  let alive = true
  const streams = new Set<Stream>()
  const sent: unknown[] = []
  const fetchFrom = async (_: unknown, init: RequestInit = {}): Promise<Response> => {
    const { id, method = 'GET' } = (typeof init.body === 'string' ? JSON.parse(init.body) : {}) as Record<string, Json>
    sent.push(init.method === 'DELETE' ? 'DELETE' : method)
    // The browser's error for a refused connection.
    if (!alive) throw new TypeError('Failed to fetch')
    if (init.method === 'GET') {
      if (!stream) return new Response(null, { status: 405 })
      const body = new ReadableStream<Uint8Array>({ start: (one) => void streams.add(one) })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    const result = (value: Json) => Response.json({ jsonrpc: '2.0', id, result: value })
    if (method === 'initialize')
      return result({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } })
    if (method === 'server/discover') return new Response(null, { status: 400 })
    const hangs =
      method === 'slow' ||
      (ping === 'silent' && (method === 'ping' || method === 'notifications/cancelled')) ||
      (ping === 'ignored' && method === 'ping')
    if (hangs)
      return await new Promise((_, reject) =>
        init.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      )
    if (method === 'ping' && ping === 'refused')
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
    return id === undefined ? new Response(null, { status: 202 }) : result({})
  }
  const trace = new Trace()
  const transport = new StreamableHttpTransport({ url: 'http://test.invalid/mcp', fetch: fetchFrom })
  const clientInfo = { name: 'test', version: '0' }
  const session = new Session({ trace, link: 's1', transport, clientInfo, remembered: 'handshake' })
  await session.open()
  return {
    session,
    trace,
    kill: () => {
      alive = false
      for (const one of streams) one.error(new TypeError('network error'))
      streams.clear()
    },
    restart: () => void (alive = true),
    trouble: () => foldAll(livenessFold, trace).get('s1')?.trouble,
    closed: () => [...trace].flatMap((frame) => (frame.kind === 'session' && frame.phase === 'closed' ? [frame] : [])),
    pings: () => sent.filter((method) => method === 'ping').length,
  }
}

const SECOND = 1000

/** Bodies are read in the runtime's own tasks, which don't use virtual time. */
const task = async (): Promise<void> => {
  const { port1, port2 } = new MessageChannel()
  await new Promise((resolve) => {
    port1.onmessage = resolve
    port2.postMessage(0)
  })
  port1.close()
}

/** Advances virtual time and runs everything due in it. */
const pass = async (ms: number): Promise<void> => {
  for (let left = ms; left > 0; left -= SECOND) {
    await vi.advanceTimersByTimeAsync(Math.min(left, SECOND))
    for (let times = 0; times < 4; times++) await task()
  }
}

describe('a killed server', () => {
  test('with a stream is in trouble within two seconds and lost after eight failed resumptions, without one ping', async () => {
    const { session, kill, trouble, closed, pings } = await killable({ stream: true })
    session.pingWhenIdle = 30 * SECOND
    kill()
    await pass(2 * SECOND)
    expect(trouble()).toMatchObject({ why: 'Failed to fetch' })
    expect(session.state).toBe('open')
    await pass(130 * SECOND)
    expect(closed()).toMatchObject([{ code: 'unreachable', details: { attempts: 8 } }])
    expect(session.state).toBe('closed')
    expect(pings()).toBe(0)
  })

  test('without a stream is found out by the ping of an idle connection, and lost after eight', async () => {
    const { session, kill, trouble, closed, pings } = await killable()
    session.pingWhenIdle = 30 * SECOND
    kill()
    await pass(31 * SECOND)
    expect(trouble()).toBeDefined()
    await pass(130 * SECOND)
    expect(closed()).toMatchObject([{ code: 'unreachable' }])
    expect(pings()).toBe(8)
  })

  test('is found out by a call that is refused, pings or not', async () => {
    const { session, kill, trouble, closed } = await killable()
    kill()
    await expect(session.request('tools/list', {})).rejects.toMatchObject({ code: 'unreachable' })
    expect(trouble()).toBeDefined()
    await pass(200 * SECOND)
    expect(closed()).toHaveLength(1)
  })

  test('that comes back in time is connected again, and its session goes on', async () => {
    const { session, kill, restart, trouble, closed, pings } = await killable()
    kill()
    await expect(session.request('tools/list', {})).rejects.toMatchObject({ code: 'unreachable' })
    await pass(5 * SECOND)
    restart()
    await pass(10 * SECOND)
    expect(trouble()).toBeUndefined()
    const before = pings()
    await pass(600 * SECOND)
    expect(closed()).toEqual([])
    expect(pings()).toBe(before)
    await expect(session.request('tools/list', {})).resolves.toEqual({})
  })
})

describe('pings of an idle connection', () => {
  test('UT-PING-02: become rarer while nothing else happens: at most 18 in half an hour', async () => {
    const { session, pings } = await killable()
    session.pingWhenIdle = 30 * SECOND
    await pass(29 * SECOND)
    expect(pings()).toBe(0)
    await pass(2 * SECOND)
    expect(pings()).toBe(1)
    await pass(1800 * SECOND)
    expect(pings()).toBeGreaterThan(10)
    expect(pings()).toBeLessThanOrEqual(18)
  })

  test('are not sent while messages go to and fro, nor while a call waits for its response', async () => {
    const { session, pings } = await killable()
    session.pingWhenIdle = 30 * SECOND
    for (let time = 0; time < 20; time++) {
      await pass(20 * SECOND)
      await session.request('tools/list', {})
    }
    expect(pings()).toBe(0)
    const call = session.call('slow', {}, { idle: 500 * SECOND, total: 500 * SECOND })
    call.result.catch(() => {})
    await pass(400 * SECOND)
    expect(pings()).toBe(0)
    call.cancel()
  })

  test('end at once when turned off, and begin with one when the pause was long', async () => {
    const { session, pings } = await killable()
    session.pingWhenIdle = 30 * SECOND
    session.pingWhenIdle = 0
    await pass(600 * SECOND)
    expect(pings()).toBe(0)
    session.pingWhenIdle = 30 * SECOND
    await pass(1)
    expect(pings()).toBe(1)
  })

  test('end for good at a server that answers ping with an error: it is alive', async () => {
    const { session, pings, trouble, closed } = await killable({ ping: 'refused' })
    session.pingWhenIdle = 30 * SECOND
    await pass(1800 * SECOND)
    expect(pings()).toBe(1)
    expect(trouble()).toBeUndefined()
    expect(closed()).toEqual([])
  })

  test('without a response are trouble, and never the end: a server that is busy is not gone', async () => {
    const { session, trouble, closed } = await killable({ ping: 'silent' })
    session.pingWhenIdle = 30 * SECOND
    await pass(45 * SECOND)
    expect(trouble()?.why).toContain('10 s')
    await pass(1800 * SECOND)
    expect(closed()).toEqual([])
    await session.request('tools/list', {})
    expect(trouble()).toBeUndefined()
  })

  test('end after three without a response at a server that responds to all else', async () => {
    const { session, pings, trouble, closed } = await killable({ ping: 'ignored' })
    session.pingWhenIdle = 30 * SECOND
    await pass(1800 * SECOND)
    expect(pings()).toBe(3)
    expect(trouble()).toBeUndefined()
    expect(closed()).toEqual([])
  })

  test('are not sent in a protocol version without ping', async () => {
    const trace = new Trace()
    const methods: unknown[] = []
    const fetchFrom = async (_: unknown, init: RequestInit = {}): Promise<Response> => {
      const { id, method } = JSON.parse(init.body as string) as Record<string, Json>
      methods.push(method)
      const result = {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: {},
        serverInfo: { name: 'x', version: '1' },
        ttlMs: 0,
        cacheScope: 'private',
      }
      return Response.json({ jsonrpc: '2.0', id, result })
    }
    const transport = new StreamableHttpTransport({ url: 'http://test.invalid/mcp', fetch: fetchFrom })
    const session = new Session({ trace, link: 's1', transport, clientInfo: { name: 'test', version: '0' } })
    const { era } = await session.open()
    expect(era).toBe('stateless')
    const before = methods.length
    session.pingWhenIdle = 30 * SECOND
    await pass(1800 * SECOND)
    expect(methods.slice(before)).toEqual([])
    expect(
      [...trace].some(
        (frame) => frame.kind === 'message' && isObject(frame.message) && frame.message.method === 'ping',
      ),
    ).toBe(false)
  })
})
