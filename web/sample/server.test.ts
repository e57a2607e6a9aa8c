import { afterEach, describe, expect, test } from 'vitest'
import { until } from '../../tests/patience.ts'
import {
  exchanges,
  foldAll,
  isObject,
  LoopbackTransport,
  ProtocolError,
  REVISIONS,
  Session,
  Trace,
  type Frame,
  type Json,
  type JsonObject,
  type Revision,
} from '../mcp/index.ts'
import { createSampleServer, type SampleOptions } from './server.ts'
import { SAMPLE_TOOLS } from './tools.ts'

const opened: Session[] = []
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close()
})

const connect = async (options: SampleOptions = {}, pinned?: Revision) => {
  const trace = new Trace()
  const session = new Session({
    trace,
    link: 'sample',
    transport: new LoopbackTransport(createSampleServer(options)),
    clientInfo: { name: 'test', version: '1' },
    ...(pinned ? { pinned } : {}),
  })
  opened.push(session)
  const peer = await session.open()
  return { session, trace, peer, call: (name: string, args?: JsonObject) => callOf(session, name, args) }
}

const callOf = (session: Session, name: string, args?: JsonObject) =>
  session.request('tools/call', { name, ...(args ? { arguments: args } : {}) })

const listAll = async (session: Session): Promise<JsonObject[]> => {
  const tools: JsonObject[] = []
  let cursor: Json | undefined
  do {
    const result = await session.request('tools/list', cursor === undefined ? undefined : { cursor })
    tools.push(...(result.tools as JsonObject[]))
    cursor = result.nextCursor
  } while (cursor !== undefined)
  return tools
}

const received = (trace: Trace, method: string): JsonObject[] =>
  [...trace]
    .filter((frame): frame is Frame & { kind: 'message' } => frame.kind === 'message' && frame.direction === 'received')
    .map((frame) => frame.message)
    .filter((message): message is JsonObject => isObject(message) && message.method === method)

/** A wait that ends when the test says so. */
const manual = () => {
  const waits: (() => void)[] = []
  const wait = (_: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      waits.push(resolve)
      signal.addEventListener('abort', () => reject(new Error('cancelled')))
    })
  return { wait, waits }
}

describe('the sample server is a true MCP server', () => {
  test.each(['2025-03-26', '2025-06-18', '2025-11-25'] as const)(
    'it speaks revision %s when asked to',
    async (revision) => {
      const { peer, session } = await connect({}, revision)
      expect(peer.revision).toBe(revision)
      expect(peer.capabilities).toEqual({
        tools: { listChanged: true },
        resources: { subscribe: true },
        prompts: {},
        completions: {},
        logging: {},
      })
      const tools = await listAll(session)
      expect(tools.map(({ name }) => name)).toEqual(SAMPLE_TOOLS.map(({ declaration }) => declaration.name))
      const knows = (member: string) => tools.some((tool) => member in tool)
      expect([knows('title'), knows('outputSchema')]).toEqual([revision >= '2025-06-18', revision >= '2025-06-18'])
      const weather = await callOf(session, 'weather', { place: 'Nairobi' })
      expect('structuredContent' in weather).toBe(revision >= '2025-06-18')
      const documents = (await callOf(session, 'documents')).content as JsonObject[]
      expect(documents.some(({ type }) => type === 'resource_link')).toBe(revision >= '2025-06-18')
    },
  )

  test('it answers a revision it does not know with its newest', async () => {
    const lines: JsonObject[] = []
    const end = createSampleServer().connect((text) => lines.push(JSON.parse(text) as JsonObject))
    const initialize = (protocolVersion: Json) =>
      end.receive(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion } }))
    initialize('1999-01-01')
    await until(() => lines.length === 1)
    expect(lines[0]).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } })
    expect(REVISIONS).toContain('2025-11-25')
  })

  test('nothing it sends breaks a rule the kernel knows', async () => {
    const { trace, session, call } = await connect({ wait: async () => {} })
    await listAll(session)
    await session.request('ping')
    for (const { declaration } of SAMPLE_TOOLS) {
      if (declaration.name === 'break') continue
      await call(
        declaration.name,
        declaration.name === 'every-field' ? { name: 'x' } : { message: 'x', a: 1, b: 2, place: 'Nairobi' },
      )
    }
    const findings = [...trace].flatMap((frame) => (frame.kind === 'message' ? (frame.findings ?? []) : []))
    expect(findings).toEqual([])
    expect(foldAll(exchanges, trace).orphans.size).toBe(0)
  })

  test('its list comes in pages, and a cursor that is not its own is refused with -32602', async () => {
    const { session } = await connect()
    const sizes: number[] = []
    for (let cursor: Json | undefined = ''; cursor !== undefined;) {
      const page: JsonObject = await session.request('tools/list', cursor === '' ? {} : { cursor })
      sizes.push((page.tools as Json[]).length)
      cursor = page.nextCursor
    }
    expect(sizes).toEqual([10, 10, SAMPLE_TOOLS.length - 20])
    for (const cursor of ['', 'page2', btoa('from 9999')]) {
      await expect(session.request('tools/list', { cursor })).rejects.toMatchObject({ code: -32602 })
    }
  })

  test('an unknown tool is refused with -32602, an unknown method with -32601', async () => {
    const { session, call } = await connect()
    await expect(call('no-such-tool')).rejects.toMatchObject({ code: -32602 })
    await expect(session.request('tasks/list')).rejects.toMatchObject({ code: -32601 })
  })

  test('arguments that do not fit give an isError result since 2025-11-25 and -32602 before', async () => {
    const newest = await connect()
    expect(await newest.call('add', { a: 1, b: 'two' })).toMatchObject({ isError: true })
    const older = await connect({}, '2025-06-18')
    await expect(older.call('add', { a: 1, b: 'two' })).rejects.toBeInstanceOf(ProtocolError)
  })

  test('the two ways to fail are told apart: fail gives a result, break an error with data', async () => {
    const { call } = await connect()
    expect(await call('fail', { reason: 'no' })).toEqual({ content: [{ type: 'text', text: 'no' }], isError: true })
    await expect(call('break')).rejects.toMatchObject({ code: -32603, data: { compartment: 4 } })
  })
})

