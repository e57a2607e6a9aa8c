/** What a side may use only after it was declared, and the methods that a protocol version no longer has. */
import { describe, expect, test } from 'vitest'
import type { JsonObject, Revision } from '../../mcp/index.ts'
import { from, eachOf, pair, type Row, SERVER, type Story, until } from '../rows.case.ts'
import { cites, Talk } from '../talk.case.ts'

const HANDSHAKES = until('2025-11-25')
const asks =
  (method: string, params: JsonObject = {}) =>
  (story: Story) =>
    void story.talk.received({ jsonrpc: '2.0', id: 'q', method, params })
const tells = (method: string) => (story: Story) => void story.talk.tells(method)
const answers =
  (method: string, result: JsonObject, params: JsonObject = {}) =>
  (story: Story) =>
    story.call(method, params, result)
const nothing = () => {}

const SAMPLING = { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 9 }
const FORM = { message: 'x', requestedSchema: { type: 'object', properties: {} } }
const PAGE = { mode: 'url', message: 'x', url: 'https://h.example/', elicitationId: 'e' }

describe('a client that declared nothing', () => {
  test.each(
    eachOf(
      [
        ['CF-ROOT-01 MUST', HANDSHAKES, asks('roots/list'), asks('ping')],
        ['CF-SAMP-01 MUST', HANDSHAKES, asks('sampling/createMessage', SAMPLING), asks('ping')],
        ['CF-ELIC-01 MUST', until('2025-11-25', '2025-06-18'), asks('elicitation/create', FORM), asks('ping')],
      ],
      SERVER,
      {},
    ),
  )(
    'CF-ROOT-01, CF-SAMP-01, CF-ELIC-01: what the client did not declare is not asked: %s in %s',
    (_expected, _revision, check) => check(),
  )
})

describe('a client that declared the whole but not the part', () => {
  const rows: Row[] = [
    ['CF-ELIC-01 MUST', ['2025-11-25'], asks('elicitation/create', PAGE), asks('elicitation/create', FORM)],
    ['CF-SAMP-08 MUST', ['2025-11-25'], asks('sampling/createMessage', { ...SAMPLING, tools: [] }), asks('sampling/createMessage', SAMPLING)],
    ['CF-SAMP-08 MUST', ['2025-11-25'], asks('sampling/createMessage', { ...SAMPLING, toolChoice: { mode: 'auto' } }), asks('sampling/createMessage', SAMPLING)],
    ['TASK-02 SHOULD', ['2025-11-25'], asks('sampling/createMessage', { ...SAMPLING, task: {} }), asks('sampling/createMessage', SAMPLING)],
    ['TASK-02 SHOULD', ['2025-11-25'], asks('elicitation/create', { ...FORM, task: {} }), asks('elicitation/create', FORM)],
  ] // prettier-ignore
  test.each(eachOf(rows, SERVER, { sampling: {}, elicitation: {} }))(
    'CF-ELIC-01, CF-SAMP-08, TASK-02: what the client declared without a part is asked without it: %s in %s',
    (_expected, _revision, check) => check(),
  )
  const tasks = { requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } }
  test('TASK-02, CF-SAMP-08, CF-ELIC-01: declared in full, all of it may be asked', () => {
    const client = { sampling: { tools: {} }, elicitation: { url: {} }, tasks }
    const talk = new Talk().shakeHands('2025-11-25', SERVER, client)
    talk.received({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: { ...SAMPLING, tools: [], task: {} } })
    talk.received({ jsonrpc: '2.0', id: 2, method: 'elicitation/create', params: { ...PAGE, task: {} } })
    expect(cites(talk)).toEqual([])
    talk.received({ jsonrpc: '2.0', id: 3, method: 'elicitation/create', params: FORM })
    expect(cites(talk)).toEqual(['CF-ELIC-01 MUST'])
  }) // prettier-ignore
})

