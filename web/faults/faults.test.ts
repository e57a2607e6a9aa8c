/** Each fault over a real server, on the transport that it is meant for; and what the trace says of it. */
import { afterAll, describe, expect, inject, test } from 'vitest'
import { until } from '../../tests/patience.ts'
import { HereWebSocket } from '../../tests/web-socket-here.ts'
import {
  Bridge,
  HttpSseTransport,
  LoopbackTransport,
  relayFetch,
  Session,
  SocketBridgeTransport,
  StdioBridgeTransport,
  StreamableHttpTransport,
  Trace,
  WebSocketTransport,
  type Frame,
  type FrameOf,
  type InterferenceSlot,
  type Transport,
} from '../mcp/index.ts'
import { createSampleServer } from '../sample/index.ts'
import { headOf, readSession, sessionText } from '../session-file/index.ts'
import { LONGEST_HELD } from './alter.ts'
import { FaultInjection, type FaultRule } from './index.ts'

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const HELD_BACK = 5

const begin = async (
  make: (faults: InterferenceSlot) => Transport,
  faults: readonly FaultRule[],
  { seed = 1, early = false }: { seed?: number; early?: boolean } = {},
) => {
  const trace = new Trace()
  const waits: number[] = []
  const holds: (() => void)[] = []
  // Time isn't awaited, except that a held message waits until the next one has overtaken it, or the test releases it.
  const injection = new FaultInjection((ms) => {
    waits.push(ms)
    return new Promise((resolve) => void (ms === LONGEST_HELD ? holds.push(resolve) : setTimeout(resolve)))
  })
  const slot = { current: injection }
  const session = new Session({
    trace,
    link: 's1',
    transport: make(slot),
    clientInfo: { name: 'test', version: '0' },
    pinned: '2025-11-25',
  })
  if (early) injection.set({ seed, faults })
  await session.open()
  if (!early) injection.set({ seed, faults })
  const injected = () =>
    [...trace].filter(
      (frame): frame is FrameOf<'fault'> & { event: 'injected' } =>
        frame.kind === 'fault' && frame.event === 'injected',
    )
  return { trace, session, injection, injected, waits, holds }
}

const http =
  (url: string, more: object = {}) =>
  (faults: InterferenceSlot) =>
    new StreamableHttpTransport({ url, faults, fallback: false, ...more })
let places = 0
const counting = (more?: object) => http(`${inject('cuttingUrl')}/whole/faults-${++places}`, more)
const sample = (faults: InterferenceSlot) => new LoopbackTransport(createSampleServer(), 'in this page', faults)
const stdio = (faults: InterferenceSlot) =>
  new StdioBridgeTransport({
    bridge,
    faults,
    spawn: { command: inject('nodePath'), args: [`${inject('root')}/tests/servers/versed-stdio.mjs`, '2025-11-25'] },
  })
const socket = (faults: InterferenceSlot) =>
  new SocketBridgeTransport({
    bridge,
    faults,
    target: `unix:${inject('socketFolder')}/v1-2025-11-25.sock`,
    name: 'Unix socket',
  })

const received = (trace: Trace) =>
  [...trace].flatMap((frame) => (frame.kind === 'message' && frame.direction === 'received' ? [frame] : []))
const streams = (trace: Trace, event: string) =>
  [...trace].filter((frame) => frame.kind === 'stream' && frame.event === event)
const progress = (trace: Trace) =>
  received(trace).flatMap(({ message }) => {
    const { method, params } = (message ?? {}) as { method?: string; params?: { progress?: number } }
    return method === 'notifications/progress' ? [params?.progress] : []
  })
const count = (session: Session, n = 5) =>
  session.request('tools/call', { name: 'slow-count', arguments: { n, ms: 1 } }, { progress: true })
const echo = (session: Session, text = 'hi') => session.request('tools/call', { name: 'echo', arguments: { text } })

