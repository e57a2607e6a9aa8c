/** No call of a tool leaves without having passed the gate, whatever sends it. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { toolCallsIn } from './call-gate.ts'
import {
  LoopbackTransport,
  notAllowed,
  Session,
  Trace,
  TransportError,
  type CallGate,
  type Clearance,
  type Frame,
  type JsonObject,
  type LeavingCalls,
  type LoopbackServer,
  type Revision,
} from './index.ts'
import { kind, modern } from './stateless.case.ts'

/** Responds to everything, and remembers each text that reaches it. */
const listener = (): LoopbackServer & { readonly heard: string[] } => {
  const heard: string[] = []
  return {
    heard,
    connect: (reply) => ({
      receive(text) {
        heard.push(text)
        for (const { id, method, params } of [JSON.parse(text)].flat() as JsonObject[]) {
          if (id === undefined) continue
          const { protocolVersion } = (params ?? {}) as JsonObject
          const hello = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'listener', version: '1' } }
          reply(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? hello : { content: [] } }))
        }
      },
      close: () => {},
    }),
  }
}

const opened = async (gate: CallGate | undefined, pinned: Revision = '2025-03-26') => {
  const server = listener()
  const trace = new Trace()
  const transport = new LoopbackTransport(server)
  const clientInfo = { name: 'test', version: '0' }
  const session = new Session({ trace, link: 's1', transport, clientInfo, pinned, ...(gate ? { gate } : {}) })
  await session.open()
  const calls = () => server.heard.filter((text) => /tools.{1,6}call/.test(text))
  return { session, trace, calls }
}

const shut: CallGate = {
  clear: () => {
    throw notAllowed('declined', 'always')
  },
}
const clearance = ({ origin }: LeavingCalls, tool = 't'): Clearance => ({ tool, origin, policy: 'never', by: 'policy' })
const heldBack = (trace: Iterable<Frame>) =>
  [...trace].flatMap((frame) => (frame.kind === 'session' && frame.phase === 'held-back' ? [frame] : []))

const CALL = { name: 't', arguments: {} }
const text = JSON.stringify({ jsonrpc: '2.0', id: 77, method: 'tools/call', params: CALL })

/** All that a caller outside the kernel can do with a session. */
const WAYS: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  call: (session) => session.call('tools/call', CALL).result,
  request: (session) => session.request('tools/call', CALL),
  'a call as a task': (session) => session.request('tools/call', { ...CALL, task: { ttl: 1 } }),
  'a call with exact parameters': (session) => session.request('tools/call', CALL, { paramsText: '{"name":"t"}' }),
  'a batch': (session) =>
    Promise.all(session.batch([{ method: 'tools/call', params: CALL }]).map(({ result }) => result)),
  'a batch with harmless requests': (session) =>
    Promise.all(
      session.batch([{ method: 'ping' }, { method: 'tools/call', params: CALL }]).map(({ result }) => result),
    ),
  'a notification': (session) => session.notify('tools/call', CALL),
  'a text': (session) => session.raw(text),
  'a text with spaces and line ends': (session) => session.raw(text.replaceAll(',', ' ,\n').replaceAll(':', ' : ')),
  'a text in a batch': (session) => session.raw(`[{"jsonrpc":"2.0","id":5,"method":"ping"},${text}]`),
  'a text without id': (session) => session.raw(text.replace('"id":77,', '')),
  'an escaped slash': (session) => session.raw(text.replace('tools/call', String.raw`tools\/call`)),
  'escaped letters': (session) => session.raw(text.replace('tools/call', String.raw`tool\u0073\u002fc\u0061ll`)),
  'invalid JSON that a server may forgive': (session) => session.raw(text.replace('{}', '{},')),
  'a text after a byte order mark': (session) => session.raw(`\uFEFF${text}`),
  'a member that occurs twice': (session) => session.raw(text.replace('"id"', '"method":"tools/call","id"').replace('"method":"tools/call","params"', '"method":"ping","params"')), // prettier-ignore
  'headers that name another method': (session) =>
    session.raw('{"jsonrpc":"2.0","id":9,"method":"ping"}', { 'MCP-Method': 'tools/call' }),
}

