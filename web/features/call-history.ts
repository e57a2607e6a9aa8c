/**
 * Which of the calls of one thing is shown: the last answer stays until the next one is there, unless its user looks
 * back at an earlier one.
 */
import type { Exchange, Seq } from '../mcp/index.ts'

/** What became of one call. */
export interface CallOutcome {
  /** The frame of the first request. */
  readonly seq: Seq
  /** Of the last round. */
  readonly exchange: Readonly<Exchange>
  /** `pending` until it has ended; other words are the feature's own. */
  readonly state: string
  /** UTF-8 bytes of the answer. */
  readonly size?: number
  /** ms from the first request to the end. */
  readonly took?: number
  /** The frame that holds the answer, where it is not the response of the exchange. */
  readonly answer?: Seq
}

export interface CallHistory<Outcome> {
  /** Oldest first, like those it was made of. */
  readonly settled: readonly Outcome[]
  readonly newest: Outcome | undefined
  readonly shown: Outcome | undefined
  /** The newest has not ended. */
  readonly waiting: boolean
}

/**
 * @param outcomes oldest first
 * @param chosen a call that its user looks back at; absent: the latest
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