describe('over HTTP', () => {
  test('a stream that is cut is resumed by its last event, nothing is lost, and each cut is in the trace', async () => {
    const { trace, session, injected } = await begin(counting(), [{ kind: 'cut', after: 3 }])
    expect(await count(session)).toMatchObject({ content: [{ text: 'counted to 5' }] })
    expect(progress(trace)).toEqual([1, 2, 3, 4, 5])
    expect(injected().length).toBeGreaterThanOrEqual(3)
    expect(injected()[0]).toMatchObject({ fault: 'cut', after: 3 })
    const broken = streams(trace, 'close').find(({ seq }) => seq > injected()[0]!.seq)
    expect(broken).toMatchObject({ why: 'broken', request: injected()[0]!.request })
    const resumed = [...trace].filter(
      (frame) => frame.kind === 'http' && frame.phase === 'request' && frame.purpose === 'resume',
    )
    expect(resumed.length).toBeGreaterThanOrEqual(injected().length - 1)
    await session.close()
  })

  test('a status in the place of a response: the server never gets the request, and the session goes on', async () => {
    const { trace, session, injected } = await begin(counting(), [
      { kind: 'status', status: 503, every: 2, method: 'tools/call' },
    ])
    expect(await echo(session, 'first')).toMatchObject({ content: [{ text: 'first' }] })
    await expect(echo(session, 'second')).rejects.toMatchObject({ code: 'http-status', details: { status: 503 } })
    expect(await echo(session, 'third')).toMatchObject({ content: [{ text: 'third' }] })
    expect(injected()).toMatchObject([{ fault: 'status', status: 503 }])
    const response = [...trace].find(
      (frame) => frame.kind === 'http' && frame.phase === 'response' && frame.status === 503,
    )
    expect(response).toMatchObject({ request: injected()[0]!.request, statusText: 'Service Unavailable' })
    await session.close()
  })

  test('a 404 makes the client begin a new session, in which it sends the call again', async () => {
    const { trace, session } = await begin(counting(), [
      { kind: 'status', status: 404, every: 2, method: 'tools/call' },
    ])
    await echo(session)
    expect(await echo(session, 'again')).toMatchObject({ content: [{ text: 'again' }] })
    expect([...trace].some((frame) => frame.kind === 'session' && frame.phase === 'renewing')).toBe(true)
    await session.close()
  })

  test('events are duplicated, reordered and corrupted, and what arrived can be read in the trace', async () => {
    const only = { method: 'notifications/progress' }
    const twice = await begin(counting(), [{ kind: 'duplicate', every: 2, ...only }])
    await count(twice.session)
    expect(progress(twice.trace)).toEqual([1, 2, 2, 3, 4, 4, 5])
    await twice.session.close()

    const swapped = await begin(counting(), [{ kind: 'reorder', every: 2, ...only }])
    await count(swapped.session)
    // A log message follows each progress; at every second step it comes first.
    expect(progress(swapped.trace)).toEqual([1, 2, 3, 4, 5])
    const names = received(swapped.trace).flatMap(({ message }) => (message as { method?: string }).method ?? [])
    expect(names.map((name) => (name === 'notifications/progress' ? 'p' : 'm')).join('')).toBe('pmmppmmppm')
    expect(swapped.injected()[0]).toMatchObject({ fault: 'reorder' })
    await swapped.session.close()

    const broken = await begin(counting(), [{ kind: 'corrupt', every: 2, ...only }])
    await count(broken.session)
    expect(progress(broken.trace)).toEqual([1, 3, 5])
    const invalid = received(broken.trace).filter(({ type }) => type === 'invalid')
    expect(invalid).toHaveLength(2)
    expect(
      broken
        .injected()
        .map(({ original }) => (JSON.parse(original!) as { params: { progress: number } }).params.progress),
    ).toEqual([2, 4])
    expect(invalid[0]!.carrier).toBe(broken.injected()[0]!.request)
    await broken.session.close()
  })

  test('headers get lost on their way in either direction, and the frame says which, with secrets masked', async () => {
    const secret = 'Bearer abcdefghijklmnop'
    const headers = [['authorization', secret]] as const
    const out = await begin(counting({ headers }), [
      { kind: 'missing-headers', of: 'request', names: ['mcp-session-id', 'authorization'], method: 'tools/call' },
    ])
    await expect(echo(out.session)).rejects.toThrow()
    const [lost] = out.injected()
    expect(lost).toMatchObject({ fault: 'missing-headers', of: 'request' })
    expect(lost!.removed!.map(([name]) => name)).toEqual(['mcp-session-id', 'authorization'])
    expect(JSON.stringify([...out.trace])).not.toContain('abcdefghijklmnop')
    await out.session.close()

    const back = await begin(counting(), [
      { kind: 'missing-headers', of: 'response', names: ['content-type'], method: 'tools/call' },
    ])
    await expect(echo(back.session)).rejects.toThrow()
    expect(back.injected()).toMatchObject([{ of: 'response', removed: [['content-type', 'text/event-stream']] }])
    const at = back.injected()[0]!.request
    const head = [...back.trace].find(
      (frame) => frame.kind === 'http' && frame.phase === 'response' && frame.request === at,
    )
    expect(JSON.stringify(head)).not.toContain('text/event-stream')
    await back.session.close()
  })

  test('a slow body and a delayed response arrive whole, later by what was chosen', async () => {
    const { session, injected, waits } = await begin(counting(), [
      { kind: 'slow-body', rate: 100, method: 'tools/call' },
      { kind: 'delay', ms: 7000, method: 'tools/call' },
    ])
    expect(await echo(session, 'whole')).toMatchObject({ content: [{ text: 'whole' }] })
    expect(injected().map(({ fault, ms, rate }) => ({ fault, ms, rate }))).toEqual([
      { fault: 'delay', ms: 7000, rate: undefined },
      { fault: 'slow-body', ms: undefined, rate: 100 },
    ])
    expect(waits[0]).toBe(7000)
    // 25 bytes at most in a quarter of a second.
    expect(waits.slice(1).every((ms) => ms <= 250)).toBe(true)
    expect(waits.length).toBeGreaterThan(HELD_BACK)
    await session.close()
  })

  test('a body that is no stream breaks in its middle', async () => {
    const { trace, session, injected } = await begin(http(`${inject('erasUrl')}/good-handshake/faults`), [
      { kind: 'cut', after: 3, method: 'tools/list' },
    ])
    await expect(session.request('tools/list')).rejects.toThrow()
    expect(injected().at(-1)).toMatchObject({ fault: 'cut' })
    expect(
      [...trace].some((frame) => frame.kind === 'http' && frame.phase === 'failed' && frame.stage === 'body'),
    ).toBe(true)
    await session.close()
  })

  test.each([
    ['through the relay', counting({ fetch: relayFetch({ channel: bridge.channel }) })],
    ['by HTTP+SSE', (faults: InterferenceSlot) => new HttpSseTransport({ url: inject('sseUrl'), faults })],
  ])('the same happens %s', async (_, make) => {
    const { session, injected } = await begin(make, [{ kind: 'duplicate', method: 'ping' }], { early: true })
    await session.ping()
    await until(() => injected().length > 0)
    expect(injected()).toMatchObject([{ fault: 'duplicate' }])
    expect(injected()[0]!.request).toBeTypeOf('number')
    await session.close()
  })

  test('the end of a session reaches the server whatever is injected', async () => {
    const { trace, session } = await begin(counting(), [{ kind: 'status', status: 500 }])
    await session.close()
    const end = [...trace].find(
      (frame) => frame.kind === 'http' && frame.phase === 'request' && frame.purpose === 'end-session',
    )
    expect(
      [...trace].find((frame) => frame.kind === 'http' && frame.phase === 'response' && frame.request === end?.seq),
    ).toMatchObject({ status: 200 })
  })
})

