/** Answers that contradict their request: its code, its tool, its headers, or its cancellation. */
import { describe, expect, test } from 'vitest'
import { type Json, type JsonObject, REVISIONS, type Revision, Trace } from '../../mcp/index.ts'
import { eachOf, from, type Row, SERVER, type Story, until } from '../rows.case.ts'
import { cites, modern, Talk } from '../talk.case.ts'

const HANDSHAKES = until('2025-11-25')
const NOW: Revision[] = ['2026-07-28']
const refuses =
  (method: string, params: JsonObject, code: number, message = 'no', data?: JsonObject) =>
  (story: Story) =>
    void story.talk.refuse(story.ask(method, params), code, message, data)
const tool = (more: JsonObject = {}): JsonObject => ({ name: 't', inputSchema: { type: 'object' }, ...more })
const afterListing =
  (then: (story: Story) => void, more: JsonObject = {}) =>
  (story: Story) => {
    story.call('tools/list', {}, { tools: [tool(more)] })
    then(story)
  }
const CALL = { name: 't', arguments: {} }
const CONTENT = { content: [{ type: 'text', text: 'x' }] }
const fails = (story: Story) => story.call('tools/call', CALL, { ...CONTENT, isError: true })

describe('codes', () => {
  const worksOnce = (then: (story: Story) => void) => (story: Story) => {
    story.call('prompts/get', { name: 'p' }, { messages: [] })
    then(story)
  }
  const read = (code: number, words: string) => refuses('resources/read', { uri: 'a:b' }, code, words)
  const rows: Row[] = [
    ['BP-30 MUST', REVISIONS, refuses('prompts/list', {}, -32700), refuses('prompts/list', {}, -32603)],
    ['SF-TOOL-01 MUST', REVISIONS, refuses('tools/list', {}, -32601), refuses('resources/templates/list', {}, -32601)],
    ['SF-PROMPT-01 MUST', REVISIONS, refuses('prompts/list', {}, -32601), refuses('prompts/list', {}, -32603)],
    ['SF-RES-01 MUST', REVISIONS, refuses('resources/list', {}, -32601), refuses('resources/list', {}, -32603)],
    ['SF-RES-07 MUST', HANDSHAKES, refuses('resources/subscribe', { uri: 'a:b' }, -32601), refuses('resources/subscribe', { uri: 'a:b' }, -32603)],
    ['BP-38 SHOULD', NOW, refuses('prompts/list', {}, -32010), refuses('prompts/list', {}, -31010)],
    ['BP-30 MUST', REVISIONS, worksOnce(refuses('prompts/get', { name: 'p' }, -32601, 'Internal error')), worksOnce(refuses('prompts/get', { name: 'p' }, -32603, 'Internal error'))],
    ['BP-30 MUST', REVISIONS, afterListing(refuses('tools/call', CALL, -32601)), afterListing(fails)],
    ['BP-35 SHOULD', HANDSHAKES, read(-32601, 'Resource not found'), read(-32601, 'Method not found')],
    ['BP-35 MUST', NOW, read(-32603, 'No such file'), read(-32602, 'No such file')],
    ['SF-TOOL-19 SHOULD', from('2025-11-25'), afterListing(refuses('tools/call', CALL, -32602)), afterListing(fails)],
    ['SF-TOOL-19 SHOULD', from('2025-11-25'), afterListing(refuses('tools/call', CALL, -32603, 'Invalid arguments for t')), afterListing(refuses('tools/call', CALL, -32603, 'The disk is full'))],
  ] // prettier-ignore
  test.each(eachOf(rows))('BP-30, BP-35, SF-TOOL-19: a code has its meaning: %s in %s', (_expected, _revision, check) =>
    check(),
  )

  test('BP-30, BP-35: without the capability, -32601 is right', () => {
    const talk = new Talk().shakeHands('2025-11-25', { tools: {} })
    talk.refuse(talk.ask('prompts/list'), -32601)
    talk.refuse(talk.ask('resources/read', { uri: 'a:b' }), -32601, 'Resource not found')
    expect(cites(talk)).toEqual([])
  })

  test('SF-TOOL-19: up to 2025-06-18, invalid arguments are a protocol error', () => {
    const talk = new Talk().shakeHands('2025-06-18')
    talk.answer(talk.ask('tools/list'), { tools: [tool()] })
    talk.refuse(talk.ask('tools/call', CALL), -32602)
    expect(cites(talk)).toEqual([])
  })
})

