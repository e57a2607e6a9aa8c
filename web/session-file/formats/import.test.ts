import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { expectWithin, patient } from '../../../tests/patience.ts'
import {
  exchanges,
  foldAll,
  HttpSseTransport,
  LoopbackTransport,
  Session,
  StreamableHttpTransport,
  Trace,
  type Answers,
  type Frame,
  type Json,
  type JsonObject,
  type Transport,
} from '../../mcp/index.ts'
import { createSampleServer } from '../../sample/server.ts'
import { SAMPLE_TOOLS } from '../../sample/tools.ts'
import { faultOf } from '../guard.ts'
import { SessionFileError, type OpenedSession } from '../file.ts'
import { headOf } from '../write.ts'
import { exportAs } from './export.ts'
import { importedFrom } from './imported.ts'
import { importFrom } from './import.ts'

const ANSWERS: Answers = {
  'sampling/createMessage': async () => ({ role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'm' }),
  'elicitation/create': async () => ({ action: 'accept', content: { name: 'Ada' } }),
  'roots/list': async () => ({ roots: [] }),
}

interface Recording {
  readonly frames: readonly Frame[]
  readonly begunAt: string
}

/** What a user does first, on any server. */
const record = async (transport: Transport, calls: readonly JsonObject[]): Promise<Recording> => {
  const trace = new Trace()
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '1' },
    capabilities: () => ({ sampling: {}, elicitation: { form: {} }, roots: {} }),
    answers: ANSWERS,
  })
  await session.open()
  await session.request('tools/list').catch(() => {})
  for (const params of calls) await session.request('tools/call', params).catch(() => {})
  await session.request('tools/call', { name: 'there-is-none' }).catch(() => {})
  await session.close()
  return { frames: [...trace], begunAt: new Date(trace.begunAt).toISOString() }
}

const headFor = ({ begunAt }: Recording) =>
  headOf({ begunAt, tool: { name: 'mcp-periscope', version: '0.1.0' }, servers: [{ link: 's1', name: 'one' }] })

const said = (frames: readonly Frame[]) =>
  frames.flatMap((frame) => (frame.kind === 'message' ? [[frame.direction, frame.raw ?? frame.message]] : []))

const pairs = (frames: readonly Frame[]) => {
  const text = (seq: number | undefined) => {
    const frame = seq === undefined ? undefined : frames[seq]
    return frame?.kind === 'message' ? JSON.stringify(frame.message) : undefined
  }
  const { all, orphans } = foldAll(exchanges, frames)
  return {
    all: all.map((each) => ({
      is: `${each.direction} ${each.method} ${each.status}`,
      request: text(each.request),
      response: text(each.response),
      related: each.related.length,
    })),
    orphans: orphans.size,
  }
}

const sane = ({ frames }: OpenedSession): void => {
  frames.forEach((frame, at) => {
    expect(faultOf(JSON.parse(JSON.stringify(frame)) as Json)).toBeUndefined()
    expect(frame.seq).toBe(at)
    if (at > 0) expect(frame.at).toBeGreaterThanOrEqual(frames[at - 1]!.at)
  })
}

const opened = async (text: string, name = 'file'): Promise<OpenedSession> => {
  const session = await importFrom(text, name)
  expect(session).toBeDefined()
  sane(session!)
  return session!
}

const echo = { name: 'echo', arguments: { message: 'Grüße 🎈\n"x"' } }
const RICH = ['ask-form', 'ask-model', 'ask-roots', 'ask-all', 'log', 'contents', 'touch'].map((name) => ({
  name,
  arguments: {},
}))

const PEERS: readonly (readonly [string, () => Transport, readonly JsonObject[]])[] = [
  ['the SDK v1 over Streamable HTTP', () => new StreamableHttpTransport({ url: inject('everythingUrl') }), [
    echo,
    { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 3 } },
    { name: 'trigger-sampling-request', arguments: { prompt: 'x' } },
    { name: 'get-structured-content', arguments: { location: 'New York' } },
  ]],
  ['the SDK v2 over Streamable HTTP', () => new StreamableHttpTransport({ url: `${inject('modernUrl')}/har` }), [echo]],
  ['every feature at 2025-11-25', () => new StreamableHttpTransport({ url: `${inject('richUrl')}/v1/har` }), RICH],
  ['every feature at 2026-07-28', () => new StreamableHttpTransport({ url: `${inject('richUrl')}/v2/har` }), RICH],
  ['HTTP+SSE', () => new HttpSseTransport({ url: inject('sseUrl') }), [echo]],
  ['streams that are cut', () => new StreamableHttpTransport({ url: `${inject('cuttingUrl')}/between/2/${crypto.randomUUID()}` }), [
    { name: 'slow-count', arguments: { n: 6, ms: 20 } },
  ]],
  ['a server without HTTP', () => new LoopbackTransport(createSampleServer({ tools: SAMPLE_TOOLS, wait: async () => {} })), [
    echo,
    { name: 'count-slowly', arguments: { to: 3 } },
    { name: 'every-field', arguments: {} },
  ]],
] // prettier-ignore

