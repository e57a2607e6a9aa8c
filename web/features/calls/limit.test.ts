import { describe, expect, test } from 'vitest'
import { remainingOf, shareOf } from './limit.ts'

const limits = { idle: 60_000, total: 600_000 }

describe('the limit of a pending call', () => {
  test('without progress the idle limit counts from the start', () => {
    expect(remainingOf({ limits, startedAt: 1000 }, 11_000)).toEqual({ left: 50_000, which: 'idle', near: false })
  })

  test('progress and an extension start the idle clock anew, never the total one', () => {
    const progress = { progress: 1, count: 1, at: 50_000 }
    expect(remainingOf({ limits, startedAt: 0, progress }, 55_000)).toMatchObject({ left: 55_000, which: 'idle' })
    expect(remainingOf({ limits, startedAt: 0, progress }, 90_000, 90_000)).toMatchObject({
      left: 60_000,
      which: 'idle',
    })
    expect(remainingOf({ limits, startedAt: 0, progress: { ...progress, at: 580_000 } }, 590_000)).toEqual({
      left: 10_000,
      which: 'total',
      near: true,
    })
  })

  test('a limit that is about to hit is near, and never below zero', () => {
    expect(remainingOf({ limits, startedAt: 0 }, 46_000)).toMatchObject({ near: true })
    expect(remainingOf({ limits, startedAt: 0 }, 99_000)).toMatchObject({ left: 0, near: true })
    expect(remainingOf({ startedAt: 0 }, 99_000)).toBeUndefined()
  })

  test('a short limit is not near before it has begun', () => {
    expect(remainingOf({ limits: { idle: 3000, total: 3000 }, startedAt: 0 }, 0)).toMatchObject({ near: false })
  })
})

test('the share done is told only where the total makes sense, and stays within its bounds', () => {
  const of = (progress: number, total?: number) =>
    shareOf({ progress, count: 1, at: 0, ...(total === undefined ? {} : { total }) })
  expect([of(3, 5), of(9, 5), of(-1, 5)]).toEqual([0.6, 1, 0])
  expect([of(3), of(3, 0), of(3, -2), of(3, NaN), shareOf(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
