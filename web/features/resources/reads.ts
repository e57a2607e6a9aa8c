/** The reads of each resource and their outcomes, the same for a session and a recording; and reading again on updates. */
import { isObject, type Exchanges, type Frame, type Link, type Projection, type Trace } from '../../mcp/index.ts'
import { plainOutcomeOf, type PlainOutcome, requestSeqsFold, type RequestSeqs } from '../calls/index.ts'
import { announces } from '../lists/index.ts'
import { updateOf, type Updates } from './subscriptions.ts'

export const readsFold = requestSeqsFold('resources/read', 'uri')

export const outcomeOf = (rounds: RequestSeqs, { bySeq }: Exchanges, trace: Trace): PlainOutcome | undefined =>
  plainOutcomeOf(rounds, bySeq, (seq) => trace.at(seq))

/** What a request reads, as the trace has it; `undefined`: nothing. */
export const readUriOf = (frame: Frame): string | undefined => {
  if (frame.kind !== 'message' || !isObject(frame.message) || !isObject(frame.message.params)) return undefined
  const { uri } = frame.message.params
  return typeof uri === 'string' ? uri : undefined
}

/** ms between the starts of two reads. */
export const APART = 1000

interface RereadOptions {
  readonly trace: Trace
  readonly link: Link
  readonly updates: Pick<Projection<Updates>, 'current'>
  readonly uri: string
  /** Settles when the read has ended; `undefined`: reading isn't possible now. */
  readonly read: () => Promise<unknown> | undefined
  /** Replaces `setTimeout` in tests. */
  readonly wait?: (act: () => void, ms: number) => unknown
}

/**
 * Reads a resource again when the server reports an update: one read at a time, at most one per second, and a single read
 * for all updates in between (CACHE-04).
 *
 * @returns a function that stops it
 */
export const rereadOnUpdate = ({ trace, link, updates, uri, read, wait = setTimeout }: RereadOptions): (() => void) => {
  let last = -Infinity
  let busy = false
  let wanted = false
  let over = false

  const go = (): void => {
    if (over) return
    wanted = false
    last = trace.elapsed
    const reading = read()
    if (!reading) {
      busy = false
      return
    }
    const done = () => {
      busy = false
      if (wanted) soon()
    }
    reading.then(done, done)
  }
  const soon = (): void => {
    busy = true
    wait(go, Math.max(0, last + APART - trace.elapsed))
  }
  const stop = trace.subscribe((frame) => {
    if (frame.link !== link || !announces('notifications/resources/updated', frame)) return
    if (updateOf(updates.current.get(link), uri)?.seq !== frame.seq) return
    wanted = true
    if (!busy) soon()
  })
  return () => {
    over = true
    stop()
  }
}
