/** The reads of each resource and their outcomes, the same for a session and a recording; and reading again on updates. */
import { messagesIn } from '../../mcp/index.ts'
import type { Exchanges, Frame, JsonObject, Link, Projection, Trace } from '../../mcp/index.ts'
import { plainOutcomeOf, type PlainOutcome, roundsFold, type Rounds } from '../calls/index.ts'
import { updateOf, type Updates } from './subscriptions.ts'

export const readsFold = roundsFold('resources/read', 'uri')

export const outcomeOf = (rounds: Rounds, { bySeq }: Exchanges, trace: Trace): PlainOutcome | undefined =>
  plainOutcomeOf(rounds, bySeq, (seq) => trace.at(seq))

/** A problem of a read's result, as a code for the catalogues. */
export interface ReadFinding {
  readonly code: 'no-contents' | 'empty-contents'
  readonly rule: string
  readonly keyword: 'MUST' | 'MUST NOT'
}

/** @param revision of the session; since 2026-07-28 empty contents aren't a valid “not found” (SF-RES-05) */
export const readFindings = ({ contents }: JsonObject, revision?: string): readonly ReadFinding[] => {
  if (!Array.isArray(contents)) return [{ code: 'no-contents', rule: 'SF-RES-03', keyword: 'MUST' }]
  if (contents.length > 0 || (revision !== undefined && revision < '2026-07-28')) return []
  return [{ code: 'empty-contents', rule: 'SF-RES-05', keyword: 'MUST NOT' }]
}

/**
 * Whether an error means that the resource doesn't exist (BP-35, BP-36). `legacy`: the code from before 2026-07-28,
 * used in a later version. `maybe`: a code that only means invalid parameters.
 */
export const notFound = (code: number, revision?: string): 'sure' | 'legacy' | 'maybe' | undefined => {
  const modern = revision !== undefined && revision >= '2026-07-28'
  if (code === -32002) return modern ? 'legacy' : 'sure'
  if (code === -32602) return modern ? 'sure' : 'maybe'
  return undefined
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
    if (frame.link !== link || !tells(frame)) return
    if (updateOf(updates.current.get(link), uri)?.seq !== frame.seq) return
    wanted = true
    if (!busy) soon()
  })
  return () => {
    over = true
    stop()
  }
}

const tells = (frame: Frame): boolean => {
  if (frame.kind !== 'message' || frame.direction !== 'received') return false
  return messagesIn(frame.message).some((part) => part.method === 'notifications/resources/updated')
}