describe.each(PEERS)('a session with %s', (_, transport, calls) => {
  test(
    'as HAR and back has the same messages in the same order, and the same pairs',
    { timeout: patient(120_000) },
    async () => {
      const recording = await record(transport(), calls)
      const { text } = await exportAs('har', headFor(recording), recording.frames)
      const session = await opened(text)
      expect(said(session.frames)).toEqual(said(recording.frames))
      expect(said(session.frames).length).toBeGreaterThan(4)
      expect(pairs(session.frames)).toEqual(pairs(recording.frames))
      expect(session.damage).toEqual([])
      const statuses = (frames: readonly Frame[]) =>
        frames.flatMap((frame) => (frame.kind === 'http' && frame.phase === 'response' ? [frame.status] : []))
      expect(statuses(session.frames)).toEqual(statuses(recording.frames))
      // The server identifies itself to the views as it did live.
      const peers = (frames: readonly Frame[]) =>
        frames.flatMap((frame) =>
          frame.kind === 'session' && frame.phase === 'open' ? [[frame.peer.info, frame.peer.revision]] : [],
        )
      expect(peers(session.frames)).toEqual(peers(recording.frames))
    },
  )

  test(
    'as another tool would write it, without what is ours, has the same messages and pairs',
    { timeout: patient(120_000) },
    async () => {
      const recording = await record(transport(), calls)
      if (!recording.frames.some(({ kind }) => kind === 'http')) return
      const { text } = await exportAs('har', headFor(recording), recording.frames)
      const foreign = JSON.stringify(
        JSON.parse(text, (key, value: unknown) => (key.startsWith('_') && key !== '_meta' ? undefined : value)),
      )
      const session = await opened(foreign)
      const sorted = (frames: readonly Frame[]) =>
        said(frames)
          .map((each) => JSON.stringify(each))
          .sort()
      expect(sorted(session.frames)).toEqual(sorted(recording.frames))
      const texts = (frames: readonly Frame[]) =>
        pairs(frames)
          .all.map(({ request, response }) => `${request} ${response}`)
          .sort()
      expect(texts(session.frames)).toEqual(texts(recording.frames))
      expect(importedFrom(session.head)?.format).toBe('har')
      expect(session.head.notes).toContain('a mapping, not a recording')
    },
  )
})

