import { describe, expect, test } from 'vitest'
import { judged, playwrightTally, sum, summaryLine, withReasons, type Tally } from './summary.ts'

const tally = (passed: number, failed: string[] = [], skipped: Tally['skipped'] = []): Tally => ({
  passed,
  failed,
  skipped,
})

test('the last line counts all runners, and speaks of skipped tests only when there are any', () => {
  expect(summaryLine(sum([tally(3), tally(4)]))).toBe('7 passed, 0 failed')
  expect(summaryLine(sum([tally(3, ['a']), tally(0, ['b'], [{ name: 'c', reason: 'd' }])]))).toBe(
    '3 passed, 2 failed, 1 skipped',
  )
})

test('the ten slowest tests of all runners are named, slowest first', () => {
  const timed = (...seconds: number[]): Tally => ({
    ...tally(1),
    slowest: seconds.map((one) => ({ name: `${one} s`, seconds: one })),
  })
  const { slowest = [] } = sum([timed(1, 12, 3), tally(1), timed(2, 4, 5, 6, 7, 8, 9, 10, 11)])
  expect(slowest.map(({ name }) => name)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((one) => `${one} s`))
  expect(sum([tally(1)])).not.toHaveProperty('slowest')
})

describe('a runner has failed', () => {
  test('when it crashed before it could count', () => {
    expect(judged('unit', undefined, 'exit code 1').failed).toEqual(['unit: no result, exit code 1'])
    expect(judged('unit', undefined, undefined).failed).toHaveLength(1)
  })
  test('when it ran no test, though it ended well', () => {
    expect(judged('unit', tally(0, [], [{ name: 'a', reason: 'b' }]), undefined).failed).toEqual(['unit: ran no test'])
  })
  test('when it ended badly, though all its tests passed', () => {
    expect(judged('unit', tally(3), 'ended by SIGKILL').failed).toEqual(['unit: ended by SIGKILL'])
  })
  test('and is not counted twice for the exit code of its failed tests', () => {
    expect(judged('unit', tally(3, ['a']), 'exit code 1')).toEqual(tally(3, ['a']))
    expect(judged('unit', tally(3), undefined)).toEqual(tally(3))
  })
})

test('what failed is named at the end together with why, in plain text and within bounds', () => {
  const red = String.fromCharCode(27) + '[31m'
  const errors = [{ message: `${red}Expected: 1\n\n  Received: 2` }, { message: 'x'.repeat(9999) }]
  const { failed } = playwrightTally({
    suites: [
      {
        title: 'a.spec.ts',
        specs: [{ title: 'b', tests: [{ status: 'unexpected', annotations: [], results: [{ errors }] }] }],
      },
    ],
    errors: [],
  })
  expect(failed).toEqual([`a.spec.ts > b\n    Expected: 1\n      Received: 2\n    ${'x'.repeat(400)}`])
  expect(withReasons('c', [Array(99).fill('line').join('\n')]).split('\n')).toHaveLength(17)
})

test("Playwright's report counts nested suites, reasons of skips, retries and errors outside of tests", () => {
  const one = (status: 'expected' | 'unexpected' | 'flaky' | 'skipped', description?: string) => ({
    title: status,
    tests: [{ status, annotations: description ? [{ type: 'skip', description }] : [] }],
  })
  expect(
    playwrightTally({
      suites: [
        {
          title: 'a.spec.ts',
          specs: [one('expected'), one('unexpected')],
          suites: [{ title: 'group', specs: [one('flaky'), one('skipped', 'no screen'), one('skipped')] }],
        },
      ],
      errors: [{ message: 'bang', stack: 'Error: bang\n  at x' }, { message: 'no stack' }],
    }),
  ).toEqual({
    passed: 1,
    failed: [
      'a.spec.ts > unexpected',
      'a.spec.ts > group > flaky (passed when run again)',
      'outside of any test\n    Error: bang\n      at x',
      'outside of any test\n    no stack',
    ],
    skipped: [
      { name: 'a.spec.ts > group > skipped', reason: 'no screen' },
      { name: 'a.spec.ts > group > skipped', reason: 'no reason given' },
    ],
  })
})
