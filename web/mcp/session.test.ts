import { describe, expect, test } from 'vitest'
import { until } from '../../tests/patience.ts'
import {
  exchanges,
  foldAll,
  isObject,
  LoopbackTransport,
  ProtocolError,
  Session,
  Trace,
  TransportError,
  type Json,
  type JsonObject,
  type LoopbackServer,
  type MessageFrame,
  type SessionOptions,
} from './index.ts'

type Message = JsonObject & { id?: number; method?: string; params?: JsonObject }
type Script = (message: Message, say: (message: Json) => void) => void

/** An in-memory server controlled by the script; `initialize` is answered unless the script handles it. */
const scripted = (script: Script, { initialize = true } = {}): LoopbackServer => ({
  connect: (reply) => ({
    receive: (text) => {
      const message = JSON.parse(text) as Message
      const say = (answer: Json) => reply(JSON.stringify(answer))
      if (initialize && message.method === 'initialize') {
        return say({
          jsonrpc: '2.0',
          id: message.id!,
          result: {
            protocolVersion: message.params!.protocolVersion!,
            capabilities: {},
            serverInfo: { name: 'scripted', version: '1' },
          },
        })
      }
      script(message, say)
    },
    close: () => {},
  }),
})

const begin = (server: LoopbackServer, options: Partial<SessionOptions> = {}) => {
  const trace = new Trace()
  const transport = new LoopbackTransport(server)
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '0' },
    remembered: 'handshake',
    ...options,
  })
  return { trace, session }
}

const opened = async (script: Script, options?: Partial<SessionOptions>) => {
  const pair = begin(scripted(script), options)
  await pair.session.open()
  return pair
}

const messages = (trace: Trace, direction: 'sent' | 'received') =>
  [...trace]
    .filter((frame): frame is MessageFrame => frame.kind === 'message' && frame.direction === direction)
    .map(({ message }) => message as Message)

const quiet: Script = () => {}

