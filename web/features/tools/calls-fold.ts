/**
 * Which requests called which tool: the last few for each tool of each connection. What became of them is told
 * by the exchanges, which this fold does not repeat.
 *
 * A call is one or more requests: a server may ask for input first (MRTR-06), or lose the session under it.
 */
import { isObject, isRequestId, messagesIn } from '../../mcp/index.ts'
import type { Fold, Link, Seq } from '../../mcp/index.ts'

/** Calls remembered per tool; older ones are still in the Trace. */
const CALLS_KEPT = 20

/** The frames of its requests, in order; at least one. */
export type Rounds = readonly Seq[]
/** Connection -> tool name -> its calls, oldest first. */
export type Calls = Map<Link, Map<string, readonly Rounds[]>>

export const callsFold: Fold<Calls> = {
  initial: () => new Map(),

  step(calls, frame) {
    if (frame.kind !== 'message' || frame.direction !== 'sent') return false
    let moved = false
    for (const part of messagesIn(frame.message)) {
      if (part.method !== 'tools/call' || !isRequestId(part.id)) continue
      const name = isObject(part.params) ? part.params.name : undefined
      if (typeof name !== 'string') continue
      let tools = calls.get(frame.link)
      if (!tools) calls.set(frame.link, (tools = new Map<string, readonly Rounds[]>()))
      const before = tools.get(name) ?? []
      const { follows } = frame
      const carriesOn = follows !== undefined && before.some((rounds) => rounds.at(-1) === follows)
      tools.set(
        name,
        carriesOn
          ? before.map((rounds) => (rounds.at(-1) === follows ? [...rounds, frame.seq] : rounds))
          : [...before, [frame.seq]].slice(-CALLS_KEPT),
      )
      moved = true
    }
    return moved ? undefined : false
  },
}
