/**
 * Which of an item's calls is shown: the last result stays until the next one arrives, unless the user picks an earlier
 * one.
 */
import type { Seq } from '../../mcp/index.ts'
import type { CallOutcome } from './call-outcome.ts'

export interface CallHistory<Outcome> {
  /** Oldest first, in the order of the input. */
  readonly settled: readonly Outcome[]
  readonly newest: Outcome | undefined
  readonly shown: Outcome | undefined
  /** The latest call is still pending. */
  readonly waiting: boolean
}

/**
 * @param outcomes oldest first
 * @param chosen an earlier call that the user picked; absent: the latest
 */
export const historyOf = <Outcome extends CallOutcome>(
  outcomes: readonly Outcome[],
  chosen: Seq | undefined,
): CallHistory<Outcome> => {
  const settled = outcomes.filter(({ state }) => state !== 'pending')
  const newest = outcomes.at(-1)
  const shown = settled.find(({ seq }) => seq === chosen) ?? settled.at(-1)
  return { settled, newest, shown, waiting: newest?.state === 'pending' }
}