describe('long work', () => {
  test('progress grows with each step, carries a message, and ends before the answer', async () => {
    const { wait, waits } = manual()
    const { trace, call } = await connect({ wait })
    const result = call('count-slowly', { duration: 1, steps: 3 })
    for (let step = 0; step < 3; step++) {
      await until(() => waits.length > step)
      waits[step]!()
    }
    expect(await result).toMatchObject({ content: [{ type: 'text' }] })
    const progress = received(trace, 'notifications/progress').map(({ params }) => params as JsonObject)
    expect(progress.map(({ progress, total, message }) => [progress, total, message])).toEqual([
      [1, 3, 'Step 1 of 3'],
      [2, 3, 'Step 2 of 3'],
      [3, 3, 'Step 3 of 3'],
    ])
  })

  test('a cancelled call stops working and is never answered', async () => {
    const { wait, waits } = manual()
    const { session, trace, call } = await connect({ wait })
    const started = session.call('tools/call', { name: 'count-slowly', arguments: { steps: 2 } })
    await until(() => waits.length === 1)
    started.cancel('enough')
    await expect(started.result).rejects.toMatchObject({ code: 'cancelled' })
    await call('echo', { message: 'still here' })
    expect(waits.length).toBe(1)
    const all = foldAll(exchanges, trace)
    const exchange = all.bySeq.get(started.seq!)!
    expect([exchange.status, exchange.response]).toEqual(['cancelled', undefined])
    expect(all.orphans.size).toBe(0)
  })
})

describe('a list that changes', () => {
  test('add-tool adds a tool that can be called, and says list_changed; forget-tools takes it away', async () => {
    const { session, trace, call } = await connect()
    await call('add-tool', { name: 'new-one' })
    expect(received(trace, 'notifications/tools/list_changed').length).toBe(1)
    expect((await listAll(session)).at(-1)).toMatchObject({ name: 'new-one' })
    expect(await call('new-one')).toMatchObject({ content: [{ text: 'Hello from new-one.' }] })
    expect(await call('add-tool', { name: 'new-one' })).toMatchObject({ isError: true })
    await call('forget-tools')
    expect(received(trace, 'notifications/tools/list_changed').length).toBe(2)
    expect((await listAll(session)).length).toBe(SAMPLE_TOOLS.length)
  })

  test('two connections do not see each other’s tools', async () => {
    const server = createSampleServer()
    const open = async (link: string) => {
      const session = new Session({
        trace: new Trace(),
        link,
        transport: new LoopbackTransport(server),
        clientInfo: { name: 'test', version: '1' },
      })
      opened.push(session)
      await session.open()
      return session
    }
    const [one, two] = [await open('one'), await open('two')]
    await callOf(one, 'add-tool', { name: 'mine' })
    expect((await listAll(two)).length).toBe(SAMPLE_TOOLS.length)
  })
})

test('a batch is answered in one piece in 2025-03-26 and refused later', async () => {
  const talk = async (protocolVersion: string) => {
    const lines: Json[] = []
    const end = createSampleServer().connect((text) => lines.push(JSON.parse(text) as Json))
    end.receive(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion } }))
    await until(() => lines.length === 1)
    end.receive(JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id: `p${id}`, method: 'ping' }))))
    await until(() => lines.length === 2)
    return lines[1]
  }
  expect(await talk('2025-03-26')).toEqual(['p1', 'p2'].map((id) => ({ jsonrpc: '2.0', id, result: {} })))
  expect(await talk('2025-11-25')).toMatchObject({ error: { code: -32600 } })
})

test('text that is no JSON is answered with -32700 and does not end the connection', async () => {
  const lines: JsonObject[] = []
  const end = createSampleServer().connect((text) => lines.push(JSON.parse(text) as JsonObject))
  end.receive('{"jsonrpc":')
  end.receive('{"jsonrpc":"2.0","id":1,"method":"ping"}')
  await until(() => lines.length === 2)
  expect(lines).toMatchObject([{ error: { code: -32700 } }, { id: 1, result: {} }])
})
