import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Deadline } from './deadline.ts'

describe('a deadline', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const begin = (idle: number, total: number) => {
    const expired: string[] = []
    return { expired, deadline: new Deadline({ idle, total }, (which) => expired.push(which)) }
  }

  test('UT-TIME-01: ends when nothing happens within the idle limit', () => {
    const { expired } = begin(1000, 5000)
    vi.advanceTimersByTime(999)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(2)
    expect(expired).toEqual(['idle'])
  })

  test('UT-TIME-03, UT-TIME-04: progress starts the idle clock anew, but the total holds', () => {
    const { expired, deadline } = begin(1000, 5000)
    for (let passed = 0; passed < 4800; passed += 800) {
      vi.advanceTimersByTime(800)
      deadline.touch()
    }
    expect(expired).toEqual([])
    vi.advanceTimersByTime(300)
    expect(expired).toEqual(['total'])
  })

  test('both limits begin again when something else shows that the peer is busy', () => {
    const { expired, deadline } = begin(1000, 2000)
    for (let passed = 0; passed < 9000; passed += 900) {
      vi.advanceTimersByTime(900)
      deadline.restart()
    }
    expect(expired).toEqual([])
    vi.advanceTimersByTime(1001)
    expect(expired).toEqual(['idle'])
  })

  test('more time can be given, beyond both limits', () => {
    const { expired, deadline } = begin(1000, 2000)
    vi.advanceTimersByTime(900)
    expect(deadline.extend(10_000)).toEqual({ idle: 10_000, total: 10_900 })
    vi.advanceTimersByTime(9_900)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(200)
    expect(expired).toHaveLength(1)
  })

  test('stands still as long as anybody is asked, and goes on with what was left', () => {
    const { expired, deadline } = begin(1000, 5000)
    vi.advanceTimersByTime(600)
    deadline.pause()
    deadline.pause()
    vi.advanceTimersByTime(60_000)
    deadline.resume()
    vi.advanceTimersByTime(60_000)
    expect(expired).toEqual([])
    deadline.resume()
    vi.advanceTimersByTime(390)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(20)
    expect(expired).toEqual(['idle'])
  })

  test('a timer that the runtime held back looks again before it gives up', () => {
    const { expired, deadline } = begin(1000, 100_000)
    // The laptop slept for a minute: the clock jumped, and the timer fires now.
    vi.setSystemTime(Date.now() + 60_000)
    vi.advanceTimersByTime(1000)
    expect(expired).toEqual([])
    // Data that arrived in the meantime is read during the grace period.
    deadline.touch()
    vi.advanceTimersByTime(999)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(1100)
    expect(expired).toEqual(['idle'])
  })
})
