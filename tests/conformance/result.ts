/**
 * What a run of one scenario means, by a stricter rule than the suite's own: no failure, no warning, at least one
 * success, and a client that ended in time and, unless the scenario allows it to fail, with exit code 0.
 */
import type { Ended } from '../command.ts'
import { firstLine } from '../summary.ts'

/** The fields of one entry in the suite's `checks.json` that are read here. */
export interface Check {
  readonly id: string
  readonly status: string
  readonly description?: string
  readonly errorMessage?: string
}

/** What the suite produced. */
export interface Ran {
  /** How the suite's process ended; it exits with 1 if a check fails. */
  readonly ended: Ended
  /** Absent: the suite wrote none, or none that can be parsed. */
  readonly checks: readonly Check[] | undefined
}

export interface Verdict {
  /** Number of checks that succeeded. */
  readonly succeeded: number
  /** Why the scenario failed, one line each; empty if it passed. */
  readonly faults: readonly string[]
}

/** The others say nothing about the client: `INFO` reports what happened, `SKIPPED` what doesn't apply. */
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
  // The suite prints this only if the scenario doesn't allow the client to fail.
  const exit = /CLIENT EXITED WITH ERROR \(code (-?\d+)\)/.exec(output)
  if (exit) faults.push(`the client ended with exit code ${exit[1]}`)
  // The suite's exit code repeats the faults above; any other problem is new.
  if (problem && (faults.length === 0 || !problem.startsWith('exit code'))) faults.push(`the suite: ${problem}`)
  return { succeeded, faults }
}

/** @throws {Error} for anything but an array of checks */
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
