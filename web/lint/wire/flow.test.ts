import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { cites, judged, listed, META, modern, Talk } from '../talk.case.ts'

const call = (talk: Talk, token: Json = 7): number =>
  talk.ask('tools/call', { name: 't', _meta: { progressToken: token } })
const progress = (talk: Talk, token: Json, value: Json) =>
  talk.tells('notifications/progress', { progressToken: token, progress: value })

describe('progress', () => {
  test('UT-PROG-02: a value that does not grow is told with the one before', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    call(talk)
    progress(talk, 7, 0.5)
    const before = progress(talk, 7, 3)
    const same = progress(talk, 7, 3)
    progress(talk, 7, 4)
    expect(listed(judged(talk))).toMatchObject([
      { rule: 'UT-PROG-02', keyword: 'MUST', seq: same, related: before, pointer: '/params/progress' },
    ])
  })

  test('UT-PROG-04: an unknown token, one of the other type, and one whose request was answered are told', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    const id = call(talk)
    progress(talk, 'nobody', 1)
    progress(talk, '7', 1)
    progress(talk, 7, 1)
    talk.answer(id, { content: [] })
    progress(talk, 7, 2)
    expect(listed(judged(talk)).map(({ explanation }) => explanation)).toEqual([
      'No request has the progress token "nobody"',
      'Progress for "7", a string; the request has 7, a number',
      'The request with the progress token 7 already has a response',
    ])
    expect(cites(talk)).toEqual(['UT-PROG-04 MUST', 'UT-PROG-04 MUST', 'UT-PROG-04 MUST'])
  })

  test('UT-PROG-04: progress of a request that the client gave up is a race', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    const id = call(talk)
    talk.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
    progress(talk, 7, 1)
    expect(cites(talk)).toEqual([])
  })

  test('UT-PROG-05: the token of a task lives until the task has ended', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    const id = talk.ask('tools/call', { name: 't', task: {}, _meta: { progressToken: 7 } })
    talk.answer(id, { task: { taskId: 'x', status: 'working' } })
    progress(talk, 7, 1)
    expect(cites(talk)).toEqual([])
    talk.tells('notifications/tasks/status', { taskId: 'x', status: 'completed' })
    progress(talk, 7, 2)
    expect(cites(talk)).toEqual(['UT-PROG-04 MUST'])
  })

  test('UT-PROG-05: the token of a task ends with its cancellation', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    const id = talk.ask('tools/call', { name: 't', task: {}, _meta: { progressToken: 7 } })
    const task = {
      taskId: 'x',
      status: 'working',
      ttl: null,
      createdAt: '2026-01-01T00:00:00Z',
      lastUpdatedAt: '2026-01-01T00:00:00Z',
    }
    talk.answer(id, { task })
    talk.answer(talk.ask('tasks/cancel', { taskId: 'x' }), { ...task, status: 'cancelled' })
    progress(talk, 7, 2)
    expect(cites(talk)).toEqual(['UT-PROG-04 MUST'])
  })

  test('UT-PROG-07: a thousand notifications within a second are a flood, told once', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    call(talk)
    // This trace's clock advances one millisecond per frame.
    for (let value = 1; value <= 3_000; value++) progress(talk, 7, value)
    expect(cites(talk)).toEqual(['UT-PROG-07 SHOULD'])
  })

  test('UT-PROG-08: a call that became a task of the extension has no progress', () => {
    const client = { extensions: { [`${META}tasks`]: {} } }
    const talk = new Talk().discover({ tools: {}, extensions: { [`${META}tasks`]: {} } }, client)
    const id = talk.ask('tools/call', talk.envelope({ name: 't' }, client, { progressToken: 7 }))
    talk.answer(id, modern({ resultType: 'task', taskId: 'x', status: 'working' }))
    progress(talk, 7, 1)
    expect(cites(talk)).toEqual(['UT-PROG-08 MUST'])
  })
})

