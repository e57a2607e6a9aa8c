import { describe, expect, test } from 'vitest'
import type { Json, JsonObject, MessageDraft, Revision } from '../../mcp/index.ts'
import { cites, judged, listed, modern, rulesAndShapes, Talk } from '../talk.case.ts'

const HANDSHAKES = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const satisfies readonly Revision[]
const ping = (id: number | string): JsonObject => ({ jsonrpc: '2.0', id, method: 'ping' })

describe.each(HANDSHAKES)('ids in %s', (revision) => {
  test('BP-04: an id that the server uses for two requests of a session is told, with the first', () => {
    const talk = new Talk().shakeHands(revision)
    const first = talk.received(ping('a'))
    talk.received(ping('b'))
    talk.sent({ jsonrpc: '2.0', id: 'a', result: {} })
    const second = talk.received(ping('a'))
    expect(cites(talk)).toEqual(['BP-04 MUST'])
    expect(listed(judged(talk))).toMatchObject([{ seq: second, related: first, revision, pointer: '/id' }])
  })

  test('BP-04: numbers and texts are different ids, those of the client are its own, and a new session begins anew', () => {
    const talk = new Talk().shakeHands(revision)
    const id = talk.ask('tools/list')
    talk.received(ping(id))
    talk.received(ping(String(id)))
    talk.answer(id, { tools: [] })
    talk.add({ kind: 'session', phase: 'renewing', why: 'gone' })
    talk.shakeHands(revision)
    talk.received(ping(id))
    expect(cites(talk)).toEqual([])
  })

  test('BP-06: an answer to nobody, a second answer and an id of the other type are told', () => {
    const talk = new Talk().shakeHands(revision)
    const id = talk.ask('tools/list')
    talk.answer(4711, { tools: [] })
    talk.answer(String(id), { tools: [] })
    talk.answer(id, { tools: [] })
    const found = listed(judged(talk))
    expect(found.map(({ rule }) => rule)).toEqual(['BP-06', 'BP-06', 'BP-06'])
    expect(found.map(({ explanation }) => explanation)).toEqual([
      'No request with the id 4711 was sent',
      `The response has the id "${id}", a string; its request has ${id}, a number`,
      `The request ${id} already has a response`,
    ])
  })

  test('BP-06: an answer that comes after the client gave up or cancelled is a race, and nobody’s fault', () => {
    const talk = new Talk().shakeHands(revision)
    const late = talk.ask('tools/list')
    const seq = talk.trace.length - 1
    talk.add({ kind: 'session', phase: 'gave-up', request: seq, why: 'timeout', explanation: 'x' })
    const cancelled = talk.ask('tools/list')
    talk.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: cancelled } })
    talk.answer(late, { tools: [] })
    talk.answer(cancelled, { tools: [] })
    expect(cites(talk)).toEqual([])
  })

  test('BP-10: a notification gets no response, not even an error without an id', () => {
    const talk = new Talk().shakeHands(revision)
    const id = talk.ask('tools/list')
    talk.answer(id, { tools: [] })
    talk.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
    talk.received({ jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' } })
    expect(cites(talk)).toContain('BP-10 MUST')
    const busy = new Talk().shakeHands(revision)
    busy.ask('tools/list')
    busy.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'other' } })
    busy.received({ jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' } })
    expect(cites(busy)).not.toContain('BP-10 MUST')
  })

  test('BP-10: a notification with an id is told', () => {
    const talk = new Talk().shakeHands(revision)
    talk.received({ jsonrpc: '2.0', id: 7, method: 'notifications/message', params: { level: 'info', data: 1 } })
    expect(cites(talk)).toContain('BP-10 MUST')
  })

  test('BP-12: a request of the server is well before 2026-07-28', () => {
    const talk = new Talk().shakeHands(revision)
    talk.received(ping(1))
    expect(cites(talk)).toEqual([])
  })
})

