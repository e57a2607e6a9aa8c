/**
 * The outcome of `prompts/get`: its state, and its untrusted messages.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#promptmessage
 */
import { isObject } from '../../mcp/index.ts'
import type { Exchange, Frame, Json, JsonObject, Seq } from '../../mcp/index.ts'
import { partWith, plainOutcomeOf, type PlainOutcome, roundsFold, type Rounds } from '../calls/index.ts'

export const getsFold = roundsFold('prompts/get', 'name')

export interface PromptOutcome extends PlainOutcome {
  /** The arguments sent. */
  readonly arguments?: JsonObject
}

/**
 * @param frameAt returns the frame with the given seq
 * @returns `undefined` if the trace doesn't contain the call
 */
export const outcomeOf = (
  rounds: Rounds,
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

export interface PromptMessage {
  /** As sent by the server; only `user` and `assistant` are valid. */
  readonly role: string
  /** One block by the specification; several if the server sent an array. */
  readonly blocks: readonly Json[]
  readonly findings: readonly MessageFinding[]
  readonly raw: Json
}

export interface MessageFinding {
  readonly code: 'no-messages' | 'no-object' | 'bad-role' | 'content-array' | 'no-content'
  readonly keyword: 'MUST'
  readonly rule: 'SF-PROMPT-03'
}

const finding = (code: MessageFinding['code']): MessageFinding => ({ code, keyword: 'MUST', rule: 'SF-PROMPT-03' })

/** The messages of a result (SF-PROMPT-03). Never throws; keeps what it can't parse. */
export const messagesOf = (
  result: JsonObject,
): { readonly messages: readonly PromptMessage[]; readonly findings: readonly MessageFinding[] } => {
  const { messages } = result
  if (!Array.isArray(messages)) return { messages: [], findings: [finding('no-messages')] }
  return { messages: (messages as readonly Json[]).map(messageOf), findings: [] }
}

const messageOf = (raw: Json): PromptMessage => {
  if (!isObject(raw)) return { role: '', blocks: [raw], findings: [finding('no-object')], raw }
  const findings: MessageFinding[] = []
  const { role, content } = raw
  if (role !== 'user' && role !== 'assistant') findings.push(finding('bad-role'))
  if (content === undefined) findings.push(finding('no-content'))
  if (Array.isArray(content)) findings.push(finding('content-array'))
  const blocks = content === undefined ? [] : Array.isArray(content) ? (content as readonly Json[]) : [content]
  return { role: typeof role === 'string' ? role.slice(0, 60) : '', blocks, findings, raw }
}
