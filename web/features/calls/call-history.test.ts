import { expect, test } from 'vitest'
import type { Exchange } from '../../mcp/index.ts'
import { historyOf } from './call-history.ts'
import type { CallOutcome } from './call-outcome.ts'

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
