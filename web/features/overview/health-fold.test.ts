import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldAll, Trace, type Fold, type FrameDraft, type Json, type Link } from '../../mcp/index.ts'
import { factsFold } from './facts-fold.ts'
import { healthFold, lastRoundTrip, NO_HEALTH, PINGS_KEPT } from './health-fold.ts'
import { subscriptionsFold, SUBSCRIPTIONS_KEPT, wantedOf } from './subscriptions-fold.ts'

type Draft = FrameDraft extends infer D ? (D extends unknown ? Omit<D, 'link'> : never) : never

const message = (direction: 'sent' | 'received', value: object): Draft => ({
  kind: 'message',
  direction,
  type: 'request',
  message: { jsonrpc: '2.0', ...value } as unknown as Json,
  size: 1,
})
const sent = (id: number, method: string, params: object = {}) => message('sent', { id, method, params })
const answer = (id: number, result: object = {}) => message('received', { id, result })
const peer = { era: 'stateless', revision: '2026-07-28', info: {}, capabilities: {}, evidence: [] } as const
const open: Draft = { kind: 'session', phase: 'open', peer, transport: 'x' }
const closed: Draft = { kind: 'session', phase: 'closed', why: 'ended' }
const gaveUp = (request: number, why: 'timeout' | 'lost' | 'closed' | 'cancelled'): Draft => ({
  kind: 'session',
  phase: 'gave-up',
  request,
  why,
  explanation: 'because',
})

const after = <State>(fold: Fold<Map<Link, State>>, ...drafts: Draft[]): State | undefined => {
  const trace = new Trace()
  for (const draft of drafts) trace.append({ ...draft, link: 's1' })
  return foldAll(fold, trace).get('s1')
}

test('a ping is timed by its answer, an error being one; what is asked before a session is open is none (UT-PING-02)', () => {
  const health = after(
    healthFold,
    sent(1, 'server/discover'),
    answer(1),
    open,
    sent(2, 'ping'),
    answer(2),
    sent(3, 'server/discover'),
    message('received', { id: 3, error: { code: -32601, message: 'no' } }),
    sent(4, 'tools/list'),
    answer(4),
  )!
  expect(health.pings.map(({ request, answer: to }) => [request, to])).toEqual([
    [3, 4],
    [5, 6],
  ])
  expect(lastRoundTrip(health)).toMatchObject({ request: 5 })
  expect(health.failed).toBe(0)
})

test('pings without an answer are counted in a row; ours that we ended ourselves are not (UT-PING-03)', () => {
  const two = [open, sent(1, 'ping'), gaveUp(1, 'timeout'), sent(2, 'ping'), gaveUp(3, 'lost')]
  expect(after(healthFold, ...two)).toMatchObject({ failed: 2 })
  expect(after(healthFold, ...two, sent(3, 'ping'), answer(3))).toMatchObject({ failed: 0 })
  expect(after(healthFold, ...two, closed, open)).toMatchObject({ failed: 0 })
  expect(after(healthFold, open, sent(1, 'ping'), gaveUp(1, 'closed'))).toMatchObject({ pings: [], failed: 0 })
})

test('a flood of pings keeps the last', () => {
  const flood = Array.from({ length: 200 }, (_, id) => [sent(id, 'ping'), answer(id)]).flat()
  expect(after(healthFold, open, ...flood)!.pings).toHaveLength(PINGS_KEPT)
})

const ack = (id: number, notifications: object) =>
  message('received', {
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
  })
const heard = (id: number) =>
  message('received', {
    method: 'notifications/tools/list_changed',
    params: { _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
  })
const listen = (id: number) =>
  sent(id, 'subscriptions/listen', { notifications: { toolsListChanged: true, promptsListChanged: true } })

test('a subscription is followed from what was asked to what was granted, heard and how it ended (SUB-03, SUB-06, SUB-08)', () => {
  const granted = [open, listen(1), ack(1, { toolsListChanged: true }), heard(1), heard(1), heard(9)]
  expect(after(subscriptionsFold, ...granted)).toMatchObject([
    { request: 1, status: 'granted', granted: { toolsListChanged: true }, heard: 2, lastHeard: 4, seq: 2 },
  ])
  const status = (...more: Draft[]) => after(subscriptionsFold, ...granted, ...more)!.map((one) => one.status)
  expect(status(answer(1))).toEqual(['ended'])
  expect(status(message('received', { id: 1, error: { code: -32601, message: 'no' } }))).toEqual(['refused'])
  expect(status(gaveUp(1, 'lost'), listen(2))).toEqual(['cut', 'asked'])
  expect(status(closed)).toEqual(['closed'])
  expect(wantedOf({ a: true, b: false, c: ['x'] })).toEqual(['a', 'c: ["x"]'])
})

test('a server that cuts every subscription fills no memory', () => {
  const cuts = Array.from({ length: 100 }, (_, id) => listen(id))
  expect(after(subscriptionsFold, ...cuts)).toHaveLength(SUBSCRIPTIONS_KEPT)
})

test('what discovery told is kept beside what was asked, whatever stands there (VN-04, VN-06)', () => {
  const meta = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'a/b': {} } } }
  const discover = sent(1, 'server/discover', { _meta: meta })
  expect(after(factsFold, discover, answer(1, { ttlMs: 5000, cacheScope: 'public' }))!.discover).toMatchObject({
    request: 0,
    ours: { 'a/b': {} },
    answer: { seq: 1 },
    ttl: 5000,
    cacheScope: 'public',
  })
  expect(after(factsFold, discover, answer(1, { ttlMs: 'soon' }))!.discover).toMatchObject({ ttl: 'soon' })
  expect(after(factsFold, discover, message('received', { id: 1, result: 7 }))!.discover!.ttl).toBeUndefined()
})

test('folding a prefix and then the rest gives the same as folding all', () => {
  const drafts = [
    open,
    closed,
    sent(1, 'ping'),
    answer(1),
    gaveUp(1, 'lost'),
    listen(2),
    ack(2, {}),
    heard(2),
    answer(2),
  ]
  const steps = fc.array(fc.record({ link: fc.constantFrom('s1', 's2'), draft: fc.constantFrom(...drafts) }), {
    maxLength: 25,
  })
  fc.assert(
    fc.property(steps, fc.nat(25), (list, cut) => {
      const frames = list.map(({ link, draft }, seq) => ({ ...draft, link, seq, at: seq }))
      for (const fold of [healthFold, subscriptionsFold] as readonly Fold<Map<Link, unknown>>[]) {
        const prefix = foldAll(fold, frames.slice(0, cut))
        expect(foldAll(fold, frames.slice(cut), prefix)).toEqual(foldAll(fold, frames))
      }
    }),
  )
  expect(NO_HEALTH.pings).toEqual([])
})
