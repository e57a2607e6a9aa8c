/** Client requirements that can only be tested from outside: what it must not do with a server's messages. */
import fc from 'fast-check'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { patient, until } from '../../tests/patience.ts'
import { levelsOf, loadRequirements } from '../lint/requirements.ts'
import { findings } from '../lint/run.ts'
import {
  Bridge,
  exchanges,
  foldAll,
  isObject,
  LoopbackTransport,
  Session,
  StdioBridgeTransport,
  StreamableHttpTransport,
  Trace,
  type Json,
  type JsonObject,
  type LoopbackServer,
  type MessageFrame,
  type SessionOptions,
  type Transport,
} from './index.ts'

type Script = (message: JsonObject, say: (message: JsonObject) => void) => void

/** An in-memory server: `initialize` and `ping` are answered, the script handles everything else. */
const scripted = (script: Script, hello: JsonObject = {}): LoopbackServer => ({
  connect: (reply) => {
    const say = (message: JsonObject) => reply(JSON.stringify({ jsonrpc: '2.0', ...message }))
    const receive = (text: string) => {
      const message = JSON.parse(text) as JsonObject
      const { id = null, method } = message
      if (method === 'initialize')
        return say({ id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {}, ...hello } })
      if (method === 'ping') return say({ id, result: {} })
      script(message, say)
    }
    return { receive, close: () => {} }
  },
})

const begin = (transport: Transport, options: Partial<SessionOptions> = {}) => {
  const trace = new Trace()
  const session = new Session({ trace, link: 's1', transport, clientInfo: { name: 'test', version: '0' }, ...options })
  const frames = (direction: 'sent' | 'received') =>
    [...trace].filter((frame): frame is MessageFrame => frame.kind === 'message' && frame.direction === direction)
  const sent = () => frames('sent').map(({ message }) => message as JsonObject)
  const methods = () => sent().flatMap(({ method }) => (typeof method === 'string' ? [method] : []))
  return { trace, session, sent, methods }
}

const opened = async (script: Script, options: Partial<SessionOptions> = {}, hello: JsonObject = {}) => {
  const pair = begin(new LoopbackTransport(scripted(script, hello)), { remembered: 'handshake', ...options })
  await pair.session.open()
  return pair
}

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const answering: Script = ({ id }, say) => {
  if (id !== undefined) say({ id, result: { tools: [] } })
}

describe('what a server says of itself', () => {
  test('META-14: changes nothing in what it is sent', async () => {
    const life = async (hello: JsonObject) => {
      const { session, trace, sent } = await opened(answering, {}, hello)
      await session.request('tools/list', {})
      await session.request('tools/call', { name: 't', arguments: {} })
      await session.close()
      expect([...trace].at(-1)).toMatchObject({ phase: 'closed', why: 'ended' })
      return sent()
    }
    const plain = await life({})
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (serverInfo, instructions) => {
        expect(await life({ serverInfo: serverInfo as Json, instructions: instructions as Json })).toEqual(plain)
      }),
      { numRuns: 40 },
    )
  })
})

describe('what a server says of a result', () => {
  test('META-01, META-06: whatever stands in its _meta comes whole, and changes nothing', async () => {
    const keys = ['serverInfo', 'subscriptionId', 'protocolVersion', 'related-task'].map(
      (key) => `io.modelcontextprotocol/${key}`,
    )
    const key = fc.oneof(fc.constantFrom(...keys, 'progressToken', 'com.example/x', ''), fc.string())
    let result: JsonObject = {}
    const { session, methods } = await opened(({ id }, say) => {
      if (id !== undefined) say({ id, result })
    })
    const property = fc.asyncProperty(fc.dictionary(key, fc.jsonValue()), async (meta) => {
      result = { content: [], _meta: JSON.parse(JSON.stringify(meta)) as JsonObject }
      const before = methods().length
      expect(await session.request('tools/call', { name: 't' })).toStrictEqual(JSON.parse(JSON.stringify(result)))
      expect(methods().slice(before)).toEqual(['tools/call'])
    })
    await fc.assert(property, { numRuns: 60 })
    expect(session.state).toBe('open')
    await session.close()
  })
})

describe('an error of our own', () => {
  test('BP-38: has a code of JSON-RPC, whatever the handler that failed threw', async () => {
    const answers: Json[] = []
    const { session } = await opened(
      (message, say) => {
        if (message.method === 'tools/list') {
          for (const id of ['thrown', 'sampling', 'none'])
            say({ id, method: id === 'thrown' ? 'roots/list' : id === 'none' ? 'no/such' : 'sampling/createMessage' })
          return say({ id: message.id!, result: { tools: [] } })
        }
        if (isObject(message.error)) answers.push([message.id!, message.error.code!])
      },
      {
        answers: {
          'roots/list': () => {
            throw new Error('out of roots')
          },
          // Not even an Error.
          'sampling/createMessage': () => Promise.reject(new TypeError('no model')),
        },
      },
    )
    await session.request('tools/list', {})
    await until(() => answers.length === 3)
    expect(Object.fromEntries(answers as [string, number][])).toEqual({
      thrown: -32603,
      sampling: -32603,
      none: -32601,
    })
    await session.close()
  })
})