describe('on a line of messages', () => {
  const web = (faults: InterferenceSlot) =>
    new WebSocketTransport({ url: `${inject('webSocketUrl')}/v1-2025-11-25`, WebSocket: HereWebSocket, faults })

  test.each([
    ['stdio', stdio],
    ['a socket', socket],
    ['the sample server', sample],
    ['a WebSocket', web],
  ])('%s: a message is duplicated directly after its mark, and a cut ends the connection', async (_, make) => {
    const { trace, session, injected, injection } = await begin(make, [
      { kind: 'duplicate' },
      { kind: 'delay', ms: 3000 },
    ])
    await session.ping()
    await until(() => injected().length === 2)
    const [late, twice] = injected()
    expect([late, twice]).toMatchObject([{ fault: 'delay', ms: 3000 }, { fault: 'duplicate' }])
    await until(() => received(trace).filter(({ seq }) => seq > late!.seq).length === 2)
    const [first, second] = received(trace).filter(({ seq }) => seq > late!.seq)
    expect(second!.message).toEqual(first!.message)
    expect([first!.seq < twice!.seq, second!.seq > twice!.seq]).toEqual([true, true])

    injection.set({ seed: 1, faults: [{ kind: 'cut', after: 0 }] })
    await expect(session.ping()).rejects.toMatchObject({ message: 'An injected fault cut the connection' })
    const closed = [...trace].find((frame) => frame.kind === 'session' && frame.phase === 'closed')
    expect(closed).toMatchObject({ code: 'connection-closed', details: { injected: true } })
    expect(injected().at(-1)).toMatchObject({ fault: 'cut', after: 0 })
    await session.close()
  })

  test('a corrupted response is not JSON any more; its request is left waiting, and what arrived is in the mark', async () => {
    const { trace, session, injected } = await begin(sample, [{ kind: 'corrupt', every: 2, method: 'ping' }])
    await session.ping()
    await expect(session.request('ping', {}, { idle: 50, total: 50 })).rejects.toMatchObject({ code: 'timeout' })
    const [mark] = injected()
    expect(JSON.parse(mark!.original!)).toMatchObject({ result: {} })
    expect(received(trace).find(({ seq }) => seq > mark!.seq)).toMatchObject({ type: 'invalid' })
    await session.close()
  })

  test('two responses swap places, and a message that nothing overtakes arrives in the end', async () => {
    const { trace, session, injected, holds } = await begin(sample, [{ kind: 'reorder', method: 'tools/list' }])
    await Promise.all([session.request('tools/list'), session.request('prompts/list')])
    const after = received(trace).filter(({ seq }) => seq > injected()[0]!.seq)
    expect(after.map(({ message }) => Object.keys((message as { result: object }).result)[0])).toEqual([
      'prompts',
      'tools',
    ])
    const alone = session.request('tools/list')
    await until(() => holds.length === 2)
    holds[1]!()
    expect(await alone).toHaveProperty('tools')
    expect(injected()).toHaveLength(1)
    await session.close()
  })

  test('once they are switched off, messages arrive undisturbed, on the same connection', async () => {
    const { trace, session, injection, injected } = await begin(sample, [{ kind: 'duplicate' }])
    await session.ping()
    await until(() => injected().length === 1)
    injection.set(undefined)
    const before = trace.length
    await session.ping()
    expect([...trace].slice(before).filter(({ kind }) => kind === 'fault')).toEqual([])
    await session.close()
  })
})