describe('a HAR of somebody else', () => {
  const entry = (extra: JsonObject): JsonObject => ({
    startedDateTime: '2026-01-01T00:00:01.000Z',
    time: 20,
    request: { method: 'GET', url: 'https://example.com/app.js', headers: [] },
    response: {
      status: 200,
      statusText: 'OK',
      headers: [],
      content: { size: 1, mimeType: 'text/javascript', text: 'x' },
    },
    timings: { send: 0, wait: 10, receive: 10 },
    ...extra,
  })
  const post = (message: Json, back: JsonObject): JsonObject =>
    entry({
      request: { method: 'POST', url: 'https://mcp.example.com/mcp?x=1', headers: [{ name: 'Authorization', value: 'Bearer abcdefghijk' }], postData: { mimeType: 'application/json', text: JSON.stringify(message) } }, // prettier-ignore
      response: {
        status: 200,
        statusText: '',
        headers: [{ name: 'Content-Type', value: 'text/event-stream' }],
        content: back,
      },
    })
  const har = (...entries: JsonObject[]) => JSON.stringify({ log: { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, entries } }) // prettier-ignore

  test('keeps what is MCP, leaves the rest out and counts it, and masks what is secret', async () => {
    const answer = { jsonrpc: '2.0', id: 1, result: { tools: [] } }
    const { head, frames } = await opened(
      har(
        entry({}),
        entry({}),
        post(
          { jsonrpc: '2.0', id: 1, method: 'tools/list' },
          { size: 1, text: `id: 7\ndata: ${JSON.stringify(answer)}` },
        ),
      ),
    )
    expect(importedFrom(head)).toMatchObject({ format: 'har', tool: 'WebInspector 537.36' })
    expect(importedFrom(head)?.losses).toContainEqual({ code: 'not-mcp', count: 2 })
    expect(pairs(frames).all).toMatchObject([{ is: 'sent tools/list ok' }])
    expect(frames.find((frame) => frame.kind === 'message' && frame.direction === 'received')).toMatchObject({
      eventId: '7',
      message: answer,
    })
    expect(JSON.stringify(frames)).not.toContain('abcdefghijk')
    expect(head.servers).toMatchObject([
      { name: 'mcp.example.com', target: { kind: 'url', url: 'https://mcp.example.com/mcp' } },
    ])
  })

  test('takes the events of a stream from where Chromium writes them, with their times', async () => {
    const data = [{ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }, { jsonrpc: '2.0', id: 1, result: {} }].map((one) => JSON.stringify(one)) // prettier-ignore
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: { progressToken: 1 } } }
    const start = Date.parse('2026-01-01T00:00:01.000Z') / 1000
    const events = data.map((text, at) => ({ time: start + at + 1, eventName: 'message', eventId: '', data: text }))
    const { frames } = await opened(
      har({ ...post(message, { size: 0, mimeType: 'text/event-stream' }), _eventSourceMessages: events }),
    )
    expect(pairs(frames).all).toMatchObject([{ is: 'sent tools/call ok' }])
    expect(frames.filter(({ kind }) => kind === 'message').map(({ at }) => Math.round(at))).toEqual([0, 1000, 2000])
  })

  test('whose times are too coarse to tell: answers come after what they answer, on whatever stream', async () => {
    const listen = entry({
      time: 60_000,
      request: { method: 'GET', url: 'https://mcp.example.com/mcp', headers: [] },
      response: {
        status: 200,
        headers: [{ name: 'Content-Type', value: 'text/event-stream' }],
        content: { text: `data: {"jsonrpc":"2.0","id":7,"method":"roots/list"}\n\ndata: {"jsonrpc":"2.0","id":3,"result":{}}\n\n` }, // prettier-ignore
      },
    })
    const { frames } = await opened(
      har(
        post({ jsonrpc: '2.0', id: 7, result: { roots: [] } }, {}),
        post({ jsonrpc: '2.0', id: 3, method: 'tools/call' }, {}),
        listen,
      ),
    )
    expect(pairs(frames)).toMatchObject({ orphans: 0, all: [{ is: 'sent tools/call ok' }, { is: 'received roots/list ok' }] }) // prettier-ignore
    // Not spread over the minute during which the stream was open.
    expect(frames.findLast(({ kind }) => kind === 'message')!.at).toBeLessThan(100)
  })

  test('says which bodies are not in it', async () => {
    const { head } = await opened(
      har(post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { size: 500, mimeType: 'x' })),
    )
    expect(importedFrom(head)?.losses).toContainEqual({ code: 'no-body', count: 1 })
  })

  test('two clients at one address, each with ids from 0, stay apart by their sessions', async () => {
    const by = (id: string): JsonObject => {
      const one = post(
        { jsonrpc: '2.0', id: 0, method: 'tools/list' },
        { size: 9, text: `data: ${JSON.stringify({ jsonrpc: '2.0', id: 0, result: { of: id } })}\n\n` },
      )
      const request = one.request as JsonObject
      return { ...one, request: { ...request, headers: [{ name: 'Mcp-Session-Id', value: id }] } }
    }
    const { frames, head } = await opened(har(by('a'), by('b')))
    expect(head.servers).toHaveLength(2)
    expect(pairs(frames)).toMatchObject({
      orphans: 0,
      all: [{ is: expect.stringMatching(/ok$/) as string }, { is: expect.stringMatching(/ok$/) as string }],
    })
  })

  test('without any MCP in it is refused, and why is said', async () => {
    await expect(importFrom(har(entry({})))).rejects.toMatchObject({ name: 'SessionFileError', code: 'empty' })
  })
})

