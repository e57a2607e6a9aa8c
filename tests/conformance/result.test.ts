import { describe, expect, test } from 'vitest'
import type { Ended } from '../command.ts'
import { readChecks, verdictOf, type Check } from './result.ts'

const ended = (output = '', problem?: string): Ended => ({ output, seconds: 1, ...(problem ? { problem } : {}) })
const check = (status: string, id = 'a', errorMessage?: string): Check => ({
  id,
  status,
  description: 'Does it',
  ...(errorMessage ? { errorMessage } : {}),
})

test('a scenario passes with a success and nothing against it; what the suite skips or tells in passing is not', () => {
  expect(verdictOf({ ended: ended(), checks: [check('SUCCESS'), check('SKIPPED'), check('INFO')] })).toEqual({
    succeeded: 1,
    faults: [],
  })
})

describe('a scenario has not passed', () => {
  test.each(['FAILURE', 'WARNING'])('for one %s, whatever else succeeded', (status) => {
    const verdict = verdictOf({ ended: ended(), checks: [check('SUCCESS'), check(status, 'b', 'bang\n  at x')] })
    expect(verdict).toEqual({ succeeded: 1, faults: [`${status.toLowerCase()} b: bang`] })
  })
  test('for a status that nobody has heard of', () => {
    expect(verdictOf({ ended: ended(), checks: [check('SUCCESS'), check('BROKEN')] }).faults).toEqual([
      'unknown status BROKEN a: Does it',
    ])
  })
  test('when no check succeeded, though none failed: a client that does nothing must not pass', () => {
    expect(verdictOf({ ended: ended(), checks: [check('SKIPPED'), check('INFO')] }).faults).toEqual([
      'no check succeeded',
    ])
    expect(verdictOf({ ended: ended(), checks: [] }).faults).toEqual(['no check succeeded'])
  })
  test('when the suite wrote no checks', () => {
    expect(verdictOf({ ended: ended('', 'exit code 1'), checks: undefined }).faults).toEqual([
      'the suite wrote no checks',
    ])
  })
  test('when the client did not end in time', () => {
    const output = '⚠️  CLIENT TIMED OUT - Test incomplete'
    expect(verdictOf({ ended: ended(output, 'exit code 1'), checks: [check('SUCCESS')] }).faults).toEqual([
      'the client did not end in time',
    ])
  })
  test('when the client failed where it must not', () => {
    const output = '⚠️  CLIENT EXITED WITH ERROR (code 7) - Test may be incomplete'
    expect(verdictOf({ ended: ended(output, 'exit code 1'), checks: [check('SUCCESS')] }).faults).toEqual([
      'the client ended with exit code 7',
    ])
  })
  test('when the suite is not content and says not why, or had to be ended', () => {
    const checks = [check('SUCCESS')]
    expect(verdictOf({ ended: ended('', 'exit code 1'), checks }).faults).toEqual(['the suite: exit code 1'])
    const late = 'took longer than 45 s and was ended'
    expect(verdictOf({ ended: ended('', late), checks: [check('FAILURE')] }).faults).toEqual([
      'failure a: Does it',
      'no check succeeded',
      `the suite: ${late}`,
    ])
  })
})

test('where the scenario lets the client fail, its exit code is nothing against it', () => {
  // In this case the suite exits with 0 and words the code differently.
  expect(verdictOf({ ended: ended('Client exited with code 1'), checks: [check('SUCCESS')] }).faults).toEqual([])
})

test("the suite's results are read as they are written, and half a file is none", () => {
  const written = [{ id: 'a', name: 'A', status: 'SUCCESS', description: 'd', details: { x: 1 } }]
  expect(readChecks(JSON.stringify(written))).toEqual(written)
  for (const text of ['', '[', '{}', '[1]', '[{"id":"a"}]', '[{"status":"SUCCESS"}]']) {
    expect(() => readChecks(text), text).toThrow()
  }
})
