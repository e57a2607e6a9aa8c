/**
 * A reporter for Vitest that writes a tally for each project to the file named by `PERISCOPE_TALLY`.
 *
 * Vitest's own JSON report lacks the reasons of skipped tests and the errors outside of tests.
 */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'
import { firstLine, slowestOf, withReasons, type Tally, type Timed } from './summary.ts'

export type ProjectTallies = Record<string, Tally>

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env['PERISCOPE_TALLY']
    if (!file) return
    const tallies: Record<
      string,
      { passed: number; failed: string[]; skipped: Tally['skipped'][number][]; slowest: readonly Timed[] }
    > = {}
    for (const module of modules) {
      // In browsers, Vitest adds the instance to the project's name: `chromium (chromium)`.
      const project = module.project.name.replace(/ \(.*/, '')
      const tally = (tallies[project] ??= { passed: 0, failed: [], skipped: [], slowest: [] })
      const times: Timed[] = []
      const path = `${project}: ${module.relativeModuleId}`
      for (const error of module.errors()) tally.failed.push(`${path}: ${firstLine(error.message)}`)
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors())
          tally.failed.push(`${path} > ${suite.fullName}: ${firstLine(error.message)}`)
      }
      for (const test of module.children.allTests()) {
        const result = test.result()
        const name = `${path} > ${test.fullName}`
        times.push({ name, seconds: (test.diagnostic()?.duration ?? 0) / 1000 })
        if (result.state === 'passed') tally.passed++
        else if (result.state === 'skipped') tally.skipped.push({ name, reason: result.note ?? 'no reason given' })
        else if (result.state === 'pending') tally.failed.push(`${name} (did not end)`)
        else
          tally.failed.push(
            withReasons(
              name,
              // The cause contains the failure of a property test; the error itself only names the counterexample.
              result.errors.flatMap(({ message, cause }) => [message, ...(cause ? [cause.message] : [])]),
            ),
          )
      }
      tally.slowest = slowestOf([...tally.slowest, ...times])
    }
    // The message alone is often just "write EPIPE", so name the file that was running, and where it was thrown.
    const errors = unhandled.map(({ message, stack, VITEST_TEST_PATH: path }) => {
      const where = typeof path === 'string' ? `, during ${relative(process.cwd(), path)}` : ''
      return withReasons(`outside of any test${where}`, [stack ?? message])
    })
    if (errors.length > 0) tallies['unhandled'] = { passed: 0, failed: errors, skipped: [], slowest: [] }
    writeFileSync(file, JSON.stringify(tallies satisfies ProjectTallies))
  }
}
