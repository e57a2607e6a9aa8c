/** Replaces recorded responses with current ones, where only the responses differ. */
import { exchanges, foldAll, isObject, utf8Length } from '../../web/mcp/index.ts'
import type { Frame, Json, JsonObject, MessageFrame } from '../../web/mcp/index.ts'
import type { StepReport, Outcome, Step } from '../../web/replay/index.ts'
import type { SessionHead } from '../../web/session-file/index.ts'
import type { Recording } from './recording-file.ts'

export interface UpdateResult {
  readonly head: SessionHead
  readonly frames: readonly Frame[]
  /** Steps whose response was replaced. */
  readonly replaced: readonly StepReport[]
}

/** Uses the last run of each step. A step without a response, recorded or current, stays: it needs a new recording. */
export function updateResponses({ head, frames, steps }: Recording, reports: readonly StepReport[]): UpdateResult {
  const outcomes = new Map<string, Outcome>()
  const taken: StepReport[] = []
  for (const report of reports) {
    const { step, verdict, outcome } = report
    const answered = outcome && ('result' in outcome || 'error' in outcome) ? outcome : undefined
    if (verdict !== 'different' || !answered) continue
    outcomes.set(step.id, answered)
    taken.push(report)
  }
  if (isObject(head.more?.collection)) {
    const held = steps.map((step) => withOutcome(step, outcomes.get(step.id)))
    const collection = { ...head.more.collection, steps: held as unknown as Json }
    return { head: { ...head, more: { ...head.more, collection } }, frames, replaced: taken }
  }
  return { head, frames: replaceResponses(frames, steps, outcomes), replaced: taken }
}

function withOutcome(step: Step, outcome: Outcome | undefined): Step {
  return outcome ? { ...step, recorded: { ...outcome, took: Math.round(outcome.took) } } : step
}

/** The frames with the new responses in place. */
function replaceResponses(
  frames: readonly Frame[],
  steps: readonly Step[],
  outcomes: ReadonlyMap<string, Outcome>,
): readonly Frame[] {
  const { bySeq } = foldAll(exchanges, frames)
  const follower = new Map<number, number>()
  for (const frame of frames) {
    if (frame.kind === 'message' && frame.follows !== undefined) follower.set(frame.follows, frame.seq)
  }
  const changed = [...frames]
  for (const { id, seq } of steps) {
    const outcome = outcomes.get(id)
    if (!outcome || seq === undefined) continue
    let last = seq
    for (let next = follower.get(last); next !== undefined && next > last; next = follower.get(next)) last = next
    const exchange = bySeq.get(last)
    const frame = exchange?.response === undefined ? undefined : changed[exchange.response]
    if (!exchange || frame?.kind !== 'message') continue
    changed[frame.seq] = replaceResponse(frame, exchange.id, outcome)
  }
  return changed
}

function replaceResponse(frame: MessageFrame, id: string | number, outcome: Outcome): MessageFrame {
  const response = responseOf(id, outcome)
  const { raw: _, findings: __, ...rest } = frame
  const message = Array.isArray(frame.message)
    ? (frame.message as readonly Json[]).map((part) => (isObject(part) && part.id === id ? response : part))
    : response
  const type = Array.isArray(message) ? 'batch' : 'error' in outcome ? 'error' : 'result'
  return { ...rest, type, message, size: utf8Length(JSON.stringify(message)) }
}

function responseOf(id: string | number, outcome: Outcome): JsonObject {
  if ('error' in outcome) return { jsonrpc: '2.0', id, error: outcome.error as unknown as JsonObject }
  return { jsonrpc: '2.0', id, result: 'result' in outcome ? outcome.result : {} }
}
