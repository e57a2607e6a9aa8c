/** Converts buckets into shapes: at most a few marks per pixel of width, whatever the size of the trace. */
import { BUCKETS, type Lane, type TimeBuckets, type LaneName } from './buckets.ts'
import type { Seq } from '../mcp/index.ts'

/** All `x` and `width` in px. */
export interface Bar {
  readonly x: number
  readonly width: number
}

export interface LaneMarks {
  /** Something is running. */
  readonly bars: readonly Bar[]
  /** Something was cancelled or resumed. */
  readonly warnings: readonly number[]
  /** Something failed. */
  readonly failures: readonly number[]
  /** Something happened (events only). */
  readonly dots: readonly number[]
}

/** Minimum width of a bar in px, so that instant events are visible. */
const LEAST = 3

/**
 * ms shown over the width: 1, 1.5, 2, 3, 4, 6 … seconds, the smallest that contains `latest`. In steps, so that the
 * image rarely jumps.
 */
export const extentOf = (latest: number): number => {
  let extent = 1_000
  for (let step = 0; extent < latest; step++) extent *= step % 2 === 0 ? 3 / 2 : 4 / 3
  return extent
}

/** The marks, one px each, when `width` px show `extent` ms. */
export const marksOf = (
  buckets: TimeBuckets,
  name: LaneName,
  width: number,
  extent: number,
  now: number = buckets.latest,
): LaneMarks => {
  const { starts, ends, tones } = buckets.lanes[name]
  const bars: Bar[] = []
  const warnings: number[] = []
  const failures: number[] = []
  const dots: number[] = []
  const perBucket = ((buckets.span / BUCKETS) * width) / extent
  const used = Math.min(BUCKETS, Math.floor((now / buckets.span) * BUCKETS) + 1)
  let running = 0
  let barFrom = 0
  let lastMark = -1
  for (let at = 0; at < used; at++) {
    const x = at * perBucket
    if (tones[at]! > 0 && (Math.floor(x) !== lastMark || tones[at] === 2)) {
      lastMark = Math.floor(x)
      const list = tones[at] === 2 ? failures : warnings
      if (list.at(-1) !== lastMark) list.push(lastMark)
    }
    if (starts[at] === 0 && ends[at] === 0) continue
    if (name === 'events') {
      if (tones[at] === 0 && dots.at(-1) !== Math.floor(x)) dots.push(Math.floor(x))
      continue
    }
    if (running === 0) barFrom = x
    running += starts[at]! - ends[at]!
    if (running === 0) add(bars, barFrom, x + perBucket)
  }
  if (running > 0) add(bars, barFrom, Math.max(barFrom, Math.min(used * perBucket, (now / extent) * width)))
  return { bars, warnings, failures, dots }
}

/** Merges bars that are less than a pixel apart: never more bars than pixels. */
const add = (bars: Bar[], from: number, to: number): void => {
  const last = bars.at(-1)
  const x = Math.round(from)
  const width = Math.max(LEAST, Math.round(to - from))
  if (last && x <= last.x + last.width)
    bars[bars.length - 1] = { x: last.x, width: Math.max(last.width, x + width - last.x) }
  else bars.push({ x, width })
}

/** The frame at a click: the last one that began at or before `at` ms, otherwise the first one after. */
export const frameAt = (buckets: TimeBuckets, name: LaneName, at: number): Seq | undefined => {
  const { last }: Lane = buckets.lanes[name]
  const bucket = Math.max(0, Math.min(BUCKETS - 1, Math.floor((at / buckets.span) * BUCKETS)))
  for (let left = bucket; left >= 0; left--) if (last[left]) return last[left]! - 1
  for (let right = bucket + 1; right < BUCKETS; right++) if (last[right]) return last[right]! - 1
  return undefined
}
