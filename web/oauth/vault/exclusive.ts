/** Mutual exclusion between tabs (Web Locks), so that a refresh token is used only once. */
import { AuthError, fault } from '../model/index.ts'

/** The members of `LockManager` used here. */
export interface Locks {
  request<Result>(
    name: string,
    options: { readonly signal: AbortSignal },
    granted: () => Promise<Result>,
  ): Promise<Awaited<Result>>
}

/** ms; tabs hold the lock for a minute at most. */
const LONGEST_WAIT = 75_000

/**
 * Runs `work` while no other tab does so under the same name; immediately if locks aren't available.
 * @param longest ms to wait for another tab
 * @throws {AuthError} `timeout`: another tab doesn't release the lock
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
    // Locks are denied, as in a frame with an opaque origin: no other tab can have these credentials then.
    return await work()
  }
}