describe('cancellations of the server', () => {
  test('UT-CANC-04: that are invalid, or late, change nothing and get no answer', async () => {
    const cancel = (params: Json) => ({ method: 'notifications/cancelled', params })
    let handled = 0
    const { session, trace, sent } = await opened(
      ({ id, method }, say) => {
        if (method !== 'tools/list') return
        for (const params of [{ requestId: 'unknown' }, { requestId: id! }, { requestId: null }, {}, [], 'x'])
          say(cancel(params as Json))
        say({ id: 'asked', method: 'roots/list' })
        say({ id: id!, result: { tools: [] } })
        // The request has been answered, or is about to be: both races happen in practice.
        setTimeout(() => say(cancel({ requestId: 'asked' })), 50)
      },
      { answers: { 'roots/list': () => (handled++, { roots: [] }) } },
    )
    const call = session.call('tools/list', {})
    expect(await call.result).toEqual({ tools: [] })
    await until(() => [...trace].some((frame) => frame.kind === 'message' && isCancelOf(frame.message, 'asked')))
    expect(handled).toBe(1)
    expect(sent().filter(({ id }) => id === 'asked')).toMatchObject([{ result: { roots: [] } }])
    expect(foldAll(exchanges, trace).bySeq.get(call.seq!)).toMatchObject({ status: 'ok' })
    expect(await session.ping()).toBeGreaterThanOrEqual(0)
    await session.close()
  })
})

const isCancelOf = (message: Json | undefined, id: string): boolean =>
  isObject(message) && isObject(message.params) && message.params.requestId === id

describe('progress', () => {
  test('UT-PROG-05: after the answer that made a task of the call still belongs to it', async () => {
    let token: Json = null
    const { session, trace } = await opened(({ id, method, params }, say) => {
      if (method !== 'tools/call') return
      token = ((params as JsonObject)._meta as JsonObject).progressToken!
      say({
        id: id!,
        result: { task: { taskId: 'a', status: 'working', ttl: null, createdAt: '', lastUpdatedAt: '' } },
      })
      for (const progress of [1, 2])
        say({ method: 'notifications/progress', params: { progressToken: token, progress, total: 2 } })
    })
    const call = session.call('tools/call', { name: 't', task: { ttl: 1000 } })
    await call.result
    const exchange = () => foldAll(exchanges, trace).bySeq.get(call.seq!)
    await until(() => exchange()?.progress?.count === 2)
    expect(exchange()).toMatchObject({ status: 'ok', progress: { progress: 2, total: 2 } })
    await session.close()
  })
})

describe('asking whether a server is there', () => {
  test('UT-PING-02: goes on at the chosen interval, never before the answer, until it is turned off', async () => {
    let waiting = 0
    let most = 0
    const server = scripted(() => {})
    const slow: LoopbackServer = {
      connect: (reply) => {
        const connection = server.connect((text) => {
          if (!/"id":\d+,"result":\{\}/.test(text)) return reply(text)
          most = Math.max(most, ++waiting)
          setTimeout(() => {
            waiting--
            reply(text)
          }, 30)
        })
        return connection
      },
    }
    const { session, methods } = begin(new LoopbackTransport(slow), { remembered: 'handshake' })
    await session.open()
    expect(methods()).not.toContain('ping')
    session.pingEvery = 10
    const pings = () => methods().filter((method) => method === 'ping').length
    await until(() => pings() >= 4)
    expect(most).toBe(1)
    session.pingEvery = 0
    await until(() => waiting === 0)
    const before = pings()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(pings()).toBe(before)
    await session.close()
  })
})

describe('one address', () => {
  test('VN-27, VN-30: serves both eras at once: what the client sends decides, and each session keeps to its own', async () => {
    const url = `${inject('modernUrl')}/${crypto.randomUUID()}`
    const pairs = (['2025-11-25', '2026-07-28'] as const).map((pinned) => ({
      pinned,
      ...begin(new StreamableHttpTransport({ url }), { pinned, autoListen: false }),
    }))
    await Promise.all(pairs.map(({ session }) => session.open()))
    for (const { session, pinned, methods } of pairs) {
      expect(session.peer).toMatchObject({ revision: pinned, info: { name: 'modern' } })
      const { content } = await session.request('tools/call', { name: 'echo', arguments: { text: pinned } })
      expect(content).toMatchObject([{ text: pinned }])
      expect(methods()[0]).toBe(pinned === '2026-07-28' ? 'server/discover' : 'initialize')
      await session.close()
    }
  })

  test('TR-HDR-10: a header that is written by hand takes the place of ours, whatever its case', async () => {
    const url = `${inject('erasUrl')}/good-handshake/${crypto.randomUUID()}`
    const { session } = begin(new StreamableHttpTransport({ url }), { pinned: '2025-11-25' })
    await session.open()
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 'mine', method: 'ping' })
    for (const name of ['MCP-Protocol-Version', 'mcp-protocol-version', 'Mcp-Protocol-VERSION'])
      await session.raw(ping, { [name]: '2025-06-18' })
    const { content } = await session.request('tools/call', { name: 'seen', arguments: {} })
    const seen = JSON.parse((content as [{ text: string }])[0].text) as { message: JsonObject; headers: JsonObject }[]
    const mine = seen.filter(({ message }) => isObject(message) && message.id === 'mine')
    expect(mine.map(({ headers }) => headers['mcp-protocol-version'])).toEqual(Array(3).fill('2025-06-18'))
    await session.close()
  })
})