describe('a gate that refuses', () => {
  test.each(Object.entries(WAYS))('stops %s', async (_, way) => {
    const { session, trace, calls } = await opened(shut)
    await expect(way(session)).rejects.toMatchObject({ code: 'not-allowed' })
    expect(calls()).toEqual([])
    expect([...trace].filter((frame) => frame.kind === 'message' && JSON.stringify(frame).includes('"t"'))).toEqual([])
    // Each is recorded, with its tool unless the text leaves it open.
    expect(heldBack(trace)).toHaveLength(1)
    expect(heldBack(trace)[0]).toMatchObject({ policy: 'always', why: 'declined' })
    await session.close()
  })

  test('stops nothing else', async () => {
    const { session } = await opened(shut)
    await session.request('ping')
    await session.request('prompts/get', { name: 'tools/call', arguments: { method: 'tools/call' } })
    await session.notify('notifications/roots/list_changed')
    await session.raw('{"jsonrpc":"2.0","id":9,"method":"prompts/get","params":{"name":"tools/call"}}')
    await session.close()
  })
})

describe('a gate that allows', () => {
  test('is in the trace with each call, in the order of the message, and with what started it', async () => {
    const gate: CallGate = { clear: (leaving) => leaving.calls.map(({ tool }) => clearance(leaving, tool)) }
    const { session, trace } = await opened(gate)
    await session.request('tools/call', CALL, { origin: 'form' })
    await Promise.all(
      session
        .batch([
          { method: 'tools/call', params: { name: 'a' } },
          { method: 'ping' },
          { method: 'tools/call', params: { name: 'b' } },
        ]) // prettier-ignore
        .map(({ result }) => result),
    )
    await session.raw(text)
    const cleared = [...trace].flatMap((frame) =>
      frame.kind === 'message' && frame.direction === 'sent' ? [frame.cleared] : [],
    )
    expect(cleared.filter((each) => each !== undefined)).toEqual([
      [{ tool: 't', origin: 'form', policy: 'never', by: 'policy' }],
      ['a', 'b'].map((tool) => ({ tool, origin: 'page', policy: 'never', by: 'policy' })),
      [{ tool: 't', origin: 'console', policy: 'never', by: 'policy' }],
    ])
    await session.close()
  })

  test('sends a call in the same turn, so that nothing overtakes it', async () => {
    const { session, calls } = await opened({ clear: (leaving) => [clearance(leaving)] })
    void session.call('tools/call', CALL)
    expect(calls()).toHaveLength(1)
    await session.close()
  })

  test('reads the parameters that leave, not those that are said to', async () => {
    const seen: unknown[] = []
    const gate: CallGate = {
      clear: (leaving) => {
        seen.push(...leaving.calls.map(({ tool }) => tool))
        return [clearance(leaving)]
      },
    }
    const { session } = await opened(gate)
    await session.request('tools/call', { name: 'harmless' }, { paramsText: '{"name":"destroys"}' })
    await session.request('tools/call', { name: 'harmless' }, { paramsText: '{"name":"harmless","name":"destroys"}' })
    expect(seen).toEqual(['destroys', undefined])
    await session.close()
  })
})

afterEach(() => void vi.useRealTimers())