describe('ids in 2026-07-28', () => {
  test('BP-12, BP-05: no request of the server is allowed, and one whose id is still in flight less so', () => {
    const talk = new Talk().discover()
    talk.received({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
    talk.received({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
    expect(cites(talk)).toEqual(['BP-12 MUST', 'BP-12 MUST', 'BP-05 MUST'])
  })

  test('BP-04: is no rule of 2026-07-28, where ids may come back', () => {
    const talk = new Talk().discover()
    const again: JsonObject = { jsonrpc: '2.0', id: 99, method: 'tools/list', params: talk.envelope() }
    for (let round = 0; round < 2; round++) {
      talk.sent(again)
      talk.answer(99, modern({ tools: [], ttlMs: 0, cacheScope: 'private' }))
    }
    expect(cites(talk)).toEqual([])
  })
})

describe('what was found at capture', () => {
  test('BP-02, BP-03, BP-07, BP-09: is told with the keyword and the revision in force', () => {
    const talk = new Talk().shakeHands('2025-06-18')
    const id = talk.ask('prompts/list')
    talk.received({ jsonrpc: '2.0', id, result: {}, error: { code: 1, message: 'x' } })
    talk.received({ jsonrpc: '2.0', id: null, method: 'ping' })
    talk.received({ jsonrpc: '2.0', id: 1.5, method: 'ping' })
    const other = talk.ask('tools/list')
    talk.received({ jsonrpc: '2.0', id: other, error: { code: 'x' } })
    const found = listed(judged(talk))
    expect(found.map(({ rule }) => rule)).toEqual(['BP-07', 'BP-03', 'BP-02', 'BP-09'])
    for (const { revision, keyword } of found) expect([revision, keyword]).toEqual(['2025-06-18', 'MUST'])
  })

  test('is told before any revision is known too', () => {
    const talk = new Talk()
    talk.received({ id: 'x', method: 'ping' })
    expect(listed(judged(talk))).toMatchObject([{ rule: 'BP-01', keyword: 'MUST' }])
    expect(listed(judged(talk))[0]).not.toHaveProperty('revision')
  })

  test('a body that is no message is none of the protocol’s where the HTTP status refuses', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    const post = talk.post(talk.request('tools/list'))
    post.head(404)
    post.says({ detail: 'Not Found' })
    expect(cites(talk)).toEqual([])
    const other = talk.post(talk.request('tools/list'))
    other.head(200)
    other.says({ detail: 'Not Found' })
    expect(cites(talk)).toContain('BP-01 MUST')
  })
})

describe('what was sent by hand', () => {
  const twice = (revision: Revision, apart: boolean) => {
    const talk = revision === '2026-07-28' ? new Talk().discover() : new Talk().shakeHands(revision)
    const isModern = revision === '2026-07-28'
    const params = talk.envelope({ name: 't', arguments: {} })
    const request: JsonObject = isModern ? { jsonrpc: '2.0', id: 7, method: 'tools/call', params } : ping(7)
    const send = () => talk.sent(request, { byHand: true })
    const reply = () => talk.answer(7, isModern ? modern({ content: [] }) : {})
    const first = send()
    if (apart) reply()
    const second = send()
    if (!apart) reply()
    reply()
    return { talk, first, second }
  }

  test('BP-04, BP-05: an id that the client uses twice is a fault of the client, and of no server', () => {
    for (const revision of [...HANDSHAKES, '2026-07-28'] as const) {
      const { talk, first, second } = twice(revision, false)
      const found = judged(talk)
      const rule = revision === '2026-07-28' ? 'BP-05' : 'BP-04'
      expect(listed(found)).toMatchObject([{ rule, by: 'client', seq: second, related: first }])
      expect(found.counts).toEqual({ MUST: 0, SHOULD: 0, MAY: 0, ADVICE: 0 })
      expect([...found.byLink, ...found.byRule]).toEqual([])
    }
  })

  test('BP-04: an id that comes back after its response is still used twice in a handshake session', () => {
    expect(cites(twice('2025-11-25', true).talk)).toEqual(['BP-04 MUST'])
    expect(cites(twice('2026-07-28', true).talk)).toEqual([])
  })

  test('BP-06: more responses than requests under one id are the server’s again', () => {
    const { talk } = twice('2025-11-25', false)
    talk.answer(7, {})
    expect(listed(judged(talk)).filter(({ by }) => by === undefined)).toMatchObject([{ rule: 'BP-06' }])
  })
})

describe('batches', () => {
  const note: JsonObject = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } }

  test.each(['2024-11-05', '2025-06-18', '2025-11-25'] as const)('BP-25: %s has none', (revision) => {
    const talk = new Talk().shakeHands(revision)
    talk.received([note])
    expect(cites(talk)).toEqual(['BP-25 MUST'])
  })

  test('BP-25: 2026-07-28 has none', () => {
    const talk = new Talk().discover()
    const id = talk.ask('tools/list', talk.envelope())
    talk.received([{ jsonrpc: '2.0', id, result: modern({ tools: [], ttlMs: 0, cacheScope: 'public' }) }])
    expect(cites(talk)).toEqual(['BP-25 MUST'])
  })

  test('BP-20: 2025-03-26 has them, and each part finds its request', () => {
    const talk = new Talk().shakeHands('2025-03-26')
    const ids = [talk.ask('tools/list'), talk.ask('prompts/list')]
    talk.received([
      { jsonrpc: '2.0', id: ids[1]!, result: { prompts: [] } },
      { jsonrpc: '2.0', id: ids[0]!, result: { tools: [] } },
    ])
    expect(cites(talk)).toEqual([])
    talk.received([])
    expect(cites(talk)).toEqual(['BP-20 MUST'])
  })

  test('BP-22, BP-23: what a client may post in a batch is no rule for what a server sends', () => {
    const talk = new Talk()
    const first = talk.ask('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: {} })
    const result = { protocolVersion: '2025-03-26', capabilities: { tools: {}, logging: {} }, serverInfo: {} }
    talk.received([{ jsonrpc: '2.0', id: first, result }])
    const id = talk.ask('tools/list')
    talk.received([note, { jsonrpc: '2.0', id, result: { tools: [] } }])
    expect(cites(talk)).toEqual([])
    const mixed = new Talk().shakeHands('2025-03-26', { tools: {}, logging: {} })
    mixed.received([note, { jsonrpc: '2.0', id: mixed.ask('tools/list'), result: { tools: [] } }])
    expect(cites(mixed, rulesAndShapes)).toEqual([])
  })

  test('BP-07: what is wrong with a part is told with the pointer to it', () => {
    const talk = new Talk().shakeHands('2025-03-26')
    const id = talk.ask('tools/list')
    talk.received([note, { jsonrpc: '2.0', id, result: {}, error: { code: 1, message: 'x' } }])
    expect(listed(judged(talk))).toContainEqual(expect.objectContaining({ rule: 'BP-07', pointer: '/1/error' }))
  })

  test('BP-24: an answer that ends with requests of the batch unanswered is told, k of n', () => {
    const talk = new Talk().shakeHands('2025-03-26')
    const [one, two] = [talk.request('tools/list'), talk.request('prompts/list')]
    const post = talk.post([one, two])
    post.head(200, 'text/event-stream')
    post.says({ jsonrpc: '2.0', id: one.id!, result: { tools: [] } })
    post.end(10)
    const [found] = listed(judged(talk)).filter(({ rule }) => rule === 'BP-24')
    expect(found).toMatchObject({ keyword: 'SHOULD', explanation: expect.stringContaining('1 of 2') as string })
  })

  /** As the transport captures it: the body ends before its message is parsed. */
  const answeredInJson = (answered: (ids: readonly Json[]) => readonly Json[], more: Partial<MessageDraft> = {}) => {
    const talk = new Talk().shakeHands('2025-03-26')
    const asked = [talk.request('tools/list'), talk.request('tools/list')]
    const post = talk.post(asked)
    post.head()
    post.end(100)
    const results = answered(asked.map(({ id }) => id!)).map((id) => ({ jsonrpc: '2.0', id, result: { tools: [] } }))
    post.says(results, more)
    return cites(talk)
  }

  test('BP-24: a batch answered as JSON is judged by the message, which comes after the end of its body', () => {
    expect(answeredInJson((ids) => ids)).toEqual([])
    expect(answeredInJson(([, second]) => [second!])).toEqual(['BP-24 SHOULD'])
    // Without the body, nothing shows which ids were answered.
    const released = { message: undefined, released: {} } as unknown as Partial<MessageDraft>
    expect(answeredInJson((ids) => ids, released)).toEqual([])
  })
})
