/** The outcome of `prompts/get`: its state, and the arguments sent. */
import { isObject } from '../../mcp/index.ts'
import type { Exchange, Frame, JsonObject, Seq } from '../../mcp/index.ts'
import { partWith, plainOutcomeOf, type PlainOutcome, requestSeqsFold, type RequestSeqs } from '../calls/index.ts'

export const getsFold = requestSeqsFold('prompts/get', 'name')

export interface PromptOutcome extends PlainOutcome {
  /** The arguments sent. */
  readonly arguments?: JsonObject
}

/**
 * @param frameAt returns the frame with the given seq
 * @returns `undefined` if the trace doesn't contain the call
 */
export const outcomeOf = (
  rounds: RequestSeqs,
  exchanges: ReadonlyMap<Seq, Exchange>,
  frameAt: (seq: Seq) => Frame | undefined,
): PromptOutcome | undefined => {
  const outcome = plainOutcomeOf(rounds, exchanges, frameAt)
  return outcome && { ...outcome, ...sentWith(frameAt(outcome.seq), exchanges.get(outcome.seq)) }
}

const sentWith = (request: Frame | undefined, exchange: Exchange | undefined): { arguments?: JsonObject } => {
  if (request?.kind !== 'message' || !exchange) return {}
  const message = partWith(request.message, exchange.id, 'request')
  const params = isObject(message?.params) ? message.params : {}
  return isObject(params.arguments) ? { arguments: params.arguments } : {}
}
