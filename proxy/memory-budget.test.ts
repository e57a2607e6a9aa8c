import { describe, expect, test } from 'vitest'
import { MemoryBudget, type Holder, type Share } from './memory-budget.ts'

const MB = 1024 * 1024

interface Known {
  readonly share: Share
  paused: boolean
  released: number
  dropped: number
  blocked: boolean
}

function holder(budget: MemoryBudget, bytes: number, unfinished = false): Known {
  const made: Holder = {
    unfinished,
    blocked: () => known.blocked,
    pause: (paused) => (known.paused = paused),
    release: () => known.released++,
    drop: () => {
      known.dropped++
      known.share.set(0)
    },
  }
  const known: Known = { share: budget.share(made), paused: false, released: 0, dropped: 0, blocked: false }
  known.share.set(bytes)
  return known
}

describe('the memory of the proxy', () => {
  test('lets everybody go on as long as there is enough', () => {
    const budget = new MemoryBudget(10 * MB, 60_000)
    const all = [holder(budget, 4 * MB), holder(budget, 4 * MB, true), holder(budget, 1 * MB)]
    expect(budget.used).toBe(9 * MB)
    expect(all.map(({ paused, released }) => [paused, released])).toEqual(all.map(() => [false, 0]))
  })

  test('when short, first lets go what it can do without, then pauses who holds much, until half of it is free', () => {
    const budget = new MemoryBudget(10 * MB, 60_000)
    const small = holder(budget, 1000)
    const much = holder(budget, 6 * MB)
    const more = holder(budget, 7 * MB)
    expect(more.released).toBeGreaterThan(0)
    expect([small.paused, much.paused, more.paused]).toEqual([false, true, true])
    more.share.set(0)
    expect([much.paused, more.paused]).toEqual([true, false])
    much.share.set(4 * MB)
    expect(much.paused).toBe(false)
  })

  test('reads one unfinished line after the other to its end, the largest first, and drops none of them', () => {
    const budget = new MemoryBudget(10 * MB, 60_000)
    const lines = [3, 5, 4].map((size) => holder(budget, size * MB, true))
    const paused = () => lines.map((line) => line.paused)
    expect(paused()).toEqual([true, false, true])
    lines[1]!.share.set(60 * MB)
    expect(paused()).toEqual([true, false, true])
    // The process has ended and its output waits for its page. While that fills the budget, no second line is read.
    const log = holder(budget, 0)
    log.share.set(60 * MB)
    lines[1]!.share.set(0)
    expect(paused()).toEqual([true, false, true])
    log.share.set(1 * MB)
    expect(paused()).toEqual([true, false, false])
    lines[2]!.share.set(0)
    expect(lines.map(({ dropped }) => dropped)).toEqual([0, 0, 0])
  })

  test('drops an unfinished line for which others wait when it stops growing, unless its page is behind', async () => {
    const budget = new MemoryBudget(10 * MB, 20)
    const behind = holder(budget, 7 * MB, true)
    const other = holder(budget, 6 * MB, true)
    const waiting = other.paused ? other : behind
    const reading = other.paused ? behind : other
    reading.blocked = true
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(reading.dropped).toBe(0)
    reading.blocked = false
    await expect.poll(() => reading.dropped).toBe(1)
    await expect.poll(() => waiting.paused).toBe(false)
    waiting.share.close()
  })

  test('when short, does not count against a page what is on its way to it, nor what it could resume from', () => {
    const budget = new MemoryBudget(10 * MB, 60_000)
    const line = holder(budget, 9 * MB, true)
    let taken = 16 * MB
    const page = { paused: false, share: undefined as Share | undefined }
    page.share = budget.share({
      pause: (paused) => (page.paused = paused),
      release: () => {
        taken = MB / 4
        page.share!.set(taken)
      },
    })
    page.share.set(taken)
    holder(budget, 2 * MB)
    expect(budget.used).toBe(11.25 * MB)
    expect([page.paused, line.paused]).toEqual([false, false])
    page.share.set(16 * MB)
    expect([taken, page.paused]).toEqual([MB / 4, false])
  })

  test('forgets who has gone', () => {
    const budget = new MemoryBudget(10 * MB, 60_000)
    const [one, two] = [holder(budget, 6 * MB), holder(budget, 6 * MB)]
    two.share.close()
    expect([budget.used, one.paused]).toEqual([6 * MB, true])
    one.share.close()
    expect(budget.used).toBe(0)
  })
})