describe('tasks', () => {
  const TIMES = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' }
  const TASK = { task: { taskId: 'k', status: 'working', ttl: null, ...TIMES } }
  const execution = (taskSupport: string) => ({ execution: { taskSupport } })
  const call = (result: JsonObject, task: boolean) => (story: Story) =>
    story.call('tools/call', task ? { ...CALL, task: {} } : CALL, result)
  const refused = (task: boolean) => refuses('tools/call', task ? { ...CALL, task: {} } : CALL, -32601)
  const declared: Row[] = [
    ['TASK-03 MUST', ['2025-11-25'], afterListing(call(CONTENT, false), execution('required')), afterListing(refused(false), execution('required'))],
    ['TASK-03 MUST', ['2025-11-25'], afterListing(call(TASK, true), execution('forbidden')), afterListing(refused(true), execution('forbidden'))],
    ['TASK-03 MUST', ['2025-11-25'], afterListing(call(CONTENT, false), execution('required')), afterListing(call({ ...CONTENT, isError: true }, false), execution('required'))],
    ['TASK-03 MUST', ['2025-11-25'], afterListing(call(TASK, true)), afterListing(refused(true))],
    ['TASK-03 MUST', ['2025-11-25'], afterListing(refuses('tools/call', { ...CALL, task: {} }, -32600, 'Tasks are not supported')), afterListing(refused(true))],
    ['TASK-03 MUST', ['2025-11-25'], afterListing(refuses('tools/call', CALL, -32000, 'Needs a task'), execution('required')), afterListing(refuses('tools/call', CALL, -32000, 'Out of disk'), execution('required'))],
    ['TASK-04 MUST', ['2025-11-25'], afterListing(call(CONTENT, true), execution('optional')), afterListing(call(TASK, true), execution('optional'))],
  ] // prettier-ignore
  const undeclared: Row[] = [
    ['TASK-01 MUST', ['2025-11-25'], call(TASK, true), call(CONTENT, true)],
    // Without the capability, the server ignores the member (TASK-14).
    ['TASK-01 MUST', ['2025-11-25'], afterListing(call(TASK, true), execution('optional')), afterListing(call(CONTENT, true), execution('optional'))],
  ] // prettier-ignore
  test.each([
    ...eachOf(declared, { ...SERVER, tasks: { requests: { tools: { call: {} } } } }),
    ...eachOf(undeclared, { ...SERVER, tasks: {} }),
  ])('TASK-01, TASK-03, TASK-04: a call becomes a task where both sides may: %s in %s', (_expected, _revision, check) =>
    check(),
  )

  const state = { taskId: 'k', status: 'working', ttlMs: null, ...TIMES }
  const data = { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } }
  const needed = refuses('tasks/get', { taskId: 'k' }, -32021, 'no', data)
  const withExtension = { ...SERVER, extensions: { 'io.modelcontextprotocol/tasks': {} } }
  const rows: Row[] = [
    ['TEXT-04 MUST', NOW, (story) => story.call('tasks/get', { taskId: 'k' }, state), needed],
    ['TEXT-04 MUST', NOW, refuses('tasks/cancel', { taskId: 'k' }, -32600), needed],
  ]
  test.each(eachOf(rows, withExtension, {}))(
    'TEXT-04: without the extension in the request, its methods are refused: %s in %s',
    (_expected, _revision, check) => check(),
  )
})

