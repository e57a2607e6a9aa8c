import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EventLog, FRAME, type Outgoing } from './event-log.ts'
import { framesIn, type Frame } from './fixtures/peer.ts'

const line = (text: string): Outgoing => ({ type: FRAME.line, subject: 1, payload: [Buffer.from(text)] })

function read(piece: Buffer | undefined): Frame[] {
  const { frames, rest } = framesIn(piece ?? Buffer.alloc(0))
  expect(rest).toHaveLength(0)
  return frames
}

const gapOf = ({ type, payload }: Frame): unknown => {
  expect(type).toBe(FRAME.gap)
  return JSON.parse(payload.toString())
}

describe('the log of a page’s events', () => {
  test('however a stream is cut and resumed, every event arrives once and in order, or a gap says how many are missing', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('append' as const), size: fc.nat(300) }),
      fc.record({ do: fc.constant('take' as const), limit: fc.integer({ min: 1, max: 500 }) }),
      // A connection that breaks loses the last events sent on it.
      fc.record({ do: fc.constant('cut' as const), lost: fc.nat(5) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const log = new EventLog(1_000)
        let appended = 0
        const seen: number[] = []
        const gaps = new Set<number>()
        const take = (limit: number) => {
          const got = read(log.take(limit))
          for (const { id, payload } of got) {
            expect(payload.toString()).toBe(`${id}:`.padEnd(payload.length, 'x'))
            seen.push(id)
          }
          return got.length
        }
        for (const each of steps) {
          if (each.do === 'append') log.append(line(`${++appended}:`.padEnd(each.size, 'x')))
          if (each.do === 'take') take(each.limit)
          if (each.do === 'cut') {
            seen.splice(Math.max(0, seen.length - each.lost))
            const last = seen.at(-1) ?? 0
            const [gap] = read(log.resumeAfter(last))
            if (gap) {
              expect(gapOf(gap)).toEqual({ lost: gap.id - last })
              for (let id = last + 1; id <= gap.id; id++) gaps.add(id)
              seen.push(...gaps)
              seen.sort((a, b) => a - b)
              seen.splice(0, seen.length, ...new Set(seen))
            }
          }
        }
        while (take(500) > 0);
        expect(seen).toEqual(Array.from({ length: appended }, (_, index) => index + 1))
        expect(log.queued).toBe(0)
      }),
    )
  })

  test('what was not taken yet is never let go, however much it is', () => {
    const log = new EventLog(100)
    for (let n = 1; n <= 50; n++) log.append(line('x'.repeat(100)))
    const ids: number[] = []
    for (let piece = log.take(1); piece; piece = log.take(1)) ids.push(...read(piece).map(({ id }) => id))
    expect(ids).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  })

  test('a long event goes in frames of its own, each with an id, and can be resumed in its middle', () => {
    const log = new EventLog(10_000_000)
    const text = '"\\\u0000é'.repeat(300_000)
    log.append({ type: FRAME.line, subject: 7, payload: [Buffer.from(text)], invalidUtf8: true })
    log.append(line('next'))
    const all = read(log.take(Infinity))
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => index + 1))
    const parts = all.slice(0, -1)
    expect(parts.length).toBeGreaterThan(3)
    expect(parts.map(({ flags }) => flags)).toEqual(
      parts.map((_, at) => (at > 0 ? 2 : 0) + (at < parts.length - 1 ? 1 : 0) + 4),
    )
    expect(Buffer.concat(parts.map(({ payload }) => payload)).toString() === text).toBe(true)
    expect(log.resumeAfter(2)).toBeUndefined()
    expect(read(log.take(Infinity)).map(({ id }) => id)).toEqual(all.slice(2).map(({ id }) => id))
  })

  test('a frame keeps no larger buffer alive than its own', () => {
    const large = Buffer.alloc(1_000_000)
    const log = new EventLog(1_000)
    log.append({ type: FRAME.line, subject: 1, payload: [large.subarray(0, 20_000)] })
    expect(log.take(1)!.buffer.byteLength).toBeLessThan(30_000)
  })

  test('an id that was never given is answered with a reset, and all that is held', () => {
    const log = new EventLog(1_000)
    log.append(line('a'))
    const [gap] = read(log.resumeAfter(57))
    expect([gap!.id, gapOf(gap!)]).toEqual([0, { lost: 0, reset: true }])
    expect(read(log.take(1_000)).map(({ id }) => id)).toEqual([1])
  })
})