describe('a server that declared nothing but logging', () => {
  const content = { content: [] }
  const state = {
    taskId: 'k',
    status: 'working',
    ttl: null,
    createdAt: '2026-01-01T00:00:00Z',
    lastUpdatedAt: '2026-01-01T00:00:00Z',
  }
  const refuses = (method: string, params: JsonObject) => (story: Story) =>
    void story.talk.refuse(story.ask(method, params), -32601)
  test.each(eachOf(
    [
      ['SF-TOOL-01 MUST', HANDSHAKES, tells('notifications/tools/list_changed'), nothing],
      ['SF-RES-01 MUST', HANDSHAKES, tells('notifications/resources/list_changed'), nothing],
      ['SF-PROMPT-01 MUST', HANDSHAKES, tells('notifications/prompts/list_changed'), nothing],
      ['SF-TOOL-01 MUST', from('2024-11-05'), answers('tools/call', content, { name: 't' }), nothing],
      ['SF-RES-01 MUST', from('2024-11-05'), answers('resources/read', { contents: [{ uri: 'a:b', text: 'x' }] }, { uri: 'a:b' }), nothing],
      ['SF-PROMPT-01 MUST', from('2024-11-05'), answers('prompts/get', { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] }, { name: 'p' }), nothing],
      ['TASK-12 MUST', ['2025-11-25'], answers('tasks/list', { tasks: [] }), nothing],
      ['TASK-01 MUST', ['2025-11-25'], answers('tasks/get', state, { taskId: 'k' }), nothing],
      ['TASK-01 MUST', ['2025-11-25'], answers('tasks/cancel', { ...state, status: 'cancelled' }, { taskId: 'k' }), refuses('tasks/cancel', { taskId: 'k' })],
      ['SF-RES-07 MUST', HANDSHAKES, answers('resources/subscribe', {}, { uri: 'a:b' }), refuses('resources/subscribe', { uri: 'a:b' })],
      ['SF-RES-07 MUST', HANDSHAKES, answers('resources/unsubscribe', {}, { uri: 'a:b' }), nothing],
    ],
    { logging: {} },
  ))('what the server did not declare is neither sent nor answered: %s in %s', (_expected, _revision, check) => check()) // prettier-ignore
})

describe('a server that declared features, but not that it tells their changes', () => {
  test.each(eachOf(
    [
      ['SF-TOOL-21 SHOULD', HANDSHAKES, tells('notifications/tools/list_changed'), nothing],
      ['SF-RES-13 SHOULD', HANDSHAKES, tells('notifications/resources/list_changed'), nothing],
      ['SF-PROMPT-07 SHOULD', HANDSHAKES, tells('notifications/prompts/list_changed'), nothing],
    ],
    { tools: {}, resources: {}, prompts: {} },
  ))('SF-TOOL-21, SF-RES-13, SF-PROMPT-07: a change notification that was not declared: %s in %s', (_expected, _revision, check) => check()) // prettier-ignore
})

test.each(HANDSHAKES)('SF-LOG-01: a level is accepted only where logging was declared, in %s', (revision) => {
  for (const [server, expected] of [
    [{ tools: {} }, ['SF-LOG-01 MUST']],
    [{ logging: {} }, []],
  ] as const) {
    const talk = new Talk().shakeHands(revision, server)
    talk.answer(talk.ask('logging/setLevel', { level: 'info' }), {})
    expect(cites(talk)).toEqual(expected)
  }
})

