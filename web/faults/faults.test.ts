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
const ENDLESS = 60_000

const begin = async (
  make: (faults: InterferenceSlot) => Transport,
  faults: readonly FaultRule[],
  { seed = 1, early = false }: { seed?: number; early?: boolean } = {},
) => {
  const trace = new Trace()
  const waits: number[] = []
  const holds: (() => void)[] = []
  let now = 0
  // Time isn't awaited, except that a held message waits until the next one has overtaken it, or the test releases it;
  // and that an endless delay only ends with what it delays.
  const injection = new FaultInjection(
    (ms, signal) =>
      new Promise((resolve) => {
        waits.push(ms)
        signal?.addEventListener('abort', () => resolve())
        if (ms === LONGEST_HELD) holds.push(() => resolve(void (now += ms)))
        else if (ms !== ENDLESS) setTimeout(resolve)
      }),
    () => now,
  )
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

  test('headers get lost on their way in either direction, and the frame says which, without their values', async () => {
    const headers = [
      ['authorization', 'Bearer abcdefghijklmnop'],
      ['x-team', 'abcdefghijklmnop'],
    ] as const
    const names = ['mcp-session-id', 'authorization', 'x-team']
    const out = await begin(counting({ headers }), [
      { kind: 'missing-headers', of: 'request', names, method: 'tools/call' },
    ])
    await expect(echo(out.session)).rejects.toThrow()
    const [lost] = out.injected()
    expect(lost).toMatchObject({ fault: 'missing-headers', of: 'request' })
    expect(lost!.removed!.map(([name]) => name)).toEqual(names)
    expect(JSON.stringify(lost)).not.toContain('abcdefghijklmnop')
    await out.session.close()

    const back = await begin(counting(), [
      { kind: 'missing-headers', of: 'response', names: ['content-type'], method: 'tools/call' },
    ])
    await expect(echo(back.session)).rejects.toThrow()
    expect(back.injected()).toMatchObject([{ of: 'response', removed: [['content-type', '•••• (17 characters)']] }])
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
    // Events are counted only in streams.
    expect(injected().at(-1)).toEqual(expect.not.objectContaining({ after: expect.anything() as number }))
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
    expect(injected()).toMatchObject([{ fault: 'reorder' }, { fault: 'delay', ms: LONGEST_HELD }])
    await session.close()
  })

  test.each([
    ['stdio', stdio],
    ['a socket', socket],
    ['the sample server', sample],
    ['a WebSocket', web],
  ])('%s: closing waits for no delay', async (_, make) => {
    const { session, injected } = await begin(make, [{ kind: 'delay', ms: ENDLESS }])
    const calls = [1, 2, 3].map(() => session.ping().catch(() => {}))
    await until(() => injected().length > 0)
    await session.close()
    await Promise.all(calls)
  })

  test('a connection that was cut while connecting can be opened again', async () => {
    const injection = new FaultInjection()
    injection.set({ seed: 1, faults: [{ kind: 'cut', after: 0 }] })
    const transport = sample({ current: injection })
    const open = async () => {
      const trace = new Trace()
      const clientInfo = { name: 'test', version: '0' }
      const session = new Session({ trace, link: 's1', transport, clientInfo, pinned: '2025-11-25' })
      await session.open()
      return session
    }
    await expect(open()).rejects.toMatchObject({ message: 'An injected fault cut the connection' })
    injection.set(undefined)
    const session = await open()
    await session.ping()
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

describe('time', () => {
  const line = (...faults: FaultRule[]) => {
    const clock = { now: 0 }
    const waits: { readonly ms: number; readonly end: () => void }[] = []
    const injection = new FaultInjection(
      (ms, signal) =>
        new Promise((resolve) => {
          waits.push({ ms, end: resolve })
          signal?.addEventListener('abort', () => resolve())
        }),
      () => clock.now,
    )
    injection.set({ seed: 1, faults })
    const got: string[] = []
    const disturbed = injection.line<string>({
      textOf: (item) => (item === 'exit' ? undefined : item),
      withText: (_, text) => text,
      deliver: (item) => void got.push(item),
      mark: ({ fault, ms }) => void (fault === 'cut' || got.push(`${fault} ${ms}`)),
      cut: () => void got.push('cut'),
    })
    return { clock, waits, injection, got, line: disturbed }
  }
  const waited = () => new Promise((resolve) => setTimeout(resolve))

  test('messages that arrive one behind the other are late by the same time, not one after the other', async () => {
    const { clock, waits, got, line: arrivals } = line({ kind: 'delay', ms: 1000 })
    arrivals.arrived('a')
    clock.now = 10
    arrivals.arrived('b')
    arrivals.arrived('c')
    expect(waits.map(({ ms }) => ms)).toEqual([1000])
    clock.now = 1000
    waits[0]!.end()
    await waited()
    expect(got).toEqual(['delay 1000', 'a', 'delay 1000'])
    expect(waits[1]!.ms).toBe(10)
    clock.now = 1010
    waits[1]!.end()
    await waited()
    expect(got).toEqual(['delay 1000', 'a', 'delay 1000', 'b', 'delay 1000', 'c'])
    expect(waits).toHaveLength(2)
  })

  test.each([
    ['the transport ends', ({ line: arrivals }: ReturnType<typeof line>) => arrivals.end()],
    ['faults are switched off', ({ injection }: ReturnType<typeof line>) => injection.set(undefined)],
  ])('when %s, all that is held back arrives at once, in order and undisturbed', async (_, end) => {
    const all = line({ kind: 'delay', ms: 1000 }, { kind: 'duplicate' })
    for (const item of ['a', 'b', 'exit']) all.line.arrived(item)
    expect(all.got).toEqual(['delay 1000'])
    end(all)
    await waited()
    expect(all.got).toEqual(['delay 1000', 'a', 'b', 'exit'])
    all.line.arrived('last')
    expect(all.got.at(-1)).toBe('last')
  })

  test('a slow body arrives at once when faults are switched off', async () => {
    const { waits, injection } = line({ kind: 'slow-body', rate: 100 })
    const response = await injection.exchange({
      fetch: async () => new Response('x'.repeat(1000)),
      url: 'http://test.invalid/',
      init: {},
      body: undefined,
      mark: () => {},
      masked: (text) => text,
    })
    const body = response.text()
    await until(() => waits.length === 1)
    injection.set(undefined)
    expect(await body).toHaveLength(1000)
    expect(waits).toHaveLength(1)
  })
})

describe('how often', () => {
  const methods: readonly string[] = []
  const chooser = (...faults: FaultRule[]) => {
    const injection = new FaultInjection()
    injection.set({ seed: 1, faults })
    return injection
  }

  test('every second request loses its headers, whatever happens to responses', async () => {
    const lost: boolean[] = []
    const injection = chooser({ kind: 'missing-headers', of: 'request', names: ['x-team'], every: 2 })
    for (let at = 0; at < 4; at++)
      await injection.exchange({
        fetch: async (_, init) => {
          lost.push(!new Headers(init?.headers).has('x-team'))
          return new Response('')
        },
        url: 'http://test.invalid/',
        init: { headers: { 'x-team': 'a' } },
        body: undefined,
        mark: () => {},
        masked: (text) => text,
      })
    expect(lost).toEqual([false, true, false, true])
  })

  test('every second connection is cut, although all else is counted anew with each', () => {
    const injection = chooser({ kind: 'cut', after: 0, every: 2 }, { kind: 'duplicate', every: 2 })
    const cuts = [1, 2, 3, 4].map(() => {
      injection.begin()
      expect(injection.choose('duplicate', methods)).toBeUndefined()
      return injection.chooseForConnection() !== undefined
    })
    expect(cuts).toEqual([false, true, false, true])
  })

  test('each of two faults of one kind counts on its own', () => {
    const injection = chooser({ kind: 'duplicate', every: 2 }, { kind: 'duplicate', every: 3 })
    const hits = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter(() => injection.choose('duplicate', methods))
    expect(hits).toEqual([2, 3, 4, 6, 8, 9])
  })
})

describe('event streams', () => {
  const through = async (pieces: readonly string[]) => {
    const injection = new FaultInjection()
    injection.set({ seed: 1, faults: [{ kind: 'duplicate' }] })
    const response = await injection.exchange({
      fetch: async () => {
        const encoder = new TextEncoder()
        const body = new ReadableStream({
          start: (controller) => {
            for (const piece of pieces) controller.enqueue(encoder.encode(piece))
            controller.close()
          },
        })
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      },
      url: 'http://test.invalid/',
      init: {},
      body: undefined,
      mark: () => {},
      masked: (text) => text,
    })
    return await response.text()
  }

  test('a piece may contain any number of events, and an event that is too long to be altered passes', async () => {
    const many = '\n'.repeat(130_000)
    expect(await through([many])).toHaveLength(many.length)
    const short = 'data: y\n\n'
    const long = ['data: ', ...Array.from({ length: 17 }, () => 'x'.repeat(1024 * 1024)), '\n\n']
    expect((await through([short, ...long, short])).length).toBe(long.join('').length + 4 * short.length)
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
