/**
 * What a run of one scenario means, by a rule that is stricter than the suite's own: no failure, no warning, at least
 * one success, and a client that ended in time and, where the scenario does not let it fail, with exit code 0.
 */
import type { Ended } from '../command.ts'
import { firstLine } from '../summary.ts'

/** One entry of the suite's `checks.json`, as far as it is read here. */
export interface Check {
  readonly id: string
  readonly status: string
  readonly description?: string
  readonly errorMessage?: string
}

/** What the suite left behind. */
export interface Ran {
  /** How the suite's process ended; it exits with 1 where it is not content. */
  readonly ended: Ended
  /** Absent: it wrote none, or none that can be read. */
  readonly checks: readonly Check[] | undefined
}

export interface Verdict {
  /** Checks that succeeded. */
  readonly succeeded: number
  /** Why the scenario has not passed, one line each; empty when it has. */
  readonly faults: readonly string[]
}

/** The others say nothing of the client: `INFO` tells what happened, `SKIPPED` what does not concern this one. */
const GOOD = 'SUCCESS'
const BAD = new Set(['FAILURE', 'WARNING'])
const NEUTRAL = new Set(['INFO', 'SKIPPED'])

export const verdictOf = ({ ended, checks }: Ran): Verdict => {
  const faults: string[] = []
  for (const { id, status, errorMessage, description } of checks ?? []) {
    if (status === GOOD || NEUTRAL.has(status)) continue
    const what = BAD.has(status) ? status.toLowerCase() : `unknown status ${status}`
    faults.push(`${what} ${id}: ${firstLine(errorMessage || description)}`)
  }
  const succeeded = checks?.filter(({ status }) => status === GOOD).length ?? 0
  if (!checks) faults.push('the suite wrote no checks')
  else if (succeeded === 0) faults.push('no check succeeded')
  const { output, problem } = ended
  if (output.includes('CLIENT TIMED OUT')) faults.push('the client did not end in time')
  // The suite says so only where the scenario does not let the client fail.
  const exit = /CLIENT EXITED WITH ERROR \(code (-?\d+)\)/.exec(output)
  if (exit) faults.push(`the client ended with exit code ${exit[1]}`)
  // An exit code of the suite says what is said above already; all else is news.
  if (problem && (faults.length === 0 || !problem.startsWith('exit code'))) faults.push(`the suite: ${problem}`)
  return { succeeded, faults }
}

/** @throws {Error} for anything but a list of checks */
export const readChecks = (text: string): readonly Check[] => {
  const value: unknown = JSON.parse(text)
  if (!Array.isArray(value) || !value.every(isCheck)) throw new Error('this is no list of checks')
  return value
}

const isCheck = (value: unknown): value is Check =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Check).id === 'string' &&
  typeof (value as Check).status === 'string'
