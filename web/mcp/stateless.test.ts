/** The stateless protocol, against servers on the official SDK v2 and servers of one kind each (tests/servers/eras). */
import { describe, expect, inject, test } from 'vitest'
import { until } from '../../tests/patience.ts'
import {
  exchanges,
  foldAll,
  LoopbackTransport,
  StreamableHttpTransport,
  type FrameOf,
  type JsonObject,
  type MessageFrame,
} from './index.ts'
import { begin, CAPABILITIES, kind, metaOf, modern, textOf } from './stateless.case.ts'

describe('each request carries all it needs', () => {
  test('META-10, META-11, META-12, VN-02: revision, client and capabilities, on every request', async () => {
    const { session, sent } = await modern()
    await session.request('tools/list')
    await session.request('tools/call', { name: 'echo', arguments: { text: 'x' }, _meta: { 'com.example/mine': 1 } })
    await session.close()
    expect(sent().map(({ message }) => message.method)).toEqual(['server/discover', 'tools/list', 'tools/call'])
    for (const { message } of sent()) {
      expect(metaOf(message)).toMatchObject({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
        'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
      })
    }
    expect(metaOf(sent('tools/call')[0]!.message)).toMatchObject({ 'com.example/mine': 1 })
  })

  test('META-15: on request each has a trace context of its own, and one that was written stays', async () => {
    const { session, sent } = await modern({ traceContext: true })
    await session.request('tools/list')
    await session.request('tools/list', { _meta: { traceparent: 'mine' } })
    await session.close()
    const told = sent('tools/list').map(({ message }) => metaOf(message).traceparent)
    expect(told).toEqual([expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/), 'mine'])
    const plain = await modern()
    await plain.session.request('tools/list')
    await plain.session.close()
    expect(metaOf(plain.sent('tools/list')[0]!.message)).not.toHaveProperty('traceparent')
  })

  test('TR-HDR-02, TR-HDR-06, TR-HDR-07, TR-HTTP-31: the headers repeat it, and there is no session', async () => {
    const { session, heads, trace } = await kind('session-id')
    await session.request('resources/read', { uri: 'mem://counter' }).catch(() => {})
    await session.close()
    expect(heads()).toHaveLength(2)
    for (const head of heads()) {
      expect(head).toMatchObject({ 'mcp-protocol-version': '2026-07-28' })
      expect(head).not.toHaveProperty('mcp-session-id')
    }
    expect(heads()[1]).toMatchObject({ 'mcp-method': 'resources/read', 'mcp-name': 'mem://counter' })
    const methods = [...trace].flatMap((frame) =>
      frame.kind === 'http' && frame.phase === 'request' ? [frame.method] : [],
    )
    expect(methods).toEqual(['POST', 'POST'])
  })

  test('TR-XH-01: annotated arguments reach a server on the official SDK as headers', async () => {
    const { session } = await modern()
    await session.request('tools/list')
    const args = { tenant: 'Grüße', priority: 3, dry: true, place: { region: '' }, note: 'no header' }
    const told = JSON.parse(textOf(await session.request('tools/call', { name: 'routed', arguments: args }))) as {
      headers: JsonObject
    }
    expect(told.headers).toMatchObject({
      'mcp-param-tenant': '=?base64?R3LDvMOfZQ==?=',
      'mcp-param-priority': '3',
      'mcp-param-dry-run': 'true',
      'mcp-param-region': '',
    })
    expect(told.headers).not.toHaveProperty('mcp-param-note')
    await session.close()
  })

  test('TR-XH-08: headers made from an old list are refused; the list is asked for again, and the call succeeds', async () => {
    const { session, sent } = await kind('stale-header')
    await session.request('tools/list')
    await session.request('tools/call', { name: 't', arguments: { a: 'x', b: 'y' } })
    expect(
      sent()
        .map(({ message }) => message.method)
        .slice(1),
    ).toEqual(['tools/list', 'tools/call', 'tools/list', 'tools/call'])
    expect(sent('tools/call')[1]!.follows).toBe(sent('tools/call')[0]!.seq)
    await session.close()
  })

  test('TR-XH-08: a mismatch that a fresh list does not mend is the answer', async () => {
    const { session, sent } = await kind('header-mismatch-call')
    await expect(session.request('tools/call', { name: 't' })).rejects.toMatchObject({ code: -32020, status: 400 })
    expect(sent('tools/call')).toHaveLength(1)
    await session.close()
  })

  test('BP-33: what capability is missing is the server’s word, and comes whole', async () => {
    const { session } = await kind('capability-for-call', { capabilities: () => ({}) })
    const refused = session.request('tools/call', { name: 't' })
    await expect(refused).rejects.toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: {} } } })
    await session.close()
  })

  test('BR-12: arguments beyond 2^53 go out as they were written, beside what the era adds', async () => {
    const { session, trace } = await modern()
    const paramsText = '{"name":"echo","arguments":{"text":"1","n":12345678901234567890}}'
    await session.call('tools/call', JSON.parse(paramsText) as JsonObject, { paramsText }).result.catch(() => {})
    const raw = [...trace].findLast(
      (frame): frame is MessageFrame => frame.kind === 'message' && frame.direction === 'sent',
    )
    expect(raw?.raw).toContain('"n":12345678901234567890')
    expect(raw?.raw).toContain('"io.modelcontextprotocol/protocolVersion":"2026-07-28"')
    await session.close()
  })
})