describe('cancellations of the server', () => {
  const cancel = (talk: Talk, requestId: Json) => talk.tells('notifications/cancelled', { requestId })

  test('UT-CANC-01: one of its own requests may be cancelled, nothing else', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.received({ jsonrpc: '2.0', id: 'q', method: 'ping' })
    cancel(talk, 'q')
    expect(cites(talk)).toEqual([])
    const ours = talk.ask('tools/list')
    cancel(talk, ours)
    cancel(talk, 'nobody')
    expect(cites(talk)).toEqual(['UT-CANC-01 MUST', 'UT-CANC-01 MUST'])
  })

  test('UT-CANC-04: one that was answered meanwhile is a race', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.received({ jsonrpc: '2.0', id: 'q', method: 'ping' })
    talk.sent({ jsonrpc: '2.0', id: 'q', result: {} })
    cancel(talk, 'q')
    expect(cites(talk)).toEqual([])
  })

  test('UT-CANC-02: in 2026-07-28 only a subscription may be ended so', () => {
    const talk = new Talk().discover()
    const listen = talk.ask('subscriptions/listen', talk.envelope({ notifications: { toolsListChanged: true } }))
    cancel(talk, listen)
    expect(cites(talk)).toEqual([])
    cancel(talk, talk.ask('tools/list', talk.envelope()))
    expect(cites(talk)).toEqual(['UT-CANC-02 MUST'])
  })
})

