/** What a frame belongs to: its exchange, its HTTP exchange, and the frames that it caused. */
import { httpRequestOf } from '../mcp/index.ts'
import type {
  Exchange,
  FlowRun,
  Frame,
  MessageFrame,
  Seq,
  StepRun,
  Trace,
  HttpExchange,
  HttpExchanges,
} from '../mcp/index.ts'
import { stepOf, type Surroundings } from './facts.ts'

export interface Relations {
  readonly exchange: Exchange | undefined
  readonly run: HttpExchange | undefined
  readonly request: Seq | undefined
  readonly answer: Seq | undefined
  /** The HTTP request that carried this message. */
  readonly carrier: Seq | undefined
  /** The messages in this HTTP exchange, if this frame is part of one. At most the last `LISTED`. */
  readonly carried: readonly Seq[]
  /** The sign-in step that it belongs to, and the whole sign-in. */
  readonly step: StepRun | undefined
  readonly flow: FlowRun | undefined
  /** The HTTP request that this one repeats. */
  readonly again: Seq | undefined
  /** Frames caused by this one, in order. At most the last `LISTED`. */
  readonly caused: readonly Seq[]
  readonly causedCount: number
}

/** Maximum number of frames listed in a detail. */
export const LISTED = 200

export const relationsOf = (frame: Frame, trace: Trace, around: Surroundings): Relations => {
  const { exchanges, runs, signIns } = around
  const exchange = exchangeOf(frame, exchanges.bySeq)
  const run = runs.get(httpRequestOf(frame) ?? -1)
  const messages = run && frame.kind !== 'message' ? run.frames.filter((seq) => trace.at(seq)?.kind === 'message') : []
  const step = stepOf(frame, around)
  const flow = step ? step.of : frame.kind === 'auth' ? signIns.flows.get(frame.seq) : undefined
  const caused = frame.kind === 'auth' ? causedByStep(frame, step, flow) : causedBy(frame, trace, exchange, run, runs)
  return {
    exchange,
    run,
    step,
    flow,
    again: frame.kind === 'http' && frame.phase === 'request' ? frame.again : undefined,
    request: exchange && exchange.request !== frame.seq ? exchange.request : undefined,
    answer: exchange && exchange.response !== frame.seq ? exchange.response : undefined,
    carrier: frame.kind === 'message' ? frame.carrier : undefined,
    carried: messages.slice(-LISTED),
    caused: caused.slice(-LISTED),
    causedCount: caused.length,
  }
}

const exchangeOf = (frame: Frame, bySeq: ReadonlyMap<Seq, Exchange>): Exchange | undefined => {
  if (frame.kind === 'session') {
    return frame.phase === 'gave-up' || frame.phase === 'extended' ? bySeq.get(frame.request) : undefined
  }
  return frame.kind === 'message' ? bySeq.get(frame.seq) : undefined
}

/** A flow has its steps and its end; a step has its requests and its other frames. */
const causedByStep = (frame: Frame, step: StepRun | undefined, flow: FlowRun | undefined): readonly Seq[] => {
  if (step) return step.begun === frame.seq ? step.frames : []
  if (flow?.begun !== frame.seq) return []
  return flow.end === undefined ? flow.steps : [...flow.steps, flow.end]
}

const causedBy = (
  frame: Frame,
  trace: Trace,
  exchange: Exchange | undefined,
  run: HttpExchange | undefined,
  runs: HttpExchanges,
): readonly Seq[] => {
  if (frame.kind === 'http' && frame.phase === 'request') return run?.frames ?? []
  if (frame.kind !== 'message' || exchange?.request !== frame.seq) return []
  const caused = new Set(exchange.related)
  if (exchange.response !== undefined) caused.add(exchange.response)
  // Messages in the response to our POST belong to the posted request (TR-HTTP: related messages only).
  if (frame.direction === 'sent') {
    // An interrupted stream continues in other requests.
    for (const part of run ? [run.request, ...run.resumes] : []) {
      if (part !== run?.request) caused.add(part)
      for (const seq of runs.get(part)?.frames ?? []) {
        const other = trace.at(seq)
        if (other?.kind === 'message' ? other.direction === 'received' : other?.kind === 'stream') caused.add(seq)
      }
    }
  }
  caused.delete(frame.seq)
  return [...caused].sort((one, other) => one - other)
}

/** The exact text of a message; `undefined` if it was released. */
export const rawOf = (frame: MessageFrame): string | undefined =>
  frame.raw ?? (frame.message === undefined ? undefined : JSON.stringify(frame.message))