describe('a run', () => {
  const happened = async (seed: number) => {
    const { session, injected } = await begin(
      sample,
      [
        { kind: 'duplicate', chance: 0.4 },
        { kind: 'delay', ms: 1, chance: 0.3 },
      ],
      { seed },
    )
    for (let call = 0; call < 20; call++) await session.ping()
    const faults = injected()
      .map(({ fault }) => fault)
      .join(' ')
    await session.close()
    return faults
  }

  test('can be repeated with the same seed, and another seed gives another one', async () => {
    const first = await happened(7)
    expect(first.split(' ').length).toBeGreaterThan(3)
    expect(await happened(7)).toBe(first)
    expect(await happened(8)).not.toBe(first)
  })

  test('a recording keeps the marks, and reopening shows the same frames', async () => {
    const { trace, session } = await begin(sample, [{ kind: 'duplicate' }, { kind: 'corrupt', every: 3 }])
    for (let call = 0; call < 2; call++) await session.ping()
    await session.close()
    const frames = [...trace]
    expect(frames.some(({ kind }) => kind === 'fault')).toBe(true)
    const head = headOf({
      begunAt: '2026-01-01T00:00:00.000Z',
      tool: { name: 'mcp-periscope', version: '0' },
      servers: [],
    })
    const opened = await readSession([...sessionText(head, frames)].join(''))
    expect(opened.frames).toEqual(JSON.parse(JSON.stringify(frames)) as Frame[])
  })
})
