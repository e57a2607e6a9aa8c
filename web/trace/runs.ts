/**
 * The fold that ties what one HTTP exchange consists of: the request's head, the answer's, its end, the events of its
 * stream and the messages it carried either way.
 */
import type { Fold, Seq } from '../mcp/index.ts'

/** One HTTP exchange. Its fields change as frames arrive. */
export interface HttpRun {
  readonly request: Seq
  readonly startedAt: number
  response?: Seq
  status?: number
  /** When the answer's head arrived, in ms since the trace began. */
  headAt?: number
  /** The frame that ended it, and how. */
  end?: Seq
  outcome?: 'ended' | 'failed' | 'aborted'
  endedAt?: number
  /** Requests that carried its stream on after it was cut, and those that said it again after its answer. */
  readonly resumes: Seq[]
  /** The step of a sign-in that it belongs to: the frame that began it. */
  readonly step?: Seq
  /** All other frames that name this request, in order: messages, stream events, heads, ends. */
  readonly frames: Seq[]
  /** It waited for a connection while so many older requests were open. */
  queued?: number
}

/** By the seq of the request's frame. */
export type HttpRuns = Map<Seq, HttpRun>

export const httpRuns: Fold<HttpRuns> = {
  initial: () => new Map(),

  step(state, frame) {
    if (frame.kind === 'message') {
      const run = frame.carrier === undefined ? undefined : state.get(frame.carrier)
      if (!run) return false
      run.frames.push(frame.seq)
      return
    }
    if (frame.kind === 'http' && frame.phase === 'request') {
      const { seq, at, step } = frame
      state.set(seq, { request: seq, startedAt: at, resumes: [], ...(step === undefined ? {} : { step }), frames: [] })
      for (const before of new Set([frame.origin, frame.again])) {
        const run = state.get(before ?? -1)
        run?.resumes.push(seq)
        run?.frames.push(seq)
      }
      return
    }
    if (frame.kind !== 'http' && frame.kind !== 'stream') return false
    const run = state.get(frame.request)
    if (!run) return false
    run.frames.push(frame.seq)
    if (frame.kind === 'stream') return
    if (frame.phase === 'response') {
      run.response = frame.seq
      run.status = frame.status
      run.headAt = frame.at
    } else if (frame.phase === 'queued') {
      run.queued = frame.open
    } else {
      run.end = frame.seq
      run.endedAt = frame.at
      run.outcome = frame.phase === 'end' ? 'ended' : frame.aborted === undefined ? 'failed' : 'aborted'
    }
  },
}
