import { describe, expect, inject, test } from 'vitest'
import {
  exchanges,
  foldAll,
  Session,
  Trace,
  TransportError,
  WebSocketTransport,
  type Frame,
  type FrameOf,
} from '../index.ts'
import { until } from '../../../tests/patience.ts'
import { HereWebSocket } from '../../../tests/web-socket-here.ts'

type Limits = ConstructorParameters<typeof WebSocketTransport>[0]['limits']

const place = (path: string) => `${inject('webSocketUrl')}/${path}/${crypto.randomUUID()}`

const begin = (url: string, limits?: Limits, remembered?: 'handshake') => {
  const trace = new Trace()
  const transport = new WebSocketTransport({ url, WebSocket: HereWebSocket, ...(limits ? { limits } : {}) })
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '0' },
    ...(remembered ? { remembered } : {}),
  })
  return { trace, session }
}

const framesOf = (trace: Trace) =>
  [...trace].filter((frame: Frame): frame is FrameOf<'transport'> => frame.kind === 'transport')

const eventsOf = (trace: Trace) => framesOf(trace).map(({ event }) => event)

const errorOf = async (promise: Promise<unknown>): Promise<TransportError> => {
  try {
    await promise
  } catch (error) {
    if (error instanceof TransportError) return error
    throw error
  }
  throw new Error('It succeeded')
}

const openedAt = async (url: string): Promise<number> =>
  ((await (await fetch(url.replace(/^ws/, 'http'))).json()) as { opened: number }).opened