describe('what a result is', () => {
  test('BP-41: one without resultType is complete', async () => {
    const { session } = await kind('no-result-type')
    await expect(session.request('tools/list')).resolves.toHaveProperty('tools')
    await session.close()
  })

  test.each([
    'unknown-result-type',
    'result-type-number',
    'task-undeclared',
    'tasks-on-list',
    'input-required-on-list',
  ])('BP-42, BP-43, MRTR-01: %s is no answer to the call, and the session goes on', async (name) => {
    const { session } = await kind(name)
    const method = name.endsWith('-list') ? 'tools/list' : 'tools/call'
    await expect(session.request(method, { name: 't' })).rejects.toMatchObject({ code: 'invalid-result' })
    expect(session.state).toBe('open')
    await session.close()
  })

  test('BP-43: a task is a result once the extension is declared', async () => {
    const capabilities = () => ({ extensions: { 'io.modelcontextprotocol/tasks': {} } })
    const { session } = await kind('tasks', { capabilities })
    await expect(session.request('tools/call', { name: 'slow' })).resolves.toMatchObject({ resultType: 'task' })
    await session.close()
  })

  test('BP-11, BP-12: a request of the server gets no answer, and the call goes on', async () => {
    const { session, sent } = await kind('server-request')
    await session.request('tools/call', { name: 't' })
    await session.request('tools/list')
    expect(sent().every(({ message }) => 'method' in message)).toBe(true)
    await session.close()
  })
})

/**
 * Real servers don't break streams on demand, so this stands in for the network. A chunk may hold several events when
 * the machine is busy, so the cut is after the first empty line, not after the first chunk.
 */
const cutAfterFirstEvent: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response
  const reader = response.body!.getReader()
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      let text = ''
      const decoder = new TextDecoder()
      while (!text.includes('\n\n')) {
        const { done, value } = await reader.read()
        if (done) break
        text += decoder.decode(value, { stream: true })
      }
      await reader.cancel()
      controller.enqueue(new TextEncoder().encode(text.slice(0, text.indexOf('\n\n') + 2)))
    },
    pull: (controller) => controller.error(new TypeError('cut')),
  })
  const { status, headers } = response
  return new Response(body, { status, headers })
}

describe('cancelling', () => {
  test('TR-HTTP-10, UT-CANC-02: closes the stream at once and sends nothing', async () => {
    const { session, trace, sent } = await modern()
    const call = session.call('tools/call', { name: 'never', arguments: {} })
    await until(() => call.seq !== undefined)
    call.cancel('enough')
    await expect(call.result).rejects.toMatchObject({ code: 'cancelled' })
    const closed = (frame: { kind: string }): frame is FrameOf<'http'> & { phase: 'failed' } =>
      frame.kind === 'http' && (frame as FrameOf<'http'>).phase === 'failed'
    await until(() => [...trace].some(closed))
    expect([...trace].find(closed)).toMatchObject({ aborted: 'enough' })
    expect(sent('notifications/cancelled')).toEqual([])
    expect(foldAll(exchanges, trace).all.at(-1)).toMatchObject({ status: 'cancelled' })
    await session.close()
  })

  test('UT-TIME-02: a limit that is over closes the stream too', async () => {
    const { session, trace } = await modern()
    const call = session.request('tools/call', { name: 'never', arguments: {} }, { idle: 100 })
    await expect(call).rejects.toMatchObject({ code: 'timeout' })
    await until(() => [...trace].some((frame) => frame.kind === 'http' && frame.phase === 'failed'))
    await session.close()
  })

  test('TR-HTTP-11: a stream that breaks has lost its request, and nothing asks for the rest', async () => {
    const url = `${inject('modernUrl')}/${crypto.randomUUID()}`
    const pair = begin(new StreamableHttpTransport({ url, fetch: cutAfterFirstEvent }))
    await pair.session.open()
    const call = pair.session.call('tools/call', { name: 'slow-count', arguments: { n: 3, ms: 20 } })
    await expect(call.result).rejects.toMatchObject({ code: 'stream-lost' })
    await new Promise((resolve) => setTimeout(resolve, 700))
    const requests = [...pair.trace].filter((frame) => frame.kind === 'http' && frame.phase === 'request')
    expect(requests).toHaveLength(2)
    expect(pair.heads().some((head) => 'last-event-id' in head)).toBe(false)
    await pair.session.close()
  })

  test('UT-PING-04: there is no ping; asking whether it lives is server/discover', async () => {
    const { session, sent } = await modern()
    expect(await session.ping()).toBeGreaterThan(0)
    expect(sent().map(({ message }) => message.method)).toEqual(['server/discover', 'server/discover'])
    await session.close()
  })
})

describe('without HTTP', () => {
  test('TR-STDIO-15, UT-CANC-02: there are no headers, and a notification cancels', async () => {
    const heard: JsonObject[] = []
    const server = {
      connect: (reply: (text: string) => void) => ({
        receive: (text: string) => {
          const message = JSON.parse(text) as JsonObject
          heard.push(message)
          if (message.method !== 'server/discover') return
          const result = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} }
          reply(JSON.stringify({ jsonrpc: '2.0', id: message.id!, result }))
        },
        close: () => {},
      }),
    }
    const { session } = begin(new LoopbackTransport(server))
    expect((await session.open()).revision).toBe('2026-07-28')
    const call = session.call('tools/call', { name: 't' })
    await until(() => call.seq !== undefined)
    call.cancel('enough')
    await until(() => heard.length === 3)
    expect(heard[2]).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: call.id, reason: 'enough' },
    })
    await session.close()
  })
})
