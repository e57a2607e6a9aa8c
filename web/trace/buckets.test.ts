import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BUCKETS, extentOf, frameAt, marksOf, TimeBuckets, TimelineIndex } from './buckets.ts'
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
      }
      expect(live.buckets.lanes.events.last).toEqual(late.buckets.lanes.events.last)
    }),
  )
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
