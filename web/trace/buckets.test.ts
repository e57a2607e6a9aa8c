import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BUCKETS, extentOf, frameAt, marksOf, TimeBuckets, TimelineIndex } from './buckets.ts'
import type { FrameDraft } from '../mcp/index.ts'
import { append, drafts, source } from './frames.case.ts'

test('following a trace frame by frame gives the same timeline as reading it at the end', () => {
  fc.assert(
    fc.property(fc.array(drafts, { maxLength: 80 }), fc.nat(80), (list, cut) => {
      const all = source()
      for (const draft of list.slice(0, cut)) append(all.trace, draft)
      const live = new TimelineIndex(all)
      for (const draft of list.slice(cut)) append(all.trace, draft)
      const late = new TimelineIndex(all)
      for (const name of ['out', 'in'] as const) {
        expect(live.buckets.lanes[name].starts).toEqual(late.buckets.lanes[name].starts)
        expect(live.buckets.lanes[name].ends).toEqual(late.buckets.lanes[name].ends)
        expect(live.buckets.lanes[name].failures).toEqual(late.buckets.lanes[name].failures)
      }
      expect(live.buckets.lanes.events.last).toEqual(late.buckets.lanes.events.last)
    }),
  )
})

const link = 's1'
const peer = { era: 'handshake', revision: '2025-11-25', info: {}, capabilities: {}, evidence: [] } as const
const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover' }
const error = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } }

/** A server's refusal of the first request, as each transport shows it. */
const refusals: Readonly<Record<string, readonly object[]>> = {
  'an error': [
    { kind: 'message', direction: 'sent', type: 'request', message: discover, size: 9 },
    { kind: 'message', direction: 'received', type: 'error', message: error, size: 9 },
  ],
  'an HTTP status': [
    { kind: 'http', phase: 'request', method: 'POST', url: 'http://h/', headers: [], size: 9, purpose: 'message' },
    { kind: 'message', direction: 'sent', type: 'request', message: discover, size: 9, carrier: 0 },
    { kind: 'http', phase: 'response', request: 0, status: 400, statusText: '', headers: [] },
    { kind: 'session', phase: 'gave-up', request: 1, why: 'lost', explanation: 'x' },
  ],
  'no response that the page may read': [
    { kind: 'http', phase: 'request', method: 'POST', url: 'http://h/', headers: [], size: 9, purpose: 'message' },
    { kind: 'message', direction: 'sent', type: 'request', message: discover, size: 9, carrier: 0 },
    { kind: 'http', phase: 'failed', request: 0, stage: 'headers', error: 'Failed to fetch' },
    { kind: 'session', phase: 'gave-up', request: 1, why: 'closed', explanation: 'x' },
  ],
  silence: [
    { kind: 'message', direction: 'sent', type: 'request', message: discover, size: 9 },
    { kind: 'session', phase: 'gave-up', request: 0, why: 'timeout', explanation: 'x' },
  ],
}

test.each(Object.entries(refusals))('a probe refused by %s is marked only until its connection opens', (_, frames) => {
  const all = source()
  const index = new TimelineIndex(all)
  const put = (draft: object) => all.trace.append({ link, ...draft } as FrameDraft)
  const failures = () =>
    Object.values(index.buckets.lanes).reduce((sum, lane) => sum + lane.failures.reduce((one, other) => one + other), 0)
  for (const frame of frames) put(frame)
  expect(failures()).toBeGreaterThan(0)
  put({ kind: 'session', phase: 'open', peer, transport: 'stdio' })
  put({ kind: 'session', phase: 'open', peer, transport: 'stdio' })
  expect(failures()).toBe(0)
  // In an open session, the same request is a ping.
  put({ kind: 'message', direction: 'sent', type: 'request', message: { ...discover, id: 2 }, size: 9 })
  put({ kind: 'message', direction: 'received', type: 'error', message: { ...error, id: 2 }, size: 9 })
  put({ kind: 'session', phase: 'open', peer, transport: 'stdio' })
  expect(failures()).toBe(1)
})

test('a first request stays marked as failed if its connection ends without opening', () => {
  const all = source()
  const index = new TimelineIndex(all)
  const put = (draft: object) => all.trace.append({ link, ...draft } as FrameDraft)
  for (const frame of refusals['an error']!) put(frame)
  put({ kind: 'session', phase: 'failed', code: 'bad-handshake', explanation: 'x' })
  put({ kind: 'session', phase: 'open', peer, transport: 'stdio' })
  expect(index.buckets.lanes.out.failures.reduce((one, other) => one + other)).toBe(1)
})

const spans = fc.array(fc.tuple(fc.nat(5_000_000), fc.nat(100_000)), { maxLength: 300 })

test('what runs at a moment is drawn there, at any length of trace, and marks never outnumber the px', () => {
  fc.assert(
    fc.property(spans, fc.integer({ min: 50, max: 3000 }), (list, width) => {
      const buckets = new TimeBuckets()
      const events = list
        .flatMap(([from, took], seq) => [
          { at: from, run: () => buckets.start('out', from, seq) },
          { at: from + took, run: () => buckets.end('out', from + took) },
        ])
        .sort((a, b) => a.at - b.at)
      for (const event of events) event.run()
      const extent = extentOf(buckets.latest)
      const { bars } = marksOf(buckets, 'out', width, extent)
      expect(bars.length).toBeLessThanOrEqual(width)
      const bucket = (buckets.span / BUCKETS / extent) * width
      for (const [from, took] of list) {
        const x = (from / extent) * width
        const end = ((from + took) / extent) * width
        expect(bars.some((bar) => bar.x <= x + 1 && bar.x + bar.width >= end - bucket - 1)).toBe(true)
      }
    }),
    { numRuns: 50 },
  )
})

test('what has no end yet is drawn up to now', () => {
  const buckets = new TimeBuckets()
  buckets.start('in', 100, 4)
  const [bar] = marksOf(buckets, 'in', 1000, 1000, 800).bars
  expect(bar!.x).toBe(100)
  expect(bar!.x + bar!.width).toBeGreaterThan(790)
})

test('a click finds the frame that began there, or the nearest before', () => {
  const buckets = new TimeBuckets()
  buckets.start('out', 100, 4)
  buckets.start('out', 9_000, 7)
  expect(frameAt(buckets, 'out', 105)).toBe(4)
  expect(frameAt(buckets, 'out', 5_000)).toBe(4)
  expect(frameAt(buckets, 'out', 9_100)).toBe(7)
  expect(frameAt(buckets, 'out', 0)).toBe(4)
  expect(frameAt(buckets, 'events', 100)).toBeUndefined()
})