describe('tools whose annotations cannot be headers', () => {
  test('TR-XH-06, TR-XH-07: are told one by one, with the place and the reason, and the others are not', async () => {
    const url = `${inject('erasUrl')}/odd-annotations/${crypto.randomUUID()}`
    const { session, trace } = begin(new StreamableHttpTransport({ url }))
    await session.open()
    const { tools } = (await session.request('tools/list', {})) as { tools: { name: string }[] }
    const { bySeq } = foldAll(findings({ levels: levelsOf(await loadRequirements()) }), trace)
    const told = [...bySeq.values()].flat().filter(({ rule }) => rule.startsWith('TR-XH'))
    const named = told.map(({ pointer = '' }) => tools[Number(pointer.split('/')[3])]!.name)
    expect(new Set(named)).toEqual(new Set(tools.map(({ name }) => name).filter((name) => name.startsWith('bad-'))))
    for (const { explanation } of told) expect(explanation).toContain('left out')
    await session.close()
  })
})

describe('a server that is older still', () => {
  const sse = () => `${inject('sseVariantsUrl')}/post-405/${crypto.randomUUID()}/sse`

  test.each(['2025-03-26', '2025-06-18'] as const)(
    'TR-SSE-06: at %s any status from 400 to 499 is reason to look for its event stream',
    async (pinned) => {
      // MCP servers don't send these statuses; an intermediary sends them on the server's behalf.
      for (const status of [402, 406, 410, 415, 422]) {
        const refusing: typeof fetch = (input, init) =>
          init?.method === 'POST' && (input as string).endsWith('/sse')
            ? Promise.resolve(new Response('', { status }))
            : fetch(input, init)
        const { session } = begin(new StreamableHttpTransport({ url: sse(), fetch: refusing }), { pinned })
        // This server only supports 2024-11-05, which the pin excludes: it was reached and tried over the older
        // transport.
        await expect(session.open()).rejects.toMatchObject({
          code: 'unsupported-revision',
          details: { answered: '2024-11-05' },
        })
        await session.close()
      }
      for (const status of [401, 403, 500]) {
        const refusing: typeof fetch = () => Promise.resolve(new Response('', { status }))
        const { session, trace } = begin(new StreamableHttpTransport({ url: sse(), fetch: refusing }), { pinned })
        await expect(session.open()).rejects.toMatchObject({ details: { status } })
        const gets = [...trace].filter(
          (frame) => frame.kind === 'http' && frame.phase === 'request' && frame.method === 'GET',
        )
        expect(gets).toEqual([])
      }
    },
  )
})

describe('a process that talks on stderr', () => {
  test('TR-STDIO-07: is not ill: its words are shown, and fail nothing', async () => {
    const script = `${inject('root')}/tests/servers/hostile-stdio.mjs`
    const spawn = { command: inject('nodePath'), args: [script, 'stderr-chatter'] }
    const { session, trace } = begin(new StdioBridgeTransport({ bridge, spawn }))
    await session.open()
    expect(await session.request('tools/list', {})).toHaveProperty('tools')
    await until(() => [...trace].some((frame) => frame.kind === 'process' && frame.event === 'stderr'))
    expect(session.state).toBe('open')
    await session.close()
    const ends = [...trace].flatMap((frame) =>
      frame.kind === 'session' && frame.phase !== 'opening' ? [frame.phase] : [],
    )
    expect(ends).toEqual(['open', 'closed'])
    expect(foldAll(exchanges, trace).all.filter(({ method }) => method === 'tools/list')).toMatchObject([
      { status: 'ok' },
    ])
  })
})

describe('a process that ended', () => {
  test(
    'TR-STDIO-10, TR-STDIO-11: what waited is lost and told; in a new one the subscription is asked for again',
    async () => {
      const spawn = {
        command: inject('nodePath'),
        args: [`${inject('root')}/tests/servers/era-stdio.mjs`, 'listen-drops'],
      }
      const listens: number[] = []
      for (let life = 0; life < 2; life++) {
        const { session, trace, methods } = begin(new StdioBridgeTransport({ bridge, spawn }), {
          patience: patient(20_000),
        })
        await session.open()
        await until(() => session.state === 'closed')
        expect([...trace].findLast(({ kind }) => kind === 'session')).toMatchObject({ code: 'process-exited' })
        const { all, pending } = foldAll(exchanges, trace)
        expect(pending).toBe(0)
        expect(all.at(-1)).toMatchObject({ method: 'subscriptions/listen', status: 'lost' })
        listens.push(methods().filter((method) => method === 'subscriptions/listen').length)
      }
      expect(listens).toEqual([1, 1])
    },
    patient(120_000),
  )
})
