/**
 * Maps the requests of one method to their subject (a prompt's name, a URI): the last few calls for each subject of
 * each connection. Their outcomes are in the exchanges and not repeated here. One call may be several requests: a
 * server may ask for input first (MRTR-06), or the session may be lost.
 */
import { isObject, isRequestId, messagesIn } from '../../mcp/index.ts'
import type { Fold, Link, Seq } from '../../mcp/index.ts'

/** Calls stored per subject; older ones are still in the Trace. */
const CALLS_KEPT = 20

/** The request frames of a call, in order; at least one. */
export type Rounds = readonly Seq[]
/** Connection -> subject -> its calls, oldest first. */
export type RoundsBySubject = Map<Link, Map<string, readonly Rounds[]>>

/**
 * Call it once per method and reuse the result: projections are shared by fold identity.
 * @param parameter the parameter that names the subject
 */
export const roundsFold = (method: string, parameter: string): Fold<RoundsBySubject> => ({
  initial: () => new Map(),

  step(calls, frame) {
    if (frame.kind !== 'message' || frame.direction !== 'sent') return false
    let moved = false
    for (const part of messagesIn(frame.message)) {
      if (part.method !== method || !isRequestId(part.id)) continue
      const subject = isObject(part.params) ? part.params[parameter] : undefined
      if (typeof subject !== 'string') continue
      let subjects = calls.get(frame.link)
      if (!subjects) calls.set(frame.link, (subjects = new Map<string, readonly Rounds[]>()))
      subjects.set(subject, withRequest(subjects.get(subject) ?? [], frame.seq, frame.follows))
      moved = true
    }
    return moved ? undefined : false
  },
})

const withRequest = (before: readonly Rounds[], seq: Seq, follows: Seq | undefined): readonly Rounds[] => {
  const at = follows === undefined ? -1 : before.findIndex((rounds) => rounds.at(-1) === follows)
  if (at < 0) return [...before, [seq]].slice(-CALLS_KEPT)
  return before.with(at, [...before[at]!, seq])
}