describe('what other tools record', () => {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', _meta: { a: 1 } } }
  const result = { jsonrpc: '2.0', id: 1, result: { content: [] } }

  test('mcporter: directions, times, servers; its own member of each message is taken out again', async () => {
    const line = (message: JsonObject, dir: string, server: string, ms: number) =>
      JSON.stringify({ ...message, _meta: { dir, server, ts: new Date(1767225600000 + ms).toISOString() } })
    const text = [
      line({ jsonrpc: '2.0', method: '$transport/start' }, 'lifecycle', 'linear', 0),
      line(request, 'send', 'linear', 1),
      line(request, 'send', 'github', 2),
      line(result, 'recv', 'github', 3),
      line(result, 'recv', 'linear', 104),
      '{"jsonrpc":"2.0","id":9,"meth',
    ].join('\r\n')
    const { head, frames, damage } = await opened(text, 'demo.ndjson')
    expect(head).toMatchObject({ name: 'demo.ndjson', servers: [{ name: 'linear' }, { name: 'github' }] })
    expect(importedFrom(head)?.format).toBe('mcporter')
    expect(said(frames)).toEqual([
      ['sent', request],
      ['sent', request],
      ['received', result],
      ['received', result],
    ])
    expect(pairs(frames)).toMatchObject({
      orphans: 0,
      all: [{ is: expect.stringMatching(/ok$/) as string }, { is: expect.stringMatching(/ok$/) as string }],
    })
    expect(foldAll(exchanges, frames).all.map(({ startedAt, endedAt }) => endedAt! - startedAt)).toEqual([103, 1])
    expect(damage).toEqual([{ code: 'not-json', line: 6, why: 'the line has no JSON-RPC message' }])
  })

  const cassette = (server_url: string, version = '1.0') => ({
    version,
    metadata: { recorded_at: '2026-02-17T20:25:23.855390+00:00', server_url, server_info: { name: 'Calculator' } },
    interactions: [
      { type: 'jsonrpc_request', request: { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }, response: { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25', serverInfo: { name: 'Calculator' }, capabilities: { tools: {} } } }, response_is_sse: true, response_status: 200, latency_ms: 7 }, // prettier-ignore
      {
        type: 'notification',
        request: { jsonrpc: '2.0', method: 'notifications/initialized' },
        response: null,
        response_status: 202,
        latency_ms: 1,
      },
      {
        type: 'jsonrpc_request',
        request,
        response: result,
        response_is_sse: false,
        response_status: 200,
        latency_ms: 30,
      },
      {
        type: 'lifecycle',
        request: null,
        response: null,
        response_status: 200,
        latency_ms: 1,
        http_method: 'DELETE',
        http_path: '/mcp',
      },
    ],
  })

  test.each(['http://127.0.0.1:8000', 'stdio://node server.js'])(
    'a cassette of mcp-recorder of %s',
    async (address) => {
      const { head, frames } = await opened(JSON.stringify(cassette(address), null, 2))
      expect(importedFrom(head)?.format).toBe('mcp-recorder')
      expect(pairs(frames).all).toMatchObject([{ is: 'sent initialize ok' }, { is: 'sent tools/call ok' }])
      expect(frames).toContainEqual(expect.objectContaining({ kind: 'session', phase: 'open' }))
      const call = foldAll(exchanges, frames).all[1]!
      expect(call.endedAt! - call.startedAt).toBeCloseTo(30)
      const urls = frames.flatMap((frame) =>
        frame.kind === 'http' && frame.phase === 'request' ? [`${frame.method} ${frame.url}`] : [],
      )
      expect(new Set(urls)).toEqual(
        new Set(
          address.startsWith('http') ? ['POST http://127.0.0.1:8000/mcp', 'DELETE http://127.0.0.1:8000/mcp'] : [],
        ),
      )
    },
  )

  test('a cassette of another version is refused', async () => {
    const text = JSON.stringify(cassette('http://127.0.0.1', '2.0'))
    await expect(importFrom(text)).rejects.toMatchObject({ name: 'SessionFileError', code: 'unknown-version' })
  })

  test("the MCP Inspector's list of messages", async () => {
    const list = [
      { id: '1', timestamp: '2026-01-01T00:00:00.000Z', direction: 'request', origin: 'client', message: request, response: result, duration: 12 },
      { id: '2', timestamp: '2026-01-01T00:00:00.005Z', direction: 'notification', origin: 'server', message: { jsonrpc: '2.0', method: 'notifications/message', params: {} } },
      { id: '3', timestamp: '2026-01-01T00:00:01.000Z', direction: 'request', origin: 'server', message: { jsonrpc: '2.0', id: 1, method: 'roots/list' }, response: { jsonrpc: '2.0', id: 1, result: { roots: [] } }, duration: 1 },
    ] // prettier-ignore
    const { head, frames } = await opened(JSON.stringify(list))
    expect(importedFrom(head)?.format).toBe('inspector-protocol')
    expect(said(frames).map(([direction]) => direction)).toEqual(['sent', 'received', 'received', 'received', 'sent'])
    expect(pairs(frames).all).toMatchObject([{ is: 'sent tools/call ok' }, { is: 'received roots/list ok' }])
  })

  test("the MCP Inspector's list of requests", async () => {
    const list = [
      { id: '1', timestamp: '2026-01-01T00:00:00.000Z', method: 'POST', url: 'http://127.0.0.1:9/mcp', requestHeaders: { authorization: 'Bearer abcdefghijkl' }, requestBody: JSON.stringify(request), responseStatus: 200, responseHeaders: { 'content-type': 'application/json' }, responseBody: JSON.stringify(result), duration: 5, category: 'transport' },
      { id: '2', timestamp: '2026-01-01T00:00:01.000Z', method: 'POST', url: 'http://127.0.0.1:9/token', requestHeaders: {}, requestBody: 'grant_type=x', error: 'fetch failed', category: 'auth' },
    ] // prettier-ignore
    const { head, frames } = await opened(JSON.stringify(list))
    expect(importedFrom(head)?.format).toBe('inspector-network')
    expect(pairs(frames).all).toMatchObject([{ is: 'sent tools/call ok' }])
    expect(frames).toContainEqual(expect.objectContaining({ kind: 'http', phase: 'failed', error: 'fetch failed' }))
    expect(JSON.stringify(frames)).not.toContain('abcdefghijkl')
  })

  const [asked, told] = [JSON.stringify(request), JSON.stringify(result)]
  test.each([
    ['bare lines', [asked, told]],
    ['words before them', [`2026-01-01T00:00:00.000Z [info] [fs] Message from client: ${asked}`, 'something else', `2026-01-01T00:00:00.012Z [info] [fs] Message from server: ${told} { metadata: undefined }`]], // prettier-ignore
    ['arrows', [`--> ${asked}`, `<-- ${told}`]],
    ['records of a proxy', [JSON.stringify({ direction: 'c2s', ts: '2026-01-01T00:00:00Z', raw: request }), JSON.stringify({ direction: 'stderr', text: 'up' }), JSON.stringify({ direction: 's2c', ts: '2026-01-01T00:00:00.012Z', raw: result })]], // prettier-ignore
    ['records with texts', [JSON.stringify({ type: 'sent', timestamp: 1767225600000, payload: asked }), JSON.stringify({ type: 'received', timestamp: 1767225600012, payload: told })]], // prettier-ignore
    ['one array', [`[${asked},`, `${told}]`]],
  ])('a log of JSON-RPC: %s', async (_, lines) => {
    const { head, frames } = await opened(lines.join('\n'))
    expect(importedFrom(head)?.format).toBe('json-rpc')
    expect(said(frames).map(([direction]) => direction)).toEqual(['sent', 'received'])
    expect(pairs(frames).all).toMatchObject([{ is: 'sent tools/call ok' }])
  })

  test("a log without directions: a server's questions, and what it tells, are known by their names", async () => {
    const lines = [
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} },
      { jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} },
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ]
    const { frames, head } = await opened(lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(said(frames).map(([direction]) => direction)).toEqual(['sent', 'received', 'received', 'sent'])
    expect(importedFrom(head)?.losses).toContainEqual({ code: 'direction', count: 4 })
  })

  test.each([
    '',
    'hello',
    '{}',
    '[]',
    '[1,2]',
    'null',
    '{"format":"periscope-session","version":1}\n{}',
    '\x89PNG',
    '<html>',
  ])('what is none of these is nobody’s: %j', async (text) => expect(await importFrom(text)).toBeUndefined())

  test('a session as one array comes back frame for frame', async () => {
    const recording = await record(
      new LoopbackTransport(createSampleServer({ tools: SAMPLE_TOOLS, wait: async () => {} })),
      [echo],
    )
    const { text } = await exportAs('json', headFor(recording), recording.frames)
    const session = await importFrom(text)
    expect(session?.frames).toEqual(recording.frames)
    expect(session?.damage).toEqual([])
  })
})