describe('the handshake', () => {
  test('LC-01, LC-02, LC-03: initialize with the newest revision comes first, then initialized', async () => {
    const { trace, session } = await opened(quiet)
    const [first, second] = messages(trace, 'sent')
    expect(first).toMatchObject({
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test' } },
    })
    expect(second).toEqual({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect(session.peer).toMatchObject({ revision: '2025-11-25', era: 'handshake', info: { name: 'scripted' } })
  })

  const answering = (version: string): LoopbackServer =>
    scripted(
      (message, say) => {
        if (message.method !== 'initialize') return
        say({
          jsonrpc: '2.0',
          id: message.id!,
          result: { protocolVersion: version, capabilities: { odd: 1 }, serverInfo: { name: '', version: '' } },
        })
      },
      { initialize: false },
    )

  test.each(['2024-11-05', '2025-03-26', '2025-06-18'])(
    'LC-07: a server that answers %s is spoken to in %s',
    async (version) => {
      const { session } = begin(answering(version))
      expect(await session.open()).toMatchObject({ revision: version, capabilities: { odd: 1 } })
    },
  )

  test.each(['1999-01-01', '2026-07-28', 'latest'])(
    'LC-06: a server that answers %s is left, with both revisions named',
    async (version) => {
      const { session, trace } = begin(answering(version))
      await expect(session.open()).rejects.toMatchObject({
        code: 'unsupported-revision',
        details: { offered: '2025-11-25', answered: version },
      })
      expect([...trace].at(-1)).toMatchObject({ kind: 'session', phase: 'failed', code: 'unsupported-revision' })
    },
  )

  test('LC-08: a refusal that names what is supported is answered with the newest of these', async () => {
    const { session, trace } = begin(
      scripted(
        (message, say) => {
          if (message.method !== 'initialize') return
          const offered = message.params!.protocolVersion
          if (offered === '2025-03-26')
            return say({ jsonrpc: '2.0', id: message.id!, result: { protocolVersion: offered, capabilities: {} } })
          say({
            jsonrpc: '2.0',
            id: message.id!,
            error: {
              code: -32602,
              message: 'Unsupported',
              data: { supported: ['2024-11-05', '2025-03-26'], requested: offered! },
            },
          })
        },
        { initialize: false },
      ),
    )
    expect((await session.open()).revision).toBe('2025-03-26')
    expect(messages(trace, 'sent').map(({ method }) => method)).toEqual([
      'initialize',
      'initialize',
      'notifications/initialized',
    ])
  })

  test('a server that refuses initialize is quoted', async () => {
    const { session, trace } = begin(
      scripted(
        (message, say) => say({ jsonrpc: '2.0', id: message.id!, error: { code: -32603, message: 'No database' } }),
        { initialize: false },
      ),
    )
    await expect(session.open()).rejects.toThrow(new ProtocolError(-32603, 'No database'))
    expect([...trace].at(-1)).toMatchObject({ phase: 'failed', code: 'bad-handshake', explanation: 'No database' })
  })

  test('can be stopped while the server keeps silent, and LC-13: initialize is not cancelled', async () => {
    const { session, trace } = begin(scripted(quiet, { initialize: false }))
    const opening = session.open()
    await until(() => messages(trace, 'sent').length > 0)
    await session.close()
    await expect(opening).rejects.toMatchObject({ code: 'cancelled' })
    expect(messages(trace, 'sent').map(({ method }) => method)).toEqual(['initialize'])
    expect([...trace].at(-1)).toMatchObject({ phase: 'closed', why: 'stopped' })
  })

  test('LC-05: what the server says before its answer is heard and not lost', async () => {
    const { session, trace } = begin(
      scripted(
        (message, say) => {
          if (message.method !== 'initialize') return
          say({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'early' } })
          say({ jsonrpc: '2.0', id: 99, method: 'ping' })
          say({ jsonrpc: '2.0', id: message.id!, result: { protocolVersion: '2025-11-25', capabilities: {} } })
        },
        { initialize: false },
      ),
    )
    await session.open()
    expect(messages(trace, 'received')[0]).toMatchObject({ method: 'notifications/message', params: { data: 'early' } })
    expect(messages(trace, 'sent')).toContainEqual({ jsonrpc: '2.0', id: 99, result: {} })
  })
})

describe('requests', () => {
  test('answers find their calls in any order, with integer ids that never come back (BP-02, BP-04)', async () => {
    const held: Message[] = []
    const { session, trace } = await opened((message, say) => {
      if (message.id === undefined) return
      held.push(message)
      if (held.length === 3)
        for (const { id, method } of held.reverse()) say({ jsonrpc: '2.0', id: id!, result: { method: method! } })
    })
    const results = await Promise.all(['a', 'b', 'c'].map((method) => session.request(method)))
    expect(results).toEqual([{ method: 'a' }, { method: 'b' }, { method: 'c' }])
    const ids = messages(trace, 'sent').flatMap(({ id }) => (id === undefined ? [] : [id]))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every(Number.isInteger)).toBe(true)
  })

  test('the peer’s error rejects with its code, message and data; a local fault never looks like one (BP-37)', async () => {
    const { session } = await opened((message, say) => {
      if (message.method === 'bad')
        say({ jsonrpc: '2.0', id: message.id!, error: { code: 7, message: 'no', data: [1] } })
    })
    await expect(session.request('bad')).rejects.toMatchObject({
      name: 'ProtocolError',
      code: 7,
      message: 'no',
      data: [1],
    })
    await expect(session.request('mute', {}, { idle: 30 })).rejects.toBeInstanceOf(TransportError)
  })

  test('UT-CANC-01, UT-CANC-03: a cancelled call says so to the server, and its late answer is shown and ignored', async () => {
    let sayLater = () => {}
    const { session, trace } = await opened((message, say) => {
      if (message.method === 'tools/call') sayLater = () => say({ jsonrpc: '2.0', id: message.id!, result: {} })
    })
    const call = session.call('tools/call', { name: 'slow' })
    call.cancel('changed my mind')
    await expect(call.result).rejects.toMatchObject({ code: 'cancelled' })
    expect(messages(trace, 'sent').at(-1)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: call.id, reason: 'changed my mind' },
    })
    sayLater()
    await until(() => foldAll(exchanges, trace).orphans.size > 0)
    const state = foldAll(exchanges, trace)
    expect([...state.orphans.values()]).toEqual(['late-answer'])
    expect(state.all.at(-1)).toMatchObject({ status: 'cancelled' })
  })

  test('UT-TIME-02: a call that times out is cancelled at the server and told as a timeout, not as an error', async () => {
    const { session, trace } = await opened(quiet)
    const call = session.call('tools/call', { name: 'mute' }, { idle: 40 })
    await expect(call.result).rejects.toMatchObject({ code: 'timeout', details: { which: 'idle', limit: 40 } })
    expect(messages(trace, 'sent').at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: call.id },
    })
    expect(foldAll(exchanges, trace).all.at(-1)).toMatchObject({ status: 'timeout' })
  })

  test('UT-TIME-03, META-16: long calls ask for progress, and progress keeps them alive', async () => {
    const { session } = await opened((message, say) => {
      if (message.method !== 'tools/call') return
      const token = (message.params!._meta as JsonObject).progressToken!
      let step = 0
      const timer = setInterval(() => {
        say({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: token, progress: ++step, total: 6 },
        })
        if (step < 6) return
        clearInterval(timer)
        say({ jsonrpc: '2.0', id: message.id!, result: { done: true } })
      }, 150)
    })
    const limits = { idle: 500, total: 60_000 }
    expect(await session.request('tools/call', { name: 'slow' }, limits)).toEqual({ done: true })
  })

  test('numbers beyond 2^53 go out as they were written', async () => {
    const { session, trace } = await opened(
      (message, say) => message.id !== undefined && say({ jsonrpc: '2.0', id: message.id, result: {} }),
    )
    await session.request(
      'tools/call',
      { name: 'x', arguments: { n: Number('9007199254740993') } },
      { paramsText: '{"name":"x","arguments":{"n":9007199254740993}}' },
    )
    const sent = [...trace].find((frame) => frame.kind === 'message' && frame.raw !== undefined) as MessageFrame
    expect(sent.raw).toBe(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"progressToken":2},"name":"x","arguments":{"n":9007199254740993}}}',
    )
  })

  test('nothing is sent when the session is not open, and closing settles what is pending', async () => {
    const { session, trace } = await opened(quiet)
    const call = session.call('tools/call', {})
    await session.close()
    await expect(call.result).rejects.toMatchObject({ code: 'closed' })
    expect(() => session.call('tools/list')).toThrow(/wasn't sent/)
    expect([...trace].at(-1)).toMatchObject({ kind: 'session', phase: 'closed', why: 'ended' })
    expect(foldAll(exchanges, trace).pending).toBe(0)
  })
})

