/** Takes turns between tabs (Web Locks), so that a refresh token is used once. */
import { AuthError, fault } from '../model/index.ts'

/** A LockManager, as far as it is used. */
export interface Locks {
  request<Result>(
    name: string,
    options: { readonly signal: AbortSignal },
    granted: () => Promise<Result>,
  ): Promise<Awaited<Result>>
}

/** ms; what a tab does with it ends within a minute. */
const LONGEST_WAIT = 75_000

/**
 * Runs `work` while no other tab does so under the same name; at once where tabs cannot take turns.
 * @param longest ms that another tab may have it
 * @throws {AuthError} `timeout`: another tab does not give it back
 * @throws what `work` throws
 */
export const exclusively = async <Result>(
  locks: Locks | undefined,
  name: string,
  work: () => Promise<Result>,
  longest = LONGEST_WAIT,
): Promise<Result> => {
  if (!locks) return await work()
  let entered = false
  const signal = AbortSignal.timeout(longest)
  try {
    return await locks.request(name, { signal }, async () => {
      entered = true
      return await work()
    })
  } catch (error) {
    if (entered) throw error
    if (signal.aborted) {
      const explanation = `Another tab has been refreshing these tokens for ${longest / 1000} s`
      throw new AuthError('refresh', fault('timeout', explanation), { cause: error })
    }
    // Refused, as in a frame without an origin: then there is no other tab with these credentials either.
    return await work()
  }
}