describe('while the user decides', () => {
  const asking = async (limits = {}) => {
    const asked: { readonly leaving: LeavingCalls; readonly allow: () => void }[] = []
    const allowed = new Set<string>()
    const gate: CallGate = {
      clear: (leaving) => {
        const { tool = '' } = leaving.calls[0]!
        if (allowed.has(tool)) return [clearance(leaving, tool)]
        return new Promise((resolve, reject) => {
          const allow = () => (allowed.add(tool), resolve([clearance(leaving, tool)]))
          leaving.signal.addEventListener('abort', () => reject(notAllowed('withdrawn', 'always')))
          asked.push({ leaving, allow })
        })
      },
    }
    const { session, ...rest } = await opened(gate)
    return { session, asked, call: session.call('tools/call', CALL, limits), ...rest }
  }

  test('nothing is sent, and no time limit runs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    const { session, asked, call, calls } = await asking({ idle: 1000, total: 1000 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls()).toEqual([])
    asked[0]!.allow()
    await expect(call.result).resolves.toEqual({ content: [] })
    await session.close()
  })

  test('a cancelled call is withdrawn, and the server hears nothing of it', async () => {
    const { session, asked, call, calls, trace } = await asking()
    call.cancel()
    expect(asked[0]!.leaving.signal.aborted).toBe(false)
    await expect(call.result).rejects.toBeInstanceOf(TransportError)
    await expect.poll(() => heldBack(trace)).toMatchObject([{ why: 'withdrawn', tool: 't' }])
    expect(calls()).toEqual([])
    await session.close()
  })

  test('a session that is closed withdraws it', async () => {
    const { session, asked, call, calls } = await asking()
    await session.close()
    await expect(call.result).rejects.toMatchObject({ code: 'closed' })
    expect(asked[0]!.leaving.signal.aborted).toBe(true)
    expect(calls()).toEqual([])
  })
})

describe('what is sent again passes the gate again', () => {
  const counting = () => {
    const seen: LeavingCalls[] = []
    const gate: CallGate = { clear: (leaving) => (seen.push(leaving), [clearance(leaving)]) }
    return { seen, gate }
  }

  test('in the next round of a call that required input', async () => {
    const { seen, gate } = counting()
    const answers = { 'elicitation/create': () => ({ action: 'accept', content: { name: 'a', colour: 'b' } }) }
    const { session, sent } = await modern({ gate, answers })
    await session.request('tools/call', { name: 'ask-twice', arguments: {} })
    expect(seen.map(({ again }) => again)).toEqual(sent('tools/call').map((_, at) => at > 0))
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.slice(1).every(({ before }) => before !== undefined)).toBe(true)
    await session.close()
  })

  test('after a refused header, with the list that was loaded again', async () => {
    const { seen, gate } = counting()
    const { session, sent } = await kind('stale-header', { gate })
    await session.request('tools/list')
    await session.request('tools/call', { name: 't', arguments: { a: 'x', b: 'y' } })
    expect(seen.map(({ again }) => again)).toEqual([false, true])
    expect(sent('tools/call')).toHaveLength(2)
    await session.close()
  })

  test('and not, if the gate refuses it then', async () => {
    let times = 0
    const gate: CallGate = {
      clear: (leaving) => {
        if (times++ > 0) throw notAllowed('switched-off', 'never')
        return [clearance(leaving)]
      },
    }
    const answers = { 'elicitation/create': () => ({ action: 'accept', content: { name: 'a' } }) }
    const { session, sent, trace } = await modern({ gate, answers })
    await expect(session.request('tools/call', { name: 'ask-twice', arguments: {} })).rejects.toMatchObject({
      code: 'not-allowed',
    })
    expect(sent('tools/call')).toHaveLength(1)
    expect(heldBack(trace)).toMatchObject([{ tool: 'ask-twice', why: 'switched-off' }])
    await session.close()
  })
})

test('a text whose calls are plain has them all, with their tools', () => {
  const of = (message: unknown) => toolCallsIn({ message: {}, text: JSON.stringify(message) }).map(({ tool }) => tool)
  const one = (name: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } })
  expect(of(one('a'))).toEqual(['a'])
  expect(of([one('a'), { method: 'ping' }, one('b')])).toEqual(['a', 'b'])
  expect(of(one(7))).toEqual([undefined])
  expect(of({ method: 'tools/call' })).toEqual([undefined])
  expect(of({ method: 'tools/call', params: ['a'] })).toEqual([undefined])
  expect(of({ method: 'ping', params: { method: 'tools/call' } })).toEqual([])
})