describe('the server’s own requests', () => {
  test('UT-PING-01, BP-13: ping is answered at once, an unknown method with -32601, each exactly once', async () => {
    const { trace } = await opened((message, say) => {
      if (message.method !== 'notifications/initialized') return
      say({ jsonrpc: '2.0', id: 'p', method: 'ping' })
      for (let id = 0; id < 15; id++) say({ jsonrpc: '2.0', id, method: 'roots/list' })
      say({ jsonrpc: '2.0', id: 'c', method: 'constructor' })
    })
    await until(() => messages(trace, 'sent').length >= 19)
    const answers = messages(trace, 'sent').filter(({ method }) => method === undefined)
    expect(answers.find(({ id }) => (id as unknown) === 'p')).toEqual({ jsonrpc: '2.0', id: 'p', result: {} })
    expect(answers).toHaveLength(17)
    expect(answers.filter(({ error }) => isObject(error) && error.code === -32601)).toHaveLength(16)
  })

  test('a handler answers for its method; UT-CANC-07: a question taken back gets no answer', async () => {
    let aborted = false
    const { trace } = await opened(
      (message, say) => {
        if (message.method !== 'notifications/initialized') return
        say({ jsonrpc: '2.0', id: 1, method: 'quick', params: { a: 1 } })
        say({ jsonrpc: '2.0', id: 2, method: 'slow' })
        say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
      },
      {
        answers: {
          quick: (params) => ({ echoed: params.a! }),
          slow: (_, signal) =>
            new Promise((resolve) => {
              signal.addEventListener('abort', () => {
                aborted = true
                resolve({})
              })
            }),
        },
      },
    )
    await until(() => aborted && messages(trace, 'sent').some(({ result }) => isObject(result) && result.echoed === 1))
    expect(messages(trace, 'sent').some(({ id, method }) => id === 2 && method === undefined)).toBe(false)
  })
})

describe('a broken peer', () => {
  test('garbage of many kinds never stops the session, and each oddity is a frame', async () => {
    const garbage: Json[] = [
      42,
      'text',
      null,
      [],
      [1, {}],
      {},
      { jsonrpc: '1.0' },
      { jsonrpc: '2.0', id: 77, result: {} },
      { jsonrpc: '2.0', id: null, method: 'x' },
    ]
    const { session, trace } = await opened((message, say) => {
      if (message.id === undefined) return
      for (const item of garbage) say(item)
      say({ jsonrpc: '2.0', id: message.id, result: { fine: true } })
    })
    expect(await session.request('tools/list')).toEqual({ fine: true })
    const received = messages(trace, 'received')
    for (const item of garbage) expect(received).toContainEqual(item)
  })
})
