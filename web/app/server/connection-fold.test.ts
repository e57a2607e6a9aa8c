import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldAll, type FrameDraft, Projection, Trace } from '../../mcp/index.ts'
import { IDLE, type Connection } from './connection.ts'
import { connections } from './connection-fold.ts'

type Draft = FrameDraft extends infer D ? (D extends unknown ? Omit<D, 'link'> : never) : never

const peer = { era: 'handshake', revision: '2025-11-25', info: { name: 'x' }, capabilities: {}, evidence: [] } as const
const opening = (step: 'starting-process' | 'waiting-for-headers' | 'waiting-for-answer'): Draft => ({
  kind: 'session',
  phase: 'opening',
  step,
  limit: 1000,
})
const open: Draft = { kind: 'session', phase: 'open', peer, transport: 'stdio' }
const failed: Draft = {
  kind: 'session',
  phase: 'failed',
  code: 'http-status',
  explanation: 'no',
  details: { status: 404 },
}
const closed: Draft = { kind: 'session', phase: 'closed', why: 'ended' }
const renewing: Draft = { kind: 'session', phase: 'renewing', why: 'gone' }
const stderr: Draft = { kind: 'process', event: 'stderr', text: 'hello' }
const spawn: Draft = { kind: 'process', event: 'spawn', command: 'x', args: [], env: [], pid: 7 }

const after = (...drafts: Draft[]): Connection => {
  const trace = new Trace()
  for (const draft of drafts) trace.append({ ...draft, link: 's1' })
  return foldAll(connections, trace).get('s1') ?? IDLE
}

test('each step of connecting is told with its limit, and ends when the next begins', () => {
  const connection = after(opening('starting-process'), spawn, opening('waiting-for-answer'))
  expect(connection.state).toBe('connecting')
  expect(connection.steps.map(({ step, outcome, limit }) => [step, outcome, limit])).toEqual([
    ['starting-process', 'done', 1000],
    ['waiting-for-answer', 'running', 1000],
  ])
})

test('a GET that waits is the evidence once a POST was refused, and the POST again if the GET is refused', () => {
  const ask = (purpose: 'message' | 'listen'): Draft => ({
    kind: 'http',
    phase: 'request',
    method: purpose === 'listen' ? 'GET' : 'POST',
    url: 'http://e.com/sse',
    headers: [],
    size: 0,
    purpose,
  })
  const respond = (request: number, status: number, type = 'text/event-stream'): Draft => ({
    kind: 'http',
    phase: 'response',
    request,
    status,
    statusText: '',
    headers: [['content-type', type]],
  })
  const refused = [opening('waiting-for-headers'), ask('message'), respond(1, 405), ask('listen')]
  expect(after(...refused).http).toMatchObject({ request: 3, method: 'GET' })
  expect(after(...refused, respond(3, 200)).http).toMatchObject({ request: 3, status: 200 })
  expect(after(...refused, respond(3, 404)).http).toMatchObject({ request: 1, status: 405 })
  const page = respond(3, 200, 'text/html')
  expect(after(...refused, page).http).toMatchObject({ request: 1, status: 405 })
  const end: Draft = { kind: 'http', phase: 'end', request: 3, size: 0 }
  expect(after(...refused, respond(3, 200), end).http).toMatchObject({ request: 1, status: 405 })
  const broken: Draft = { kind: 'http', phase: 'failed', request: 3, stage: 'body', error: 'reset' }
  expect(after(...refused, respond(3, 200), broken).http).toMatchObject({ request: 1, status: 405 })
  const ended: Draft = { ...broken, aborted: 'Still waiting for endpoint after 30 s' }
  expect(after(...refused, respond(3, 200), ended).http).toMatchObject({ request: 3, cut: true })
  const unreachable: Draft = { kind: 'http', phase: 'failed', request: 3, stage: 'headers', error: 'refused' }
  expect(after(...refused, unreachable).http).toMatchObject({ request: 1, status: 405 })
  // The stream of a server that took the POST isn't part of the attempt.
  const accepted = [opening('waiting-for-headers'), ask('message'), respond(1, 200), ask('listen')]
  expect(after(...accepted).http).toMatchObject({ request: 1 })
})

test('the end of an earlier process is not taken for that of the next', () => {
  const exit: Draft = { kind: 'process', event: 'exit', code: 0, signal: null }
  const connection = after(opening('starting-process'), stderr, exit, spawn, opening('waiting-for-answer'))
  expect(connection.process).toMatchObject({ stderr: [], spawn: { pid: 7 } })
  expect(connection.process.exit).toBeUndefined()
})

test('open, failed and closed are told apart, and the peer stays known after closing', () => {
  expect(after(opening('waiting-for-headers'), open)).toMatchObject({ state: 'open', peer, transport: 'stdio' })
  expect(after(opening('waiting-for-headers'), failed)).toMatchObject({
    state: 'failed',
    failure: { code: 'http-status', details: { status: 404 } },
  })
  expect(after(opening('waiting-for-headers'), open, closed)).toMatchObject({
    state: 'closed',
    peer,
    closed: { why: 'ended' },
  })
  expect(after(opening('waiting-for-headers'), closed).steps[0]).toMatchObject({ outcome: 'stopped' })
})

test('a new attempt starts with a clean slate', () => {
  const connection = after(opening('starting-process'), stderr, failed, opening('waiting-for-headers'))
  expect(connection).toMatchObject({ state: 'connecting', attempt: 2, process: { stderr: [] } })
  expect(connection.failure).toBeUndefined()
  expect(connection.steps).toHaveLength(1)
})

