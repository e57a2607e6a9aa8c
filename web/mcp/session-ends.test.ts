/** Edge cases of a session's life: stopped while opening, renewed while calls are pending, closed. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Session, StreamableHttpTransport, Trace, TransportError, type JsonObject, type Transport } from './index.ts'

type Sent = JsonObject & { id?: number; method: string }
type Sink = Parameters<Transport['open']>[0]

/** A transport that passes what is sent to the test and waits for the test's response. */
const stage = (send: (message: Sent, answer: (result: JsonObject) => void) => void | Promise<void>) => {
  const trace = new Trace()
  const sent: Sent[] = []
  let sink!: Sink
  const transport: Transport = {
    name: 'staged',
    open: async (given) => void (sink = given),
    send: async (outbound) => {
      const message = outbound.message as Sent
      sent.push(message)
      sink.tap.sent(outbound)
      // As over HTTP: each request starts a step of the connection.
      if (message.id !== undefined) sink.step('waiting-for-headers', 30_000)
      const answer = (result: JsonObject) => {
        const received = sink.tap.received(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
        if (!(received instanceof Promise)) sink.message(received)
      }
      await send(message, answer)
    },
    close: async () => {},
  }
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '0' },
    remembered: 'handshake',
  })
  const phases = () => [...trace].flatMap((frame) => (frame.kind === 'session' ? [frame.phase] : []))
  return { trace, session, transport, sent, phases }
}

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'staged', version: '1' } }

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

afterEach(() => void vi.useRealTimers())

describe('a session that is stopped while it opens', () => {
  test('opens nothing afterwards, even if the handshake succeeds', async () => {
    let delivered!: () => void
    const { session, phases } = stage(async ({ method }, answer) => {
      if (method === 'initialize') return answer(HELLO)
      await new Promise<void>((resolve) => (delivered = resolve))
    })
    const opening = session.open().catch((error: unknown) => error)
    await settle()
    await session.close()
    delivered()
    expect(await opening).toMatchObject({ code: 'cancelled' })
    await settle()
    expect(session.state).toBe('closed')
    expect(phases().at(-1)).toBe('closed')
    expect(phases()).not.toContain('open')
  })

  test('is closed only when nothing is left of its process, so that another may start', async () => {
    const { session, transport } = stage(() => {})
    let gone!: () => void
    vi.spyOn(transport, 'close').mockReturnValue(new Promise((resolve) => (gone = resolve)))
    const opening = session.open().catch(() => {})
    await settle()
    const closed = vi.fn()
    const closing = session.close().then(closed)
    await settle()
    expect(closed).not.toHaveBeenCalled()
    gone()
    await Promise.all([opening, closing])
    expect(closed).toHaveBeenCalledOnce()
  })

  test('is open as soon as the trace says so: who reads that frame may call at once, or close', async () => {
    const { session, trace, sent } = stage(({ method }, answer) => {
      if (method === 'initialize') answer(HELLO)
    })
    trace.subscribe((frame) => {
      if (frame.kind !== 'session' || frame.phase !== 'open') return
      session.call('tools/list')
      void session.close()
    })
    await session.open()
    expect(sent.map(({ method }) => method)).toContain('tools/list')
    expect(session.state).toBe('closed')
  })
})

describe('a session that is renewed', () => {
  /** The first call finds the session expired; the new handshake waits for the test. */
  const renewing = async () => {
    let goOn!: () => void
    let handshakes = 0
    const staged = stage(async ({ method }, answer) => {
      if (method === 'initialize') {
        if (handshakes++ > 0) await new Promise<void>((resolve) => (goOn = resolve))
        return answer(HELLO)
      }
      if (method === 'tools/call' && handshakes === 1) throw new TransportError('session-expired', 'gone')
      if (method === 'tools/call') answer({ content: [] })
    })
    await staged.session.open()
    const first = staged.session.call('tools/call', { name: 'first' })
    await settle()
    return { ...staged, first, goOn: () => goOn() }
  }

  test('UT-CANC-01: does not send what was cancelled meanwhile, nor a cancellation of it', async () => {
    const { session, sent, first, goOn } = await renewing()
    const second = session.call('tools/call', { name: 'second' })
    first.cancel()
    second.cancel()
    goOn()
    await settle()
    await expect(first.result).rejects.toMatchObject({ code: 'cancelled' })
    expect(sent.filter(({ method }) => method === 'tools/call')).toHaveLength(1)
    expect(sent.filter(({ method }) => method === 'notifications/cancelled')).toHaveLength(0)
    await session.close()
  })

  test('BP-04: numbers all it sends anew, both handshakes included', async () => {
    const { session, sent, first, goOn } = await renewing()
    goOn()
    await first.result
    const ids = sent.flatMap(({ id }) => (id === undefined ? [] : [id]))
    expect(ids).toEqual([1, 2, 4, 3])
    await session.close()
  })

  test('is closed for good when that is asked for meanwhile', async () => {
    vi.useFakeTimers()
    const { session, phases, goOn } = await renewing()
    await session.close()
    goOn()
    await settle()
    expect(phases().filter((phase) => phase === 'open')).toHaveLength(1)
    expect(phases().at(-1)).toBe('closed')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends at once the calls whose streams went with the old session', async () => {
    const stream = { 'content-type': 'text/event-stream' }
    const fetchFrom = async (_: unknown, init?: RequestInit): Promise<Response> => {
      const { id, method, params } = JSON.parse((init?.body as string | undefined) ?? '{}') as Sent & {
        params?: { name?: string }
      }
      if (method === 'initialize')
        return Response.json({ jsonrpc: '2.0', id, result: HELLO }, { headers: { 'mcp-session-id': `s-${id}` } })
      if (method !== 'tools/call') return new Response(null, { status: init?.method === 'GET' ? 405 : 202 })
      const old = new Headers(init?.headers).get('mcp-session-id') === 's-1'
      if (params?.name === 'quick')
        return old ? new Response(null, { status: 404 }) : Response.json({ jsonrpc: '2.0', id, result: {} })
      const body = new ReadableStream({
        start: (controller) => init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason)),
      })
      return new Response(body, { headers: stream })
    }
    const transport = new StreamableHttpTransport({ url: 'http://test.invalid/mcp', fetch: fetchFrom })
    const trace = new Trace()
    const session = new Session({
      trace,
      link: 's1',
      transport,
      clientInfo: { name: 'test', version: '0' },
      remembered: 'handshake',
    })
    await session.open()
    const long = session.request('tools/call', { name: 'long' }).catch((error: unknown) => error)
    await settle()
    await session.request('tools/call', { name: 'quick' })
    expect(await long).toMatchObject({ code: 'stream-lost' })
    await session.close()
  })
})

describe('a session that is closed', () => {
  test('leaves no timer behind: not of calls, of steps, nor of what lingers after a cancellation', async () => {
    vi.useFakeTimers()
    const { session } = stage(({ method }, answer) => {
      if (method === 'initialize') answer(HELLO)
    })
    await session.open()
    session.call('tools/call', { name: 'one' }).cancel()
    session.call('tools/call', { name: 'two' })
    await settle()
    expect(vi.getTimerCount()).toBeGreaterThan(0)
    await session.close()
    await settle()
    expect(vi.getTimerCount()).toBe(0)
  })
})