describe('over HTTP, a request written manually', () => {
  const send = (
    headers: Readonly<Record<string, string>>,
    meta: JsonObject,
    answer: JsonObject,
    status = 200,
    revision: Revision = '2026-07-28',
  ) => {
    const talk = revision === '2026-07-28' ? new Talk().discover() : new Talk().shakeHands(revision)
    const list = Object.entries(headers)
    const carrier = talk.http('POST', 'message', { headers: list })
    const params = { name: 't', arguments: {}, _meta: meta }
    talk.sent({ jsonrpc: '2.0', id: 'h', method: 'tools/call', params }, { carrier, byHand: true })
    talk.head(carrier, status)
    talk.received({ jsonrpc: '2.0', id: 'h', ...answer }, { carrier })
    return cites(talk)
  }
  const named = (version: Json): JsonObject => ({
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  })
  const OK = { result: modern(CONTENT) }
  const error = (code: number, data?: JsonObject): JsonObject => ({
    error: { code, message: 'no', ...(data ? { data } : {}) },
  })
  const V = { 'mcp-protocol-version': '2026-07-28' }

  test('META-10: without the keys in _meta, it is refused', () => {
    expect(send(V, named('2026-07-28'), OK)).toEqual([])
    expect(send(V, {}, error(-32602), 400)).toEqual([])
    const { 'io.modelcontextprotocol/clientCapabilities': _, ...without } = named('2026-07-28')
    for (const meta of [{}, without]) {
      expect(send(V, meta, OK)).toEqual(['META-10 MUST'])
      expect(send(V, meta, error(-32602), 500)).toEqual(['META-10 MUST'])
      expect(send(V, meta, error(-32000), 400)).toEqual(['META-10 MUST'])
    }
  })

  test('TR-HDR-02: a header that differs from the body, or is missing, is refused', () => {
    expect(send({ 'mcp-protocol-version': '2025-11-25' }, named('2026-07-28'), error(-32020), 400)).toEqual([])
    expect(send({ 'mcp-protocol-version': '2025-11-25' }, named('2026-07-28'), OK)).toContain('TR-HDR-02 MUST')
    expect(send({}, named('2026-07-28'), OK)).toEqual(['TR-HDR-02 MUST'])
    expect(send({}, named('2026-07-28'), error(-32600), 400)).toEqual(['TR-HDR-02 MUST'])
    expect(send({ 'mcp-protocol-version': '2025-11-25' }, named('2026-07-28'), error(-32020), 401)).not.toContain(
      'TR-HDR-02 MUST',
    )
    expect(send({ 'mcp-protocol-version': '2025-11-25' }, named('2026-07-28'), error(-32020), 422)).toContain(
      'TR-HDR-02 MUST',
    )
  })

  test('TR-HDR-03: a version that the server lacks is refused with its own code', () => {
    const future = { 'mcp-protocol-version': '2031-01-01' }
    const data = { supported: ['2026-07-28'], requested: '2031-01-01' }
    expect(send(future, named('2031-01-01'), error(-32022, data), 400)).toEqual([])
    expect(send(future, named('2031-01-01'), error(-32600), 400)).toEqual(['TR-HDR-03 MUST'])
  })

  test.each(from('2025-06-18'))('TR-HDR-03: an unsupported version is refused with 400, in %s', (revision) => {
    const meta = revision === '2026-07-28' ? named('1999-01-01') : {}
    const by = (status: number) =>
      send({ 'mcp-protocol-version': '1999-01-01' }, meta, error(-32022, { supported: [], requested: 'x' }), status, revision)
    expect(by(400).filter((each) => each.startsWith('TR-HDR'))).toEqual([])
    expect(by(503).filter((each) => each.startsWith('TR-HDR-03')).length).toBe(revision === '2026-07-28' ? 1 : 0)
    expect(by(500)).toContain('TR-HDR-03 MUST')
  }) // prettier-ignore

  test.each(REVISIONS)('SEC-09: a foreign Origin is refused, in %s', (revision) => {
    const isModern = revision === '2026-07-28'
    const meta = isModern ? named(revision) : {}
    const version = { 'mcp-protocol-version': revision }
    const result = isModern ? OK : { result: CONTENT }
    const by = (origin: string, answer: JsonObject, status?: number) =>
      send({ ...version, origin }, meta, answer, status, revision)
    for (const origin of ['http://evil.example', 'null']) {
      expect(by(origin, result)).toEqual(['SEC-09 MUST'])
      expect(by(origin, error(-32000), 403)).toEqual([])
    }
    for (const origin of ['http://h', 'http://localhost:3000']) expect(by(origin, result)).toEqual([])
  })
})