test('a session that is renewed stays open on screen', () => {
  const connection = after(opening('waiting-for-headers'), open, renewing, opening('waiting-for-headers'))
  expect(connection).toMatchObject({ state: 'open', renewing: true, attempt: 1 })
  expect(after(opening('waiting-for-headers'), open, renewing, opening('waiting-for-headers'), open).renewing).toBe(
    false,
  )
})

test('the last request of a failed attempt is kept as evidence', () => {
  const trace = new Trace()
  const link = 's1'
  trace.append({ ...opening('waiting-for-headers'), link })
  const { seq: request } = trace.append({
    kind: 'http',
    phase: 'request',
    method: 'POST',
    url: 'http://x/',
    headers: [],
    size: 1,
    purpose: 'message',
    link,
  })
  trace.append({
    kind: 'http',
    phase: 'response',
    request,
    status: 404,
    statusText: 'Not Found',
    headers: [['content-type', 'text/html']],
    link,
  })
  trace.append({ kind: 'http', phase: 'end', request, size: 5, body: '<p>no', link })
  expect(foldAll(connections, trace).get(link)!.http).toEqual({
    request,
    method: 'POST',
    url: 'http://x/',
    at: expect.any(Number),
    answeredAt: expect.any(Number),
    response: request + 1,
    status: 404,
    statusText: 'Not Found',
    contentType: 'text/html',
    body: '<p>no',
  })
})

test('the probe and what came after it are told apart, and an endpoint event is kept while connecting', () => {
  const trace = new Trace()
  const link = 's1'
  const add = (draft: Draft) => trace.append({ ...draft, link })
  const exchange = (status: number) => {
    const head = { method: 'POST', url: 'http://x/', headers: [], size: 1, purpose: 'message' } as const
    const { seq: request } = add({ kind: 'http', phase: 'request', ...head })
    add({ kind: 'http', phase: 'response', request, status, statusText: '', headers: [] })
    return request
  }
  add({ kind: 'session', phase: 'opening', step: 'probing', limit: 1000 })
  const probe = exchange(400)
  add(opening('waiting-for-headers'))
  const last = exchange(500)
  add({ kind: 'stream', event: 'data', request: last, name: 'endpoint', data: '/messages', size: 9 })
  expect(foldAll(connections, trace).get(link)).toMatchObject({
    probe: { request: probe, status: 400 },
    http: { request: last, status: 500 },
    endpoint: { named: '/messages' },
  })
  add(failed)
  add(opening('waiting-for-headers'))
  const anew = foldAll(connections, trace).get(link)
  expect([anew?.probe, anew?.http, anew?.endpoint]).toEqual([undefined, undefined, undefined])
})

test('folding a prefix and then the rest gives the same as folding all, and links do not mix', () => {
  const drafts = [
    opening('starting-process'),
    opening('waiting-for-headers'),
    open,
    failed,
    closed,
    renewing,
    stderr,
    spawn,
  ]
  const step = fc.record({ link: fc.constantFrom('s1', 's2'), draft: fc.constantFrom(...drafts) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.nat(30), (steps, cut) => {
      const frames = steps.map(({ link, draft }, seq) => ({ ...draft, link, seq, at: seq }))
      const whole = foldAll(connections, frames)
      const prefix = foldAll(connections, frames.slice(0, cut))
      expect(foldAll(connections, frames.slice(cut), prefix)).toEqual(whole)
      const alone = foldAll(
        connections,
        frames.filter(({ link }) => link === 's1'),
      )
      expect(whole.get('s1')).toEqual(alone.get('s1'))
    }),
  )
})

test('a flood of stderr keeps the last lines only', () => {
  const lines = Array.from({ length: 100 }, (_, index): Draft => ({
    kind: 'process',
    event: 'stderr',
    text: `${index}`,
  }))
  const { process } = after(opening('starting-process'), ...lines)
  expect(process.stderr).toHaveLength(50)
  expect(process.stderr.at(-1)!.text).toBe('99')
})

test('nobody is woken by frames that say nothing of the connection', () => {
  const trace = new Trace()
  const projection = new Projection(trace, connections)
  let woken = 0
  projection.subscribe(() => woken++)
  trace.append({ kind: 'message', direction: 'received', type: 'notification', size: 2, link: 's1' })
  trace.append({ ...open, link: 's1' })
  trace.append({
    kind: 'http',
    phase: 'request',
    method: 'POST',
    url: 'http://x/',
    headers: [],
    size: 1,
    purpose: 'message',
    link: 's1',
  })
  expect(woken).toBe(1)
})

test('a POST that carries our response to a request of the server isn’t the evidence of what we asked', () => {
  const post: Draft = { kind: 'http', phase: 'request', method: 'POST', url: 'http://e.com/mcp', headers: [], size: 0, purpose: 'message' } // prettier-ignore
  const sent = (type: 'request' | 'result', carrier: number): Draft => ({ kind: 'message', direction: 'sent', type, size: 1, carrier }) // prettier-ignore
  const head: Draft = { kind: 'http', phase: 'response', request: 1, status: 200, statusText: '', headers: [['content-type', 'text/event-stream']] } // prettier-ignore
  const asked = [opening('waiting-for-headers'), post, sent('request', 1), head]
  expect(after(...asked, post, sent('result', 4)).http).toMatchObject({ request: 1, status: 200 })
  expect(after(...asked, post, sent('request', 4)).http).toMatchObject({ request: 4 })
})