describe('the handshake', () => {
  const answered = (result: JsonObject) => {
    const talk = new Talk()
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }
    talk.answer(talk.ask('initialize', params), result)
    return talk
  }

  test.each([
    ['a date before all revisions', '1999-01-01'],
    ['a draft', 'DRAFT-2025-v3'],
    ['a revision without a handshake', '2026-07-28'],
    ['a number', 7],
    ['nothing', null],
  ])('LC-07: %s as the outcome is told', (_, protocolVersion) => {
    expect(cites(answered({ protocolVersion, capabilities: {}, serverInfo: {} }))).toEqual(['LC-07 MUST'])
  })

  test.each(['2024-11-05', '2025-11-25', '2031-01-01'])('LC-07: %s as the outcome is well', (protocolVersion) => {
    expect(cites(answered({ protocolVersion, capabilities: {}, serverInfo: {} }))).toEqual([])
  })

  test('LC-07: a refusal that lists what was offered contradicts itself', () => {
    const talk = new Talk()
    const id = talk.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} })
    talk.refuse(id, -32602, 'no', { supported: ['2025-06-18', '2025-11-25'] })
    expect(cites(talk)).toEqual(['LC-07 MUST'])
  })

  test('LC-05: before initialized the server may ping and log, and nothing else', () => {
    const talk = new Talk()
    const id = talk.ask('initialize', { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: {} })
    talk.received({ jsonrpc: '2.0', id: 1, method: 'ping' })
    talk.tells('notifications/message', { level: 'info', data: 'x' })
    expect(cites(talk)).toEqual([])
    talk.received({ jsonrpc: '2.0', id: 2, method: 'roots/list' })
    const capabilities = { tools: { listChanged: true } }
    talk.answer(id, { protocolVersion: '2025-11-25', capabilities, serverInfo: {} })
    talk.tells('notifications/tools/list_changed')
    expect(cites(talk)).toEqual(['LC-05 SHOULD', 'LC-05 SHOULD'])
    talk.sent({ jsonrpc: '2.0', method: 'notifications/initialized' })
    talk.tells('notifications/tools/list_changed')
    expect(cites(talk)).toHaveLength(2)
  })

  test('LC-09: what was not declared is not used, as strongly as the revision has it', () => {
    for (const [revision, keyword] of [
      ['2025-03-26', 'SHOULD'],
      ['2025-06-18', 'MUST'],
    ] as const) {
      const talk = new Talk().shakeHands(revision, { resources: {} }, { roots: {} })
      talk.received({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
      talk.ask('resources/subscribe', { uri: 'a:b' })
      expect(cites(talk)).toEqual([])
      talk.tells('notifications/resources/updated', { uri: 'a:b' })
      expect(cites(talk)).toEqual([`LC-09 ${keyword}`])
    }
  })

  test('LC-09: methods of another revision, of clients, and of none are told with where they exist', () => {
    const talk = new Talk().shakeHands('2025-03-26')
    talk.received({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: {} })
    talk.tells('notifications/elicitation/complete', {})
    talk.tells('notifications/initialized')
    talk.tells('notifications/com.example/news')
    expect(listed(judged(talk)).map(({ rule, explanation }) => [rule, explanation])).toEqual([
      ['LC-09', expect.stringContaining('only versions from 2025-06-18 have it') as string],
      ['LC-09', expect.stringContaining('only 2025-11-25') as string],
      ['LC-09', expect.stringContaining('Only clients send') as string],
      ['LC-09', expect.stringContaining('no protocol version has it') as string],
    ])
  })

  test('VN-07: in 2026-07-28 a notification that nobody defined is told', () => {
    const talk = new Talk().discover()
    talk.tells('notifications/com.example/news')
    expect(cites(talk)).toEqual(['VN-07 MUST'])
  })

  test('SF-LOG-01, LC-09: notifications of what the server did not declare are told', () => {
    const talk = new Talk().shakeHands('2025-11-25', { tools: {} })
    talk.tells('notifications/message', { level: 'info', data: 1 })
    talk.tells('notifications/tasks/status', { taskId: 'x', status: 'working' })
    expect(cites(talk)).toEqual(['SF-LOG-01 MUST', 'LC-09 MUST'])
  })

  test('SF-TOOL-01, SF-RES-01, SF-PROMPT-01, SF-COMP-01: what works was to be declared, told once; empty lists are well', () => {
    const talk = new Talk().shakeHands('2025-11-25', {})
    for (let round = 0; round < 2; round++) {
      talk.answer(talk.ask('tools/list'), { tools: [] })
      talk.answer(talk.ask('tools/list'), { tools: [{ name: 't', inputSchema: {} }] })
      talk.answer(talk.ask('resources/templates/list'), { resourceTemplates: [{}] })
      talk.answer(talk.ask('prompts/list'), { prompts: [{}] })
      talk.answer(talk.ask('completion/complete'), { completion: { values: [] } })
    }
    expect(cites(talk)).toEqual(['SF-TOOL-01 MUST', 'SF-RES-01 MUST', 'SF-PROMPT-01 MUST', 'SF-COMP-01 MUST'])
  })

  test('SF-RES-07: an update of a resource belongs to a subscription', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.tells('notifications/resources/updated', { uri: 'mem://x' })
    expect(cites(talk)).toEqual(['SF-RES-07 MUST'])
    talk.ask('resources/subscribe', { uri: 'mem://x' })
    talk.tells('notifications/resources/updated', { uri: 'mem://x/below' })
    expect(cites(talk)).toHaveLength(1)
  })

  test('a handshake beside a slow probe changes nothing once the session is open without it', () => {
    const talk = new Talk().discover()
    const late = talk.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} })
    talk.answer(late, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } })
    talk.tells('notifications/resources/updated', { uri: 'mem://x' })
    expect(cites(talk).filter((cite) => cite.startsWith('SF-RES-07'))).toEqual([])
  })

  test('CF-URL-05: only an elicitation that was begun is completed', () => {
    const talk = new Talk().shakeHands('2025-11-25', {}, { elicitation: { url: {} } })
    const complete = (elicitationId: string) => talk.tells('notifications/elicitation/complete', { elicitationId })
    talk.received({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: { mode: 'url', elicitationId: 'e1' } })
    const elicitations = [{ mode: 'url', elicitationId: 'e2', url: 'https://h', message: 'x' }]
    talk.refuse(talk.ask('tools/call', { name: 't' }), -32042, 'visit', { elicitations })
    complete('e1')
    complete('e2')
    expect(cites(talk)).toEqual([])
    complete('e3')
    expect(cites(talk)).toEqual(['CF-URL-05 MUST'])
  })
})