test('TR-HTTP-13: an event stream says that it is not to be buffered, told once; CORS may hide it', () => {
  const stream = (more: object) => {
    const talk = new Talk().discover()
    for (let count = 0; count < 2; count++) {
      const request = talk.post({ jsonrpc: '2.0', id: `a${count}`, method: 'tools/call', params: talk.envelope(CALL) })
      const head = { kind: 'http', phase: 'response', request: request.seq, status: 200, statusText: '' } as const
      talk.add({ ...head, headers: [['content-type', 'text/event-stream']], ...more })
    }
    return cites(talk)
  }
  expect(stream({})).toEqual(['TR-HTTP-13 SHOULD'])
  expect(stream({ crossOrigin: true })).toEqual([])
  const headers = [['content-type', 'text/event-stream'], ['X-Accel-Buffering', 'No']] // prettier-ignore
  expect(stream({ headers })).toEqual([])
})

test.each(REVISIONS)('UT-CANC-03: a response long after the cancellation is reported, one that crossed it is not, in %s', (revision) => {
  let at = 0
  const talk = new Talk('s1', new Trace({ now: () => at }))
  if (revision === '2026-07-28') talk.discover()
  else talk.shakeHands(revision)
  const params = revision === '2026-07-28' ? talk.envelope(CALL) : CALL
  const cancelled = (after: number) => {
    const requestId = talk.ask('tools/call', params)
    talk.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
    at += after
    talk.answer(requestId, revision === '2026-07-28' ? modern(CONTENT) : CONTENT)
  }
  cancelled(500)
  expect(cites(talk)).toEqual([])
  cancelled(2_000)
  expect(cites(talk)).toEqual(['UT-CANC-03 SHOULD'])
}) // prettier-ignore

test.each(from('2025-03-26'))('TR-HTTP-14: a message under another event name is reported once, in %s', (revision) => {
  const named = (name: string, data: string) => {
    const talk = revision === '2026-07-28' ? new Talk().discover() : new Talk().shakeHands(revision)
    const post = talk.post(talk.request('tools/call', revision === '2026-07-28' ? talk.envelope(CALL) : CALL))
    post.head(200, 'text/event-stream')
    for (let count = 0; count < 2; count++)
      talk.add({ kind: 'stream', event: 'data', request: post.seq, name, data, size: data.length })
    return cites(talk).filter((each) => !each.startsWith('TR-HTTP-21'))
  }
  expect(named('result', '{"jsonrpc":"2.0","id":1,"result":{}}')).toEqual(['TR-HTTP-14 MUST'])
  expect(named('heartbeat', '{"time":1}')).toEqual([])
}) // prettier-ignore

describe('what is said of things that are known', () => {
  test.each(from('2025-11-25'))('ICON-06: a size is WxH or any, in %s', (revision) => {
    const sized = (...sizes: string[]) => {
      const isModern = revision === '2026-07-28'
      const talk = isModern ? new Talk().discover() : new Talk().shakeHands(revision)
      const result = { tools: [tool({ icons: [{ src: 'https://h/a.png', sizes }] })] }
      talk.answer(
        talk.ask('tools/list', isModern ? talk.envelope() : {}),
        isModern ? modern({ ...result, ttlMs: 0, cacheScope: 'private' }) : result,
      )
      return cites(talk)
    }
    expect(sized('any', '48x48', '16X16')).toEqual([])
    for (const odd of ['large', '48', '0x0', '']) expect(sized('any', odd)).toEqual(['ICON-06 MAY'])
  })

  const completes = (count: number) => (story: Story) => {
    const page = { mode: 'url', message: 'x', url: 'https://h.example/', elicitationId: 'e' }
    story.asks('elicitation/create', page)
    for (let each = 0; each < count; each++)
      story.talk.tells('notifications/elicitation/complete', { elicitationId: 'e' })
  }
  const flag = (key: string) => (story: Story) => story.call('tools/call', CALL, { ...CONTENT, _meta: { [key]: 1 } })
  const rows: Row[] = [
    ['CF-URL-05 MUST', ['2025-11-25'], completes(2), completes(1)],
    ['META-03 MUST', ['2025-06-18'], flag('modelcontextprotocol.io/flag'), flag('example.org/flag')],
  ]
  test.each(eachOf(rows))('CF-URL-05, META-03: ids and keys: %s in %s', (_expected, _revision, check) => check())
})

