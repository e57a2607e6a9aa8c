import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exchanges, foldAll, judge, Trace, verdictOf, type Frame, type Json } from './index.ts'

type Direction = 'sent' | 'received'

/** Writes messages to a trace like a connection would. */
const conversation = (...lines: [Direction, Json, link?: string][]): Trace => {
  const trace = new Trace({ now: () => 0 })
  for (const [direction, message, link = 's1'] of lines) {
    trace.append({ kind: 'message', direction, type: judge(message).type, message, size: 0, link })
  }
  return trace
}

const ask = (id: number | string, method = 'tools/call', params: Json = {}): Json => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const answer = (id: number | string): Json => ({ jsonrpc: '2.0', id, result: {} })
const progress = (token: number, value: number): Json => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: token, progress: value, total: 5 },
})

describe('pairing requests with answers', () => {
  test('BP-06: a response belongs to the request with exactly its id', () => {
    const { all, orphans } = foldAll(
      exchanges,
      conversation(['sent', ask(1)], ['sent', ask('1')], ['received', answer('1')], ['received', answer(1)]),
    )
    expect(all).toMatchObject([
      { id: 1, status: 'ok', request: 0, response: 3 },
      { id: '1', status: 'ok', request: 1, response: 2 },
    ])
    expect(orphans.size).toBe(0)
  })

  test('BP-06: if there is none, to the pending one with the same id in the other type', () => {
    const { all, orphans } = foldAll(
      exchanges,
      conversation(['sent', ask(1)], ['received', answer('1')], ['received', answer('1')], ['received', answer('2')]),
    )
    expect(all).toMatchObject([{ id: 1, status: 'ok', request: 0, response: 1 }])
    expect([...orphans]).toEqual([
      [2, 'unknown-id'],
      [3, 'unknown-id'],
    ])
  })

  test('ids of the two directions and of two connections are independent', () => {
    const trace = conversation(
      ['sent', ask(1)],
      ['received', ask(1, 'ping')],
      ['sent', ask(1), 's2'],
      ['sent', answer(1)],
      ['received', answer(1), 's2'],
    )
    const { all, pending } = foldAll(exchanges, trace)
    expect(all.map(({ method, link, status }) => [method, link, status])).toEqual([
      ['tools/call', 's1', 'pending'],
      ['ping', 's1', 'ok'],
      ['tools/call', 's2', 'ok'],
    ])
    expect(pending).toBe(1)
  })

  test('a second answer and a late answer are shown as what they are and change nothing', () => {
    const cancel: Json = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 2, reason: 'enough' },
    }
    const { all, orphans } = foldAll(
      exchanges,
      conversation(
        ['sent', ask(1)],
        ['received', answer(1)],
        ['received', answer(1)],
        ['sent', ask(2)],
        ['sent', cancel],
        ['received', answer(2)],
      ),
    )
    expect(all.map(({ status }) => status)).toEqual(['ok', 'cancelled'])
    expect(all[1]).toMatchObject({ explanation: 'enough', cancel: 4 })
    expect([...orphans.values()]).toEqual(['second-answer', 'late-answer'])
  })

  test('progress belongs to the request with its token, and a flood of it stays small', () => {
    const trace = conversation(['sent', ask(7, 'tools/call', { name: 'slow', _meta: { progressToken: 7 } })])
    for (let step = 1; step <= 10_000; step++) {
      trace.append({
        kind: 'message',
        direction: 'received',
        type: 'notification',
        message: progress(7, step),
        size: 0,
        link: 's1',
      })
    }
    const [exchange] = foldAll(exchanges, trace).all
    expect(exchange).toMatchObject({ subject: 'slow', progress: { progress: 10_000, total: 5, count: 10_000 } })
    expect(exchange!.related.length).toBeLessThanOrEqual(100)
  })
})

