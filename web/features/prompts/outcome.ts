/**
 * What came of `prompts/get`: its state, and its messages read without trust.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#promptmessage
 */
import { isObject } from '../../mcp/index.ts'
import type { ErrorObject, Exchange, ExchangeStatus, Frame, Json, JsonObject, Seq } from '../../mcp/index.ts'
import { roundsFold, type Rounds } from '../rounds-fold.ts'

export const getsFold = roundsFold('prompts/get', 'name')

export interface PromptOutcome {
  /** The frame of the first request. */
  readonly seq: Seq
  readonly rounds: Rounds
  /** Of the last round. */
  readonly exchange: Readonly<Exchange>
  readonly state: ExchangeStatus
  /** The whole answer; absent where none came, or where its body was released to keep the byte budget. */
  readonly message?: JsonObject
  /** Its exact text, where that differs from the message written anew. */
  readonly raw?: string
  readonly result?: JsonObject
  readonly error?: ErrorObject
  /** UTF-8 bytes of the answer. */
  readonly size?: number
  /** ms from the first request to the end. */
  readonly took?: number
  readonly released?: true
  /** What was asked with: the string map that went out. */
  readonly arguments?: JsonObject
}

/**
 * @param frameAt the frame with a seq
 * @returns `undefined` where the trace holds no such call
 */
export const outcomeOf = (
  rounds: Rounds,
  exchanges: ReadonlyMap<Seq, Exchange>,
  frameAt: (seq: Seq) => Frame | undefined,
): PromptOutcome | undefined => {
  const [seq, last] = [rounds[0]!, rounds.at(-1)!]
  const exchange = exchanges.get(last)
  if (!exchange) return undefined
  const startedAt = exchanges.get(seq)?.startedAt ?? exchange.startedAt
  const response = exchange.response === undefined ? undefined : frameAt(exchange.response)
  const common = {
    seq,
    rounds,
    exchange: { ...exchange },
    state: exchange.status,
    ...(exchange.endedAt === undefined ? {} : { took: exchange.endedAt - startedAt }),
    ...(exchange.error ? { error: exchange.error } : {}),
    ...sentWith(frameAt(seq), exchanges.get(seq)),
  }
  if (response?.kind !== 'message') return common
  const message = partWith(response.message, exchange.id, 'answer')
  if (!message) return { ...common, size: response.size, ...(response.released ? { released: true as const } : {}) }
  return {
    ...common,
    size: response.size,
    message,
    ...(response.raw !== undefined && message === response.message ? { raw: response.raw } : {}),
    ...(isObject(message.result) ? { result: message.result } : {}),
  }
}

const sentWith = (request: Frame | undefined, exchange: Exchange | undefined): { arguments?: JsonObject } => {
  if (request?.kind !== 'message' || !exchange) return {}
  const message = partWith(request.message, exchange.id, 'request')
  const params = isObject(message?.params) ? message.params : {}
  return isObject(params.arguments) ? { arguments: params.arguments } : {}
}

/** In a batch, the one that is meant. */
const partWith = (
  message: Json | undefined,
  id: string | number,
  what: 'request' | 'answer',
): JsonObject | undefined => {
  if (isObject(message)) return message
  if (!Array.isArray(message)) return undefined
  return (message as readonly Json[])
    .filter(isObject)
    .find((part) => part.id === id && 'method' in part === (what === 'request'))
}

export interface PromptMessage {
  /** As the server wrote it; `user` and `assistant` are the two that there are. */
  readonly role: string
  /** One block by the rules; several where the server sent an array all the same. */
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

/** The messages of a result (SF-PROMPT-03); never throws, and keeps what it cannot read. */
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