test('TASK-01: of tasks, each method that was declared is served', () => {
  const state = { taskId: 'k', status: 'working', ttl: null, createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' }
  const talk = new Talk().shakeHands('2025-11-25', { tasks: { list: {} } })
  talk.answer(talk.ask('tasks/get', { taskId: 'k' }), state)
  talk.answer(talk.ask('tasks/list'), { tasks: [] })
  expect(cites(talk)).toEqual([])
  talk.answer(talk.ask('tasks/cancel', { taskId: 'k' }), { ...state, status: 'cancelled' })
  expect(cites(talk)).toEqual(['TASK-01 MUST'])
}) // prettier-ignore

describe('2026-07-28: without any subscription', () => {
  test.each(
    eachOf([
      ['SF-TOOL-21 SHOULD', ['2026-07-28'], tells('notifications/tools/list_changed'), nothing],
      ['SF-PROMPT-07 SHOULD', ['2026-07-28'], tells('notifications/prompts/list_changed'), nothing],
      ['SF-RES-13 SHOULD', ['2026-07-28'], tells('notifications/resources/list_changed'), nothing],
    ]),
  )(
    'SF-TOOL-21, SF-RES-13, SF-PROMPT-07: a change notification without a subscription: %s in %s',
    (_expected, _revision, check) => check(),
  )
})

describe('resources that are subscribed', () => {
  const listens = (story: Story, { uri }: JsonObject) => {
    const id = story.ask('subscriptions/listen', { notifications: { resourceSubscriptions: ['a://b/c', 'a://d/'] } })
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id }
    story.talk.tells('notifications/subscriptions/acknowledged', { notifications: { resourceSubscriptions: ['a://b/c'] }, _meta })
    story.talk.tells('notifications/resources/updated', { uri: uri ?? null, _meta })
  } // prettier-ignore
  const subscribes = (story: Story, again: boolean) => {
    story.call('resources/subscribe', { uri: 'a:b' }, {})
    const id = story.ask('resources/unsubscribe', { uri: 'a:b' })
    // In transit when the request came.
    story.talk.tells('notifications/resources/updated', { uri: 'a:b' })
    story.answer(id, {})
    if (again) story.talk.tells('notifications/resources/updated', { uri: 'a:b' })
  }
  test.each(
    eachOf([
      ['SF-RES-09 MUST', ['2026-07-28'], ...pair(listens, { uri: 'a://b/cc' }, { uri: 'a://b/c#d' })],
      ['SF-RES-09 MUST', ['2026-07-28'], ...pair(listens, { uri: 'a://other' }, { uri: 'a://d/e' })],
      ['SF-RES-07 MUST', HANDSHAKES, (story) => subscribes(story, true), (story) => subscribes(story, false)],
    ]),
  )('SF-RES-07, SF-RES-09: only subscribed resources may be updated: %s in %s', (_expected, _revision, check) =>
    check(),
  )
})

describe('methods and their answers:', () => {
  const byHand = (method: string, params: JsonObject, answer: JsonObject) => (story: Story) => {
    story.talk.sent({ jsonrpc: '2.0', id: 'h', method, params: story.talk.envelope(params) }, { byHand: true })
    story.talk.received({ jsonrpc: '2.0', id: 'h', ...answer })
  }
  const error = (code: number, data?: JsonObject): JsonObject => ({ error: { code, message: 'no', ...(data ? { data } : {}) } })
  const named = error(-32022, { supported: ['2026-07-28'], requested: '2025-11-25' })
  const offer = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const health = (answer: JsonObject) => byHand('server/discover', {}, answer)
  const pong = (answer: JsonObject) => (story: Story) => {
    story.talk.received({ jsonrpc: '2.0', id: story.ask('ping'), ...answer })
  }
  const served = { result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } } } }
  const result = { result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } } } }
  test.each(eachOf([
    ['UT-PING-04 MUST', ['2026-07-28'], byHand('ping', {}, result), byHand('ping', {}, error(-32601))],
    ['UT-PING-04 MUST', ['2026-07-28'], byHand('ping', {}, error(-32603)), byHand('ping', {}, error(-32601))],
    ['UT-PING-01 MUST', HANDSHAKES, pong({ result: null }), pong({ result: {} })],
    ['UT-PING-01 MUST', HANDSHAKES, pong(error(-32601)), pong({ result: {} })],
    ['VN-04 MUST', ['2026-07-28'], health(error(-32601)), health(served)],
    ['VN-04 MUST', ['2026-07-28'], health({ result: { ...served.result, supportedVersions: ['2025-11-25'] } }), health({ result: { ...served.result, supportedVersions: ['2026-07-28', '2025-11-25'] } })],
    ['VN-29 SHOULD', ['2026-07-28'], byHand('initialize', offer, error(-32601)), byHand('initialize', offer, named)],
    ['CF-URL-08 MUST', ['2026-07-28'], tells('notifications/elicitation/complete'), nothing],
  ]))('a method that a version lacks, or must have, is answered as such: %s in %s', (_expected, _revision, check) => check())
}) // prettier-ignore

test('VN-29: an older server that refuses initialize has no versions to name', () => {
  const talk = new Talk()
  const params = { protocolVersion: '2025-11-25' satisfies Revision, capabilities: {}, clientInfo: {} }
  talk.refuse(talk.ask('initialize', params), -32601)
  expect(cites(talk)).toEqual([])
})
