import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scrollTopFor, TALLEST, view } from './virtual.ts'

const lists = fc.record({
  count: fc.integer({ min: 0, max: 2_000_000 }),
  rowHeight: fc.integer({ min: 16, max: 60 }),
  viewport: fc.integer({ min: 0, max: 3000 }),
  scrollTop: fc.double({ min: -500, max: 2 * TALLEST, noNaN: true }),
})

test('what is drawn covers the viewport and is bounded, for any length and position', () => {
  fc.assert(
    fc.property(lists, ({ count, rowHeight, viewport, scrollTop }) => {
      const seen = view(count, rowHeight, scrollTop, viewport, 4)
      const top = Math.max(0, Math.min(scrollTop, seen.height - viewport))
      expect(seen.height).toBeLessThanOrEqual(TALLEST)
      expect(seen.end - seen.first).toBeLessThanOrEqual(viewport / rowHeight + 11)
      // Either the rows extend past both edges, or the list ends there.
      if (seen.first > 0) expect(seen.offset).toBeLessThanOrEqual(top + 0.01)
      if (seen.end < count) {
        expect(seen.offset + (seen.end - seen.first) * rowHeight).toBeGreaterThanOrEqual(top + viewport - 0.01)
      }
    }),
  )
})

test('a revealed row is wholly in view, and one already in view does not move', () => {
  fc.assert(
    fc.property(lists, fc.nat(), ({ count, rowHeight, viewport, scrollTop }, pick) => {
      fc.pre(count > 0 && viewport >= rowHeight)
      const index = pick % count
      const top = scrollTopFor(index, count, rowHeight, scrollTop, viewport)
      const seen = view(count, rowHeight, top, viewport, 0)
      expect(index).toBeGreaterThanOrEqual(seen.first)
      expect(index).toBeLessThan(seen.end)
      const again = scrollTopFor(index, count, rowHeight, top, viewport)
      expect(Math.abs(again - top)).toBeLessThan(0.01)
    }),
  )
})