describe('one verdict', () => {
  const verdicts = (trace: Trace) => foldAll(exchanges, trace).all.map(verdictOf)
  const says = (id: number, result: Json): Json => ({ jsonrpc: '2.0', id, result })
  const ended = (...lines: [Direction, Json][]) => {
    const trace = conversation(...lines)
    trace.append({ kind: 'session', phase: 'closed', why: 'x', link: 's1' })
    return verdicts(trace)
  }

  test('SF-TOOL-18: a result with isError is a tool error, whichever method hands it over', () => {
    const failed = { content: [], isError: true }
    const trace = conversation(
      ['sent', ask(1)],
      ['received', says(1, failed)],
      ['sent', ask(2, 'tasks/result', { taskId: 't' })],
      ['received', says(2, failed)],
      ['sent', ask(3, 'tasks/get', { taskId: 't' })],
      ['received', says(3, { taskId: 't', status: 'completed', result: failed })],
      // Not a tool's own error flag: other methods don't have `isError`, and only `true` counts.
      ['sent', ask(4, 'prompts/get')],
      ['received', says(4, { isError: true })],
      ['sent', ask(5)],
      ['received', says(5, { content: [], isError: 'true' })],
    )
    expect(verdicts(trace)).toEqual(['tool-error', 'tool-error', 'tool-error', 'ok', 'ok'])
  })

  test('a request waits for its user until the call is carried on, given up, or the connection ends', () => {
    const asks = says(1, { resultType: 'input_required', requestState: 'x' })
    const call = ask(1, 'tools/call', { name: 'a' })
    const retry = ask(2, 'tools/call', { name: 'a', requestState: 'x' })
    expect(verdicts(conversation(['sent', call], ['received', asks]))).toEqual(['waiting'])
    expect(verdicts(conversation(['sent', call], ['received', asks], ['sent', retry]))).toEqual(['ok', 'pending'])
    const other = ask(2, 'tools/call', { name: 'b' })
    expect(verdicts(conversation(['sent', call], ['received', asks], ['sent', other]))).toEqual(['waiting', 'pending'])
    expect(ended(['sent', call], ['received', asks])).toEqual(['lost'])
    const left = conversation(['sent', call], ['received', asks])
    left.append({ kind: 'session', phase: 'gave-up', request: 0, why: 'cancelled', explanation: 'no', link: 's1' })
    expect(verdicts(left)).toEqual(['cancelled'])
    expect(verdicts(conversation(['received', ask('q', 'elicitation/create')]))).toEqual(['waiting'])
  })

  test('a failed request to open a session is an error, and a probe once another request has opened it', () => {
    const no = (id: number): Json => ({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } })
    const trace = conversation(
      ['sent', ask(1, 'server/discover')],
      ['received', no(1)],
      ['sent', ask(2, 'initialize')],
      ['received', answer(2)],
    )
    expect(verdicts(trace)).toEqual(['error', 'ok'])
    const peer = { era: 'handshake', revision: '2025-11-25', info: {}, capabilities: {}, evidence: [] } as const
    trace.append({ kind: 'session', phase: 'open', link: 's2', peer, transport: 'loopback' })
    expect(verdicts(trace)).toEqual(['error', 'ok'])
    trace.append({ kind: 'session', phase: 'open', link: 's1', peer, transport: 'loopback' })
    expect(verdicts(trace)).toEqual(['probe', 'ok'])
    // In an open session, it measures whether the server responds.
    for (const [direction, message] of [
      ['sent', ask(3, 'server/discover')],
      ['received', no(3)],
    ] as const) {
      trace.append({ kind: 'message', direction, type: judge(message).type, message, size: 0, link: 's1' })
    }
    expect(verdicts(trace)).toEqual(['probe', 'ok', 'error'])
  })

  test('a failed request to open a session remains an error if the attempt failed, whatever opens later', () => {
    const trace = conversation(
      ['sent', ask(1, 'initialize')],
      ['received', { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'no' } }],
    )
    trace.append({ kind: 'session', phase: 'failed', link: 's1', code: 'bad-handshake', explanation: 'no' })
    const peer = { era: 'handshake', revision: '2025-11-25', info: {}, capabilities: {}, evidence: [] } as const
    trace.append({ kind: 'session', phase: 'open', link: 's1', peer, transport: 'loopback' })
    expect(verdicts(trace)).toEqual(['error'])
  })

  test('BP-05: requests that share an id get their own responses, by what carried them or by their order', () => {
    const twice = conversation(['sent', ask(1)], ['sent', ask(1)], ['received', answer(1)], ['received', answer(1)])
    const { all, orphans, pending } = foldAll(exchanges, twice)
    expect(all.map(({ response }) => response)).toEqual([2, 3])
    expect([orphans.size, pending]).toEqual([0, 0])
    const trace = new Trace({ now: () => 0 })
    const say = (direction: Direction, message: Json, carrier: number) =>
      trace.append({ kind: 'message', direction, type: judge(message).type, message, size: 0, link: 's1', carrier })
    say('sent', ask(1), 100)
    say('sent', ask(1), 200)
    say('received', answer(1), 200)
    expect(foldAll(exchanges, trace).all.map(({ status }) => status)).toEqual(['pending', 'ok'])
  })
})

/** Traffic of any kind, valid or not. */
const anyMessage = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id: fc.integer({ min: 1, max: 5 }), method: fc.constantFrom('a', 'b') }),
  fc.record({ jsonrpc: fc.constant('2.0'), id: fc.integer({ min: 1, max: 5 }), result: fc.constant({}) }),
  fc.integer({ min: 1, max: 5 }).map((id) => progress(id, 1)),
  fc
    .integer({ min: 1, max: 5 })
    .map((id) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })),
  fc.array(fc.integer({ min: 1, max: 5 }).map((id) => answer(id))),
  fc.jsonValue(),
)
const anyTraffic = fc.array(fc.tuple(fc.constantFrom<Direction>('sent', 'received'), anyMessage))

describe('the law of folds', () => {
  test('folding a prefix and then the rest equals folding all', () => {
    fc.assert(
      fc.property(anyTraffic, fc.nat(), (traffic, cut) => {
        const frames: Frame[] = [...conversation(...(traffic as [Direction, Json][]))]
        const at = frames.length === 0 ? 0 : cut % frames.length
        const whole = foldAll(exchanges, frames)
        const parts = foldAll(exchanges, frames.slice(at), foldAll(exchanges, frames.slice(0, at)))
        expect(parts).toEqual(whole)
        expect(whole.pending).toBe(whole.all.filter(({ status }) => status === 'pending').length)
      }),
    )
  })
})
