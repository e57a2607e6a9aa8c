/** A common format for every runner's counts, and the last line of a run. */
import { stripVTControlCharacters } from 'node:util'

export interface Skipped {
  readonly name: string
  readonly reason: string
}

export interface Timed {
  readonly name: string
  readonly seconds: number
}

export interface Tally {
  readonly passed: number
  /** One text per failure: its name, then the reasons below it. */
  readonly failed: readonly string[]
  readonly skipped: readonly Skipped[]
  /** The slowest tests, slowest first; absent if the runner doesn't measure. */
  readonly slowest?: readonly Timed[]
}

/** How many tests a tally names as its slowest. */
const SLOWEST = 10

export const slowestOf = (tests: readonly Timed[]): readonly Timed[] =>
  [...tests].sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)

export const sum = (tallies: readonly Tally[]): Tally => {
  const slowest = slowestOf(tallies.flatMap(({ slowest = [] }) => slowest))
  return {
    passed: tallies.reduce((total, { passed }) => total + passed, 0),
    failed: tallies.flatMap(({ failed }) => failed),
    skipped: tallies.flatMap(({ skipped }) => skipped),
    ...(slowest.length > 0 ? { slowest } : {}),
  }
}

/** `N passed, N failed`, plus `, N skipped` if there are any. */
export const summaryLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`

/**
 * Combines a runner's tally with how its process ended. A runner that crashed, hung or ran nothing has failed, whatever
 * it counted before.
 *
 * @param ended why the process failed; absent if it exited with 0
 */
export const judged = (runner: string, tally: Tally | undefined, ended: string | undefined): Tally => {
  if (!tally)
    return { passed: 0, failed: [`${runner}: no result, ${ended ?? 'though it says that all is well'}`], skipped: [] }
  if (tally.passed + tally.failed.length === 0) return { ...tally, failed: [`${runner}: ran no test`] }
  if (ended && tally.failed.length === 0) return { ...tally, failed: [`${runner}: ${ended}`] }
  return tally
}

/** The part of Playwright's JSON report read here. */
export interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[]
  readonly errors: readonly { readonly message?: string; readonly stack?: string }[]
}
interface PlaywrightSuite {
  readonly title: string
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly {
    readonly title: string
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
      readonly annotations: readonly { readonly type: string; readonly description?: string }[]
      readonly results?: readonly {
        readonly errors: readonly { readonly message?: string }[]
        /** ms. */
        readonly duration?: number
      }[]
    }[]
  }[]
}

/** A test that only passes on retry counts as failed; otherwise flaky tests go unnoticed. */
export const playwrightTally = ({ suites, errors }: PlaywrightReport): Tally => {
  const tallies: Tally[] = []
  const visit = (suite: PlaywrightSuite, path: readonly string[]) => {
    const here = [...path, suite.title]
    for (const { title, tests } of suite.specs) {
      for (const { status, annotations, results = [] } of tests) {
        const name = [...here, title].join(' > ')
        const why = results.flatMap(({ errors }) => errors).map(({ message }) => message)
        const reason = annotations.find(({ type }) => type === 'skip' || type === 'fixme')?.description
        tallies.push({
          passed: status === 'expected' ? 1 : 0,
          failed:
            status === 'unexpected'
              ? [withReasons(name, why)]
              : status === 'flaky'
                ? [withReasons(`${name} (passed when run again)`, why)]
                : [],
          skipped: status === 'skipped' ? [{ name, reason: reason ?? 'no reason given' }] : [],
          slowest: results.flatMap(({ duration }) =>
            duration === undefined ? [] : [{ name, seconds: duration / 1000 }],
          ),
        })
      }
    }
    for (const inner of suite.suites ?? []) visit(inner, here)
  }
  for (const suite of suites) visit(suite, [])
  const outside = errors.map(({ message, stack }) => withReasons('outside of any test', [stack ?? message]))
  return sum([...tallies, { passed: 0, failed: outside, skipped: [] }])
}

/** Limits for the summary: lines of one failure, and characters of one line. The full text is where it happened. */
const LINES = 16
const LINE = 400

/** A name, with its error messages below. */
export const withReasons = (name: string, reasons: readonly (string | undefined)[]): string =>
  [
    name,
    ...reasons
      .flatMap((reason) =>
        stripVTControlCharacters(reason ?? 'no message')
          .trim()
          .split('\n'),
      )
      .filter((line) => line.trim() !== '')
      .slice(0, LINES)
      .map((line) => `    ${line.slice(0, LINE)}`),
  ].join('\n')

export const firstLine = (text: string | undefined): string => (text ?? 'no message').trim().split('\n')[0] ?? ''