describe('VN-09', () => {
  const lists = (method: string, member: string, key: string) => (names: readonly string[], more: JsonObject = {}) => ({
    method,
    result: { [member]: names.map((name) => ({ ...tool(), name, [key]: name })), ttlMs: 60_000, cacheScope: 'private', ...more },
  }) // prettier-ignore
  const ways = [
    lists('tools/list', 'tools', 'name'),
    lists('prompts/list', 'prompts', 'name'),
    lists('resources/list', 'resources', 'uri'),
  ]
  const story = (way: (typeof ways)[number], between: (talk: Talk) => void, more: JsonObject = {}) => {
    const talk = new Talk().discover()
    talk.ask('subscriptions/listen', talk.envelope({ notifications: { toolsListChanged: true } }))
    for (const [at, names] of [['a:a'], ['a:a', 'a:b']].entries()) {
      if (at > 0) between(talk)
      const { method, result } = way(names, more)
      talk.answer(talk.ask(method, talk.envelope()), modern(result))
    }
    return cites(talk).filter((each) => each.startsWith('VN-09'))
  }
  const call = (talk: Talk) => void talk.answer(talk.ask('tools/call', talk.envelope(CALL)), modern(CONTENT))

  test.each(ways)('VN-09: neither does another request, list %#', (way) => {
    const request = (method: string, params: JsonObject) => (talk: Talk) =>
      void talk.answer(talk.ask(method, talk.envelope(params)), modern({}))
    for (const [method, params] of [
      ['prompts/get', { name: 'p' }],
      ['resources/read', { uri: 'a:b' }],
      ['completion/complete', {}],
    ] as const)
      expect(story(way, request(method, params))).toEqual(['VN-09 MUST'])
    expect(story(way, request('server/discover', {}))).toEqual([])
  })

  test.each(ways)('VN-09: a call changes no list that was said to be fresh, list %#', (way) => {
    expect(story(way, call)).toEqual(['VN-09 MUST'])
    expect(story(way, () => {})).toEqual([])
    expect(story(way, call, { ttlMs: 0 })).toEqual([])
  })

  test('VN-09: a list may change with a notification, and with other credentials', () => {
    const [tools] = ways
    const both = (then: (talk: Talk) => void) => (talk: Talk) => {
      call(talk)
      then(talk)
    }
    expect(story(tools!, both((talk) => void talk.tells('notifications/tools/list_changed')))).toEqual([])
    expect(story(tools!, both((talk) => void talk.flow('2026-07-28')))).toEqual([])
  }) // prettier-ignore
})

describe('MCP Apps', () => {
  const client = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }
  const links = (meta: JsonObject) => (story: Story) => story.call('tools/list', {}, { tools: [tool({ _meta: meta })] })
  const nested = (resourceUri: Json) => links({ ui: { resourceUri } })
  const reads = (mimeType?: string) => (story: Story) => {
    nested('ui://a/b')(story)
    const part = { uri: 'ui://a/b', text: '<p>', ...(mimeType === undefined ? {} : { mimeType }) }
    story.call('resources/read', { uri: 'ui://a/b' }, { contents: [part] })
  }
  const html = 'text/html; profile="mcp-app"'
  test.each(
    eachOf(
      [
        ['APPS-02 MUST', REVISIONS, nested('https://h/a.html'), nested('ui://a/b')],
        ['APPS-02 MUST', REVISIONS, nested(7), links({ ui: { visibility: ['app'] } })],
        ['APPS-02 MUST', REVISIONS, links({ 'ui/resourceUri': '/a' }), links({ 'ui/resourceUri': 'ui://a/b' })],
        ['APPS-02 MUST', REVISIONS, reads('text/html'), reads(html)],
        ['APPS-02 MUST', REVISIONS, reads(), reads('text/html;profile=mcp-app')],
      ],
      SERVER,
      client,
    ),
  )('APPS-02: a tool links to a page of its own: %s in %s', (_expected, _revision, check) => check())

  test('APPS-02: without the extension, the members are someone else’s', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.answer(talk.ask('tools/list'), { tools: [tool({ _meta: { ui: { resourceUri: 'https://h/' } } })] })
    talk.answer(talk.ask('resources/read', { uri: 'ui://x' }), { contents: [{ uri: 'ui://x', mimeType: 'text/html', text: '' }] })
    expect(cites(talk)).toEqual([])
  }) // prettier-ignore
})

