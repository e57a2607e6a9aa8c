/** The time that a pending call has left, by the limits that the session applies (UT-TIME-01 … UT-TIME-04). */
import type { Exchange } from '../../mcp/index.ts'

export interface Remaining {
  /** ms until the call times out; never negative. */
  readonly left: number
  /** The limit that is reached first. */
  readonly which: 'idle' | 'total'
  /** Less than a quarter of the limit (or 5 s, if that is more) is left: time to offer an extension. */
  readonly near: boolean
}

/**
 * @param now ms since the trace began
 * @param extendedAt when the user last extended the call, which restarts the idle limit
 */
export const remainingOf = (
  { limits, startedAt, progress }: Pick<Exchange, 'limits' | 'startedAt' | 'progress'>,
  now: number,
  extendedAt = 0,
): Remaining | undefined => {
  if (!limits) return undefined
  const idleLeft = Math.max(startedAt, progress?.at ?? 0, extendedAt) + limits.idle - now
  const totalLeft = startedAt + limits.total - now
  const which = idleLeft <= totalLeft ? 'idle' : 'total'
  const left = Math.max(0, Math.min(idleLeft, totalLeft))
  return { left, which, near: left < Math.max(5000, limits[which] / 4) && left < limits[which] }
}

/** Progress from 0 to 1; `undefined` if the server sends no total, or one that makes no sense. */
export const shareOf = (progress: Exchange['progress']): number | undefined => {
  if (!progress || progress.total === undefined || !(progress.total > 0)) return undefined
  return Math.min(1, Math.max(0, progress.progress / progress.total))
}