describe('hostile files', () => {
  const seeds = [
    '{"log":{"version":"1.2","entries":[{"startedDateTime":"2026-01-01T00:00:00Z","time":1,"request":{"method":"POST","url":"http://a/mcp","headers":[{"name":"a","value":"b"}],"postData":{"text":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"m\\"}"}},"response":{"status":200,"headers":[{"name":"content-type","value":"text/event-stream"}],"content":{"text":"data: {\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"result\\":{}}\\n\\n"}},"timings":{"wait":1},"_periscope":{"link":"s1","messages":[[1,2],[2,3]]},"_eventSourceMessages":[{"time":1,"data":"x"}]}]}}',
    '{"version":"1.0","metadata":{"recorded_at":"2026-01-01","server_url":"http://a"},"interactions":[{"type":"jsonrpc_request","request":{"jsonrpc":"2.0","id":1,"method":"initialize"},"response":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"x"}},"latency_ms":1}]}',
    '[{"timestamp":"2026-01-01","direction":"request","message":{"jsonrpc":"2.0","id":1,"method":"m"},"response":{"jsonrpc":"2.0","id":1,"result":{}},"duration":2}]',
    '[{"timestamp":"2026-01-01","method":"POST","url":"http://a","requestHeaders":{"a":"b"},"requestBody":"x","responseStatus":200,"category":"auth"}]',
    '{"jsonrpc":"2.0","id":1,"method":"server/discover","_meta":{"dir":"send","server":"a","ts":"2026-01-01"}}\n{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]},"_meta":{"dir":"recv","server":"a","ts":"2026-01-01"}}',
  ]

  test(
    'changed anywhere are opened or refused, with no other error, and every frame is one',
    { timeout: patient(60_000) },
    async () => {
      const splice = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(12), put: fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('null', '[]', '{}', '1e999', '-1', '"', '__proto__', '\n', '\\u0000', '9'.repeat(30))) }) // prettier-ignore
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...seeds),
          fc.array(splice, { minLength: 1, maxLength: 4 }),
          async (seed, changes) => {
            let text = seed
            for (const { at, cut, put } of changes) {
              const from = Math.floor(at * text.length)
              text = text.slice(0, from) + put + text.slice(from + cut)
            }
            await tried(text)
          },
        ),
        { numRuns: 400 },
      )
    },
  )

  test(
    'with any value in any place are opened or refused, with no other error',
    { timeout: patient(60_000) },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...seeds.slice(0, 4)),
          fc.nat(60),
          fc.jsonValue({ maxDepth: 2 }),
          async (seed, place, value) => {
            let count = 0
            const text = JSON.stringify(JSON.parse(seed, (_, old: unknown) => (count++ === place ? value : old)))
            await tried(text)
          },
        ),
        { numRuns: 400 },
      )
    },
  )

  const tried = async (text: string): Promise<void> => {
    try {
      const session = await importFrom(text)
      if (session) sane(session)
    } catch (error) {
      if (!(error instanceof SessionFileError)) throw error
    }
  }

  const rpc = '{"jsonrpc":"2.0","id":1,"method":"m"}'
  test.each<[what: string, text: () => string]>([
    ['very deep', () => `{"log":{"entries":[${'['.repeat(200_000)}${']'.repeat(200_000)}]}}`],
    [
      'very deep in a message',
      () => `{"jsonrpc":"2.0","method":"m","params":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
    ],
    ['brackets that never end, on many lines', () => `${rpc}\n${`x {"jsonrpc" ${'{['.repeat(1000)}\n`.repeat(500)}`],
    ['one line of brackets', () => `${rpc}\n${'{"id":'.repeat(300_000)}`],
    [
      'many entries of nothing',
      () => `{"log":{"entries":[${'{"request":{"method":"GET","url":"x"}},'.repeat(100_000)}{}]}}`,
    ],
    ['a stream of one long line', () => JSON.stringify({ log: { entries: [{ request: { method: 'POST', url: 'http://a', postData: { text: rpc } }, response: { status: 200, headers: [{ name: 'content-type', value: 'text/event-stream' }], content: { text: `data: ${'x'.repeat(5_000_000)}` } } }] } })], // prettier-ignore
    ['many messages of one time', () => `${rpc}\n`.repeat(50_000)],
    [
      'foreign prototypes',
      () =>
        '{"jsonrpc":"2.0","method":"m","__proto__":{"polluted":true},"_meta":{"dir":"send","ts":"x","__proto__":{"polluted":true}}}',
    ],
  ])('%s: opened or refused in good time', { timeout: patient(120_000) }, async (_, make) => {
    const text = make()
    await expectWithin(5_000, () =>
      importFrom(text).catch((error: unknown) => void expect(error).toBeInstanceOf(SessionFileError)),
    )
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})
