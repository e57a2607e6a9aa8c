/**
 * The fold that pairs HTTP frames: a request with its response, its end, the events of its stream, and the messages in
 * both directions. Views and exports read it instead of pairing frames themselves.
 */
import type { Frame, Seq } from './frame.ts'
import type { Fold } from './projection.ts'

/** One HTTP exchange. Its fields change as frames arrive. */
export interface HttpExchange {
  readonly request: Seq
  readonly purpose: Extract<Frame, { kind: 'http'; phase: 'request' }>['purpose']
  readonly startedAt: number
  response?: Seq
  status?: number
  /** When the response's head arrived, in ms since the trace began. */
  headAt?: number
  /** The frame that ended it, and how. */
  end?: Seq
  outcome?: 'ended' | 'failed' | 'aborted'
  endedAt?: number
  /** Requests that resumed its stream after an interruption, and retries after its response. */
  readonly resumes: Seq[]
  /** The sign-in step that it belongs to: the step's first frame. */
  readonly step?: Seq
  /** All other frames that name this request, in order: messages, stream events, heads, ends. */
  readonly frames: Seq[]
  /** The number of older open requests while it waited for a connection. */
  queued?: number
}

/** By the seq of the request's frame. */
export type HttpExchanges = Map<Seq, HttpExchange>

/** The HTTP request that a frame is, or belongs to. */
export const httpRequestOf = (frame: Frame): Seq | undefined => {
  if (frame.kind === 'message') return frame.carrier
  if (frame.kind === 'http') return frame.phase === 'request' ? frame.seq : frame.request
  if (frame.kind === 'fault') return frame.event === 'injected' ? frame.request : undefined
  return frame.kind === 'stream' ? frame.request : undefined
}

export const httpExchanges: Fold<HttpExchanges> = {
  initial: () => new Map(),

  step(state, frame) {
    const { seq, at } = frame
    if (frame.kind === 'http' && frame.phase === 'request') {
      const { purpose, step } = frame
      state.set(seq, { request: seq, purpose, startedAt: at, resumes: [], step, frames: [] })
      for (const before of new Set([frame.origin, frame.again])) {
        const exchange = state.get(before ?? -1)
        exchange?.resumes.push(seq)
        exchange?.frames.push(seq)
      }
      return
    }
    const exchange = state.get(httpRequestOf(frame) ?? -1)
    if (!exchange) return false
    exchange.frames.push(seq)
    if (frame.kind !== 'http') return
    if (frame.phase === 'response') {
      exchange.response = seq
      exchange.status = frame.status
      exchange.headAt = at
    } else if (frame.phase === 'queued') {
      exchange.queued = frame.open
    } else {
      exchange.end = seq
      exchange.endedAt = at
      exchange.outcome = frame.phase === 'end' ? 'ended' : frame.aborted === undefined ? 'failed' : 'aborted'
    }
  },
}
