/** One tab after the other. */
import { AuthError, fault } from './fault.ts'

/** A LockManager, as far as it is used. */
export interface Locks {
  request<Result>(
    name: string,
    options: { readonly signal: AbortSignal },
    granted: () => Promise<Result>,
  ): Promise<Awaited<Result>>
}

/** ms that another tab may have it; what a tab does with it ends within a minute. */
const LONGEST_WAIT = 75_000

/**
 * Runs `work` while no other tab does so under the same name; at once where tabs cannot take turns.
 * @throws {AuthError} `timeout`: another tab does not give it back
 * @throws what `work` throws
 */
export const exclusively = async <Result>(
  locks: Locks | undefined,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  if (!locks) return await work()
  let entered = false
  const signal = AbortSignal.timeout(LONGEST_WAIT)
  try {
    return await locks.request(name, { signal }, async () => {
      entered = true
      return await work()
    })
  } catch (error) {
    if (entered) throw error
    if (signal.aborted) {
      const seconds = LONGEST_WAIT / 1000
      throw new AuthError('refresh', fault('timeout', `Another tab has been refreshing for ${seconds} s`), {
        cause: error,
      })
    }
    // Refused, as in a frame without an origin: then there is no other tab with these credentials either.
    return await work()
  }
}