test.each(from('2025-03-26'))('TR-HTTP-14: a stream that ends within an event is reported; one that breaks is not, in %s', (revision) => {
  const ends = (why: 'ended' | 'broken', more: { unfinished?: true; stray?: string }) => {
    const talk = revision === '2026-07-28' ? new Talk().discover() : new Talk().shakeHands(revision)
    const params = revision === '2026-07-28' ? talk.envelope(CALL) : CALL
    const post = talk.post(talk.request('tools/call', params))
    post.head(200, 'text/event-stream')
    talk.add({ kind: 'stream', event: 'close', request: post.seq, why, ...more })
    return cites(talk)
  }
  expect(ends('ended', { unfinished: true })).toEqual(['TR-HTTP-14 MUST'])
  expect(ends('ended', { stray: '{"jsonrpc":"2.0"}' })).toEqual(['TR-HTTP-14 MUST'])
  expect(ends('ended', {})).toEqual([])
  expect(ends('broken', { unfinished: true })).toEqual([])
}) // prettier-ignore

describe('an unknown method', () => {
  const asks = (answer: { status: number; code?: number; body?: string }, method = 'acme/unknown') => {
    const talk = new Talk().discover({ tools: {} })
    const post = talk.post(talk.request(method, talk.envelope()))
    post.head(answer.status, answer.code === undefined ? 'text/plain' : 'application/json')
    if (answer.code !== undefined)
      post.says({ jsonrpc: '2.0', id: post.id, error: { code: answer.code, message: 'no' } })
    post.end(answer.body?.length, answer.body)
    return cites(talk)
  }
  test('VN-25: is answered 404 with -32601', () => {
    for (const method of ['acme/unknown', 'prompts/list']) {
      expect(asks({ status: 404, code: -32601 }, method)).toEqual([])
      expect(asks({ status: 404, body: 'Not Found' }, method)).toEqual(['VN-25 MUST'])
      expect(asks({ status: 404, code: -32600 }, method)).toEqual(['VN-25 MUST'])
      expect(asks({ status: 400, code: -32600 }, method)).toEqual(['VN-25 MUST'])
      expect(asks({ status: 500, body: 'Oops' }, method)).toEqual(['VN-25 MUST'])
    }
    // Known methods, gateways and servers with methods of their own.
    expect(asks({ status: 404, body: 'Not Found' }, 'tools/list')).toEqual([])
    expect(asks({ status: 503, body: 'Busy' })).toEqual([])
    expect(asks({ status: 200, code: -32602 })).toEqual([])
  })

  test.each(HANDSHAKES)('BP-30: isn’t an invalid request, in %s', (revision) => {
    const talk = new Talk().shakeHands(revision)
    talk.refuse(talk.ask('acme/unknown'), -32601)
    talk.refuse(talk.ask('acme/unknown'), -32000)
    expect(cites(talk)).toEqual([])
    talk.refuse(talk.ask('acme/unknown'), -32600)
    expect(cites(talk)).toEqual(['BP-30 MUST'])
  })
})

test.each(REVISIONS)('BP-06: an error that shows that the request was read has its id, in %s', (revision) => {
  const refused = (code: number, between: (talk: Talk) => void = () => {}) => {
    const talk = revision === '2026-07-28' ? new Talk().discover() : new Talk().shakeHands(revision)
    talk.ask('tools/call', revision === '2026-07-28' ? talk.envelope(CALL) : CALL)
    between(talk)
    talk.received({ jsonrpc: '2.0', error: { code, message: 'no' } })
    return cites(talk).filter((each) => each.startsWith('BP-06'))
  }
  expect(refused(-32602)).toEqual(['BP-06 MUST'])
  for (const code of [-32700, -32600, -32000]) expect(refused(code)).toEqual([])
  // It may be about the notification.
  expect(refused(-32601, (talk) => void talk.sent({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }))).toEqual([])
}) // prettier-ignore

