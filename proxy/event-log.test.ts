import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EventLog } from './event-log.ts'
import type { PageEvent } from './wire.ts'

const line = (text: string): PageEvent => ({ type: 'line', child: 'c1', text })

function read(piece: Buffer | undefined): { id: number; event: PageEvent }[] {
  return [...(piece?.toString() ?? '').matchAll(/id: (\d+)\ndata: (.*)\n\n/g)].map(([, id, data]) => ({
    id: Number(id),
    event: JSON.parse(data!) as PageEvent,
  }))
}

describe('the log of a page’s events', () => {
  test('however a stream is cut and resumed, every event arrives once and in order, or a gap says how many are missing', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('append' as const), size: fc.nat(300) }),
      fc.record({ do: fc.constant('take' as const), limit: fc.integer({ min: 1, max: 500 }) }),
      // A connection that dies loses the last things it took.
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
          for (const { id, event } of got) {
            expect(event).toMatchObject({ text: `${id}:`.padEnd((event as { text: string }).text.length, 'x') })
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
              expect(gap.event).toEqual({ type: 'gap', lost: gap.id - last })
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

  test('an id that was never given is answered with a reset, and all that is held', () => {
    const log = new EventLog(1_000)
    log.append(line('a'))
    expect(read(log.resumeAfter(57))).toEqual([{ id: 0, event: { type: 'gap', lost: 0, reset: true } }])
    expect(read(log.take(1_000)).map(({ id }) => id)).toEqual([1])
  })
})
