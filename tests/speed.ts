/**
 * How slow this machine is compared with the idle two-core one the test limits were set on. Limits are multiplied by
 * this factor, because they exist to end what hangs, not what is slow.
 *
 * `tests/run.ts` measures once and passes the factor on in the environment. A runner started on its own uses 1.
 */
import { createHash } from 'node:crypto'

const VARIABLE = 'PERISCOPE_SLOWNESS'

/** ms the work below takes on the reference machine when idle. */
const REFERENCE = 70
const ROUNDS = 7
/** On a machine slower than this, other problems show first. */
const MOST = 10

/** Parses, sorts, writes and hashes, which is what tests spend their time on. */
const work = () => {
  const rows = Array.from({ length: 6_000 }, (_, at) => ({
    id: (at * 7919) % 6_000,
    name: `row ${at}`,
    tags: ['a', 'b'],
  }))
  let text = JSON.stringify(rows)
  for (let round = 0; round < 10; round++) {
    const read = JSON.parse(text) as typeof rows
    read.sort((a, b) => a.id - b.id || a.name.localeCompare(b.name))
    text = JSON.stringify(read)
    createHash('sha256').update(text).digest('hex')
  }
}

/**
 * Runs for about a second. @returns 1 on the reference machine or a faster one; 3 if this one takes three times as long
 */
export const measureSlowness = (): number => {
  const times = Array.from({ length: ROUNDS }, () => {
    const begun = performance.now()
    work()
    return performance.now() - begun
  }).sort((a, b) => a - b)
  const middle = times[Math.floor(ROUNDS / 2)]!
  return Math.min(MOST, Math.max(1, Math.round((middle / REFERENCE) * 10) / 10))
}

/** Passes the factor to all runners started from now on. */
export const announceSlowness = (factor: number): void => {
  process.env[VARIABLE] = String(factor)
}

/** The factor the runner passed on. */
export const slowness = (): number => Number(process.env[VARIABLE]) || 1

/** How many times as often as usual random tests try: 1, or 50 in `npm run test:deep`. */
export const depth = (): number => Number(process.env['PERISCOPE_DEPTH']) || 1