describe('content', () => {
  const image = (data: string) => ({ type: 'image', data, mimeType: 'image/png' })
  const resource = (more: JsonObject) => ({ type: 'resource', resource: { uri: 'a:b', ...more } })
  const gets = (content: JsonObject) => (story: Story) => story.call('prompts/get', { name: 'p' }, { messages: [{ role: 'user', content }] })
  const calls = (content: JsonObject) => (story: Story) => story.call('tools/call', CALL, { content: [content] })
  const reads = (more: JsonObject) => (story: Story) => story.call('resources/read', { uri: 'a:b' }, { contents: [{ uri: 'a:b', ...more }] })
  const samples = (content: JsonObject) => (story: Story) => story.asks('sampling/createMessage', { messages: [{ role: 'user', content }], maxTokens: 9 })
  const link = (uri: string) => ({ type: 'resource_link', uri, name: 'x' })
  test.each(eachOf([
    ['SF-RES-04 MUST', REVISIONS, reads({ blob: '<<binary>>' }), reads({ blob: 'AAAA' })],
    ['SF-RES-04 MUST', REVISIONS, reads({ blob: 'AA-_' }), reads({ blob: '' })],
    ['SF-RES-04 MUST', REVISIONS, calls(resource({ blob: 'data:,x' })), calls(resource({ blob: 'AAA=' }))],
    ['SF-RES-04 MUST', REVISIONS, gets(resource({ blob: 'x' })), gets(resource({ text: 'x' }))],
    ['SF-RES-04 MUST', REVISIONS, calls(resource({})), calls(resource({ text: '' }))],
    ['SF-RES-12 SHOULD', REVISIONS, reads({ uri: 'file:///my file', text: 'x' }), reads({ uri: 'file:///my%20file', text: 'x' })],
    ['SF-RES-12 SHOULD', from('2025-06-18'), calls(link('C:\\a')), calls(link('file:///C:/a'))],
    ['SF-TOOL-10 MUST', REVISIONS, calls({ type: 'resource', uri: 'a:b' }), calls(resource({ text: 'x' }))],
    ['SF-PROMPT-04 MUST', REVISIONS, gets({ type: 'resource', resource: 'a:b' }), gets(resource({ text: 'x' }))],
    ['SF-TOOL-11 MUST', REVISIONS, gets(image('*')), gets(image('AAAA'))],
    ['SF-TOOL-11 MUST', REVISIONS, samples(image('*')), samples(image('AAAA'))],
  ]))('SF-RES-04, SF-RES-12, SF-TOOL-11: is what its kind promises: %s in %s', (_expected, _revision, check) => check())
}) // prettier-ignore

describe('a notification about a task', () => {
  const TIMES = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' }
  const whole = { taskId: 'k', status: 'working', ttlMs: null, ...TIMES }
  const tells = (params: JsonObject) => {
    const talk = new Talk().discover()
    const id = talk.ask('subscriptions/listen', talk.envelope({ notifications: { taskIds: ['k'] } }))
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id }
    talk.tells('notifications/subscriptions/acknowledged', { notifications: { taskIds: ['k'] }, _meta })
    talk.tells('notifications/tasks', { ...params, _meta })
    return cites(talk).filter((each) => each.startsWith('TEXT-13'))
  }
  test('TEXT-13: carries the full task', () => {
    expect(tells(whole)).toEqual([])
    expect(tells({ ...whole, status: 'completed', result: { content: [] } })).toEqual([])
    const { status: _, ...without } = whole
    for (const partial of [without, { taskId: 'k' }, { ...whole, status: 'completed' }, { ...whole, status: 'failed' }])
      expect(tells(partial)).toEqual(['TEXT-13 MUST'])
  })
})
