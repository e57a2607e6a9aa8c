import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../mcp/index.ts'
import en from '../text/en.ts'
import {
  cancellationEffect,
  cancellationText,
  historyOf,
  remainingOf,
  shareOf,
  type CallOutcome,
} from './call-outcome.ts'

const exchange = {} as Exchange
const call = (seq: number, state: CallOutcome['state'] = 'ok'): CallOutcome => ({ seq, rounds: [seq], exchange, state })

test('nothing was called: nothing is shown, and nothing is awaited', () => {
  expect(historyOf([], undefined)).toEqual({ settled: [], newest: undefined, shown: undefined, waiting: false })
})

test('the first call is awaited with nothing to show', () => {
  expect(historyOf([call(1, 'pending')], undefined)).toMatchObject({ settled: [], shown: undefined, waiting: true })
})

test('the last answer stays until the next one is there', () => {
  const [first, second] = [call(1, 'error'), call(5, 'pending')]
  expect(historyOf([first, second], undefined)).toEqual({
    settled: [first],
    newest: second,
    shown: first,
    waiting: true,
  })
  expect(historyOf([first, call(5)], undefined)).toMatchObject({ shown: { seq: 5 }, waiting: false })
})

test('an earlier call is shown to who chose it; one that is under way, or gone, cannot be', () => {
  const calls = [call(1), call(5), call(9, 'pending')]
  expect(historyOf(calls, 1).shown).toBe(calls[0])
  expect(historyOf(calls, 9).shown).toBe(calls[1])
  expect(historyOf(calls, 77).shown).toBe(calls[1])
})

test.each([
  ['2026-07-28', 'Streamable HTTP', 'stream-closed'],
  ['2026-07-28', 'stdio', 'notified'],
  ['2025-11-25', 'Streamable HTTP', 'notified-then-closed'],
  ['2025-11-25', 'stdio', 'notified'],
  ['2024-11-05', 'HTTP+SSE', 'notified'],
] as const)('after a cancel at %s over %s: %s', (revision, transport, after) => {
  expect(cancellationEffect(revision, transport)).toBe(after)
})

test('a late response is promised only where one can arrive', () => {
  const text = (revision: '2026-07-28' | '2025-11-25', transport: string) =>
    cancellationText({ peer: { revision }, transport }, en)
  expect(text('2026-07-28', 'Streamable HTTP')).toBe(
    'Closing the response stream cancelled the request. No later response can arrive.',
  )
  expect(text('2025-11-25', 'Streamable HTTP')).toContain('closes after 3 s')
  expect(text('2025-11-25', 'stdio')).toContain('A late response still appears in the trace.')
})

const limits = { idle: 60_000, total: 600_000 }

describe('the limit of a pending call', () => {
  test('without progress the idle limit counts from the start', () => {
    expect(remainingOf({ limits, startedAt: 1000 }, 11_000)).toEqual({ left: 50_000, which: 'idle', near: false })
  })

  test('progress and an extension restart the idle timeout, never the total timeout', () => {
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

test('the completed share is known only if the total is a positive number, and stays between 0 and 1', () => {
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
