/**
 * How slow this machine is compared with the idle two-core one the test limits were set on. Limits are multiplied by
 * this factor, because they exist to end what hangs, not what is slow.
 *
 * `tests/run.ts` measures once and passes the factor on in the environment. A runner started on its own uses 1.
 */
import { slownessNow } from './yardstick.ts'

const VARIABLE = 'PERISCOPE_SLOWNESS'

const ROUNDS = 7
/** On a machine slower than this, other problems show first. */
const MOST = 10

/**
 * Runs for about a second. @returns 1 on the reference machine or a faster one; 3 if this one takes three times as long
 */
export const measureSlowness = (): number => Math.min(MOST, Math.max(1, Math.round(slownessNow(ROUNDS) * 10) / 10))

/** Passes the factor to all runners started from now on. */
export const announceSlowness = (factor: number): void => {
  process.env[VARIABLE] = String(factor)
}

/** The factor the runner passed on. */
export const slowness = (): number => Number(process.env[VARIABLE]) || 1

/** How many times as often as usual random tests try: 1, or 50 in `npm run test:deep`. */
export const depth = (): number => Number(process.env['PERISCOPE_DEPTH']) || 1