describe('WebSocket', () => {
  test('each frame in both directions is in the trace with its exact text, from the handshake to the close', async () => {
    const url = place('v1/2025-11-25')
    const { trace, session } = begin(url)
    const peer = await session.open()
    expect(peer).toMatchObject({ era: 'handshake', revision: '2025-11-25', info: { name: 'versed' } })
    await session.request('tools/call', { name: 'echo', arguments: { text: 'Grüße 🎈' } })
    await session.close()
    expect(framesOf(trace)).toMatchObject([
      { event: 'opening', transport: 'WebSocket', url, subprotocol: 'mcp' },
      { event: 'opened', subprotocol: 'mcp' },
      { event: 'closing' },
      { event: 'closed', code: 1000 },
    ])
    const texts = [...trace].flatMap((frame) =>
      frame.kind === 'message' ? [[frame.direction, frame.raw ?? JSON.stringify(frame.message)]] : [],
    )
    expect(texts.filter(([, text]) => text!.includes('Grüße 🎈')).map(([direction]) => direction)).toEqual([
      'sent',
      'received',
    ])
  })

  test('a server without the subprotocol is connected to without one, and the trace shows both attempts', async () => {
    const url = place('plain')
    const { trace, session } = begin(url)
    await session.open()
    await session.close()
    expect(framesOf(trace).slice(0, 3)).toMatchObject([
      { event: 'opening', subprotocol: 'mcp' },
      { event: 'opening', url },
      { event: 'opened' },
    ])
    expect(framesOf(trace)[1]).not.toHaveProperty('subprotocol')
    expect(framesOf(trace)[2]).not.toHaveProperty('subprotocol')
  })

  test('a refused handshake fails after both attempts, and says that the reason is hidden', async () => {
    const url = place('refuse')
    const { trace, session } = begin(url)
    const error = await errorOf(session.open())
    expect(error).toMatchObject({ code: 'not-opened', details: { closeCode: 1006, url } })
    expect(error.message).toBe(`The WebSocket handshake with ${url} failed. The browser hides the reason`)
    expect(eventsOf(trace)).toEqual(['opening', 'opening', 'refused'])
    expect(await openedAt(url)).toBe(2)
  })

  test('nothing listening fails the same way, and no session begins', async () => {
    const { trace, session } = begin('ws://127.0.0.1:9/mcp')
    // Port 9 is on the list of blocked ports, which a browser refuses before it connects.
    expect(await errorOf(session.open())).toMatchObject({ code: 'not-opened' })
    expect([...trace].at(-1)).toMatchObject({ kind: 'session', phase: 'failed', code: 'not-opened' })
  })

  test.each([
    ['close-1008', 1008, 'The server closed the WebSocket with code 1008 (policy violation). Reason: not your tool'],
    ['close-1011', 1011, 'The server closed the WebSocket with code 1011 (internal error)'],
    ['close-4242', 4242, 'The server closed the WebSocket with code 4242. Reason: own code'],
    ['close-none', 1005, 'The server closed the WebSocket with code 1005 (no code)'],
    ['cut', 1006, 'The server closed the WebSocket with code 1006 (connection lost)'],
  ])('%s during a call fails the call with the code and its name', async (fault, code, message) => {
    const { trace, session } = begin(place(`h/${fault}`))
    await session.open()
    const error = await errorOf(session.request('tools/call', { name: 'any', arguments: {} }))
    expect(error).toMatchObject({ code: 'connection-closed', message, details: { closeCode: code } })
    expect(framesOf(trace).at(-1)).toMatchObject({ event: 'closed', code })
    expect([...trace].at(-1)).toMatchObject({ kind: 'session', phase: 'closed', code: 'connection-closed' })
    await expect(session.request('tools/list')).rejects.toThrow()
  })

  test('a binary frame is shown as unusable with its size, broken JSON as invalid, and the call still succeeds', async () => {
    const { trace, session } = begin(place('h/binary'))
    await session.open()
    expect(await session.request('tools/call', { name: 'any', arguments: {} })).toMatchObject({
      content: [{ text: 'still here' }],
    })
    expect(framesOf(trace).filter(({ event }) => event === 'unusable')).toMatchObject([
      { what: 'A binary frame', size: 3 },
    ])
    const invalid = [...trace].filter((frame) => frame.kind === 'message' && frame.type === 'invalid')
    expect(invalid).toMatchObject([{ raw: '{"jsonrpc":"2.0","id"' }])
    await session.close()
  })

  test('a message over the limit is dropped, reported with its size, and fails the request that it responds to', async () => {
    const { trace, session } = begin(place('h/large'), { longest: 50_000 })
    await session.open()
    const error = await errorOf(session.request('tools/call', { name: 'any', arguments: {} }))
    expect(error.code).toBe('proxy-refused')
    const lost = framesOf(trace).find(({ event }) => event === 'lost')
    expect(lost).toMatchObject({ what: 'A message over 50000 characters' })
    expect(lost && 'size' in lost && lost.size).toBeGreaterThan(70_000)
    await session.request('tools/list')
    await session.close()
  })

  test('a server that reads nothing holds back messages, and then fails them', async () => {
    const { session } = begin(place('h/deaf'), { buffered: 1_000, stuck: 50 })
    await session.open()
    const text = 'x'.repeat(1_000_000)
    const calls = Array.from({ length: 40 }, async () =>
      errorOf(session.request('tools/call', { name: 'any', arguments: { text } })),
    )
    const error = await Promise.race(calls)
    expect(error).toMatchObject({ code: 'timeout' })
    expect(error.message).toMatch(/^The server isn't reading: \d+ bytes are waiting to be sent$/)
    void session.close()
    await Promise.all(calls)
  })

  test('a message that is too long is not sent', async () => {
    const { session } = begin(place('v1/2025-11-25'), { longest: 2_000 }, 'handshake')
    await session.open()
    const call = session.request('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(3_000) } })
    expect(await errorOf(call)).toMatchObject({ code: 'not-sendable' })
    await session.close()
  })

  test('a server that closes the connection at the probe is connected to again for the handshake', async () => {
    const url = place('h/strict')
    const { trace, session } = begin(url)
    const { evidence } = await session.open()
    expect(evidence).toMatchObject([
      { saw: 'probe', outcome: 'closed' },
      { saw: 'restarted' },
      { saw: 'offered' },
      { saw: 'answered' },
    ])
    expect(await openedAt(url)).toBe(2)
    expect(eventsOf(trace)).toEqual(['opening', 'opened', 'closed', 'opening', 'opened'])
    await session.close()
  })

  test('a server that closes each connection fails with its code', async () => {
    const { session } = begin(place('h/never'))
    expect(await errorOf(session.open())).toMatchObject({ code: 'connection-closed', details: { closeCode: 1013 } })
  })

  test('closing while it opens leaves no connection', async () => {
    const url = place('v1/2025-11-25')
    const { trace, session } = begin(url)
    const opening = session.open().catch((error: unknown) => error)
    await session.close()
    expect(await opening).toBeInstanceOf(TransportError)
    await until(() => !eventsOf(trace).includes('opened') || eventsOf(trace).includes('closed'))
    expect(foldAll(exchanges, trace).all.filter(({ response }) => response !== undefined)).toEqual([])
  })
})
