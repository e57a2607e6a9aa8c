/**
 * JSON-RPC 2.0 as MCP uses it: parses a peer's text with findings, and serializes ours.
 *
 * Parsing never throws on a peer's text: problems become findings, and the text is kept. Batches (2025-03-26 only) are
 * recognized here, split and sent by `session.ts`, and checked by `web/lint/wire/ids-and-batches.ts`.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic#messages
 */
import { excerpt } from '../json/index.ts'
import { ProtocolError } from './errors.ts'
import type { Finding, Json, JsonObject, MessageKind } from './frame.ts'

export type RequestId = string | number

export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: Json
}

/** Error codes as defined by JSON-RPC (BP-30). */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /**
   * 2026-07-28 (BP-33): a header contradicts the body, a capability is missing, the protocol version isn't supported.
   */
  HeaderMismatch: -32020,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
} as const

/** Requests that open a session, so they are sent without one. */
export const OPENING_METHODS: ReadonlySet<string> = new Set(['initialize', 'server/discover'])

/** The result of parsing one text. */
export interface ParsedMessage {
  readonly type: MessageKind
  /** Absent if the text isn't JSON. */
  readonly message?: Json
  readonly findings: readonly Finding[]
}

/** Parses one JSON-RPC text. Never throws. */
export const read = (text: string): ParsedMessage => {
  let message: Json
  try {
    message = JSON.parse(text) as Json
  } catch (error) {
    return notJson(error)
  }
  return judge(message)
}

/** @param error what parsing the text threw */
export const notJson = (error: unknown): ParsedMessage => ({
  type: 'invalid',
  findings: [must('BP-01', `Not JSON: ${(error as Error).message}`)],
})

/** Classifies a parsed value as a JSON-RPC message, and reports what is wrong with it. */
export const judge = (message: Json): ParsedMessage => {
  if (Array.isArray(message)) {
    const findings = message.length === 0 ? [must('BP-20', 'The batch is empty')] : []
    return { type: 'batch', message, findings }
  }
  if (!isObject(message)) {
    return {
      type: 'invalid',
      message,
      findings: [must('BP-01', `A message must be an object; found ${nameOf(message)}`)],
    }
  }
  const findings: Finding[] = []
  if (message.jsonrpc !== '2.0') {
    findings.push(must('BP-01', `jsonrpc must be "2.0"; found ${excerpt(message.jsonrpc)}`, '/jsonrpc'))
  }
  const type = kindOf(message, findings)
  return { type, message, findings }
}

const kindOf = (message: JsonObject, findings: Finding[]): MessageKind => {
  const hasResult = 'result' in message
  const hasError = 'error' in message
  if ('method' in message) {
    if (typeof message.method !== 'string') {
      findings.push(must('BP-01', `method must be a string; found ${nameOf(message.method)}`, '/method'))
      return 'invalid'
    }
    if (hasResult || hasError) {
      findings.push(
        must('BP-01', 'A message must be a request or a response, not both', hasResult ? '/result' : '/error'),
      )
    }
    if (!('id' in message)) return 'notification'
    if (isRequestId(message.id)) return 'request'
    const rule = message.id === null ? 'BP-03' : 'BP-02'
    findings.push(must(rule, `A request id must be a string or an integer; found ${excerpt(message.id)}`, '/id'))
    return 'invalid'
  }
  if (!hasResult && !hasError) {
    findings.push(must('BP-01', "No method, result or error: this isn't a JSON-RPC message"))
    return 'invalid'
  }
  if (hasResult && hasError) findings.push(must('BP-07', 'A response must have result or error, not both', '/error'))
  if (hasError && !isErrorObject(message.error)) {
    findings.push(must('BP-09', 'error must have an integer code and a message', '/error'))
  }
  if (hasResult && !isObject(message.result)) {
    findings.push(must('BP-01', `result must be an object; found ${nameOf(message.result)}`, '/result'))
  }
  if (!isRequestId(message.id) && !(hasError && (message.id === null || message.id === undefined))) {
    findings.push(must('BP-06', `A response must repeat the id of its request; found ${excerpt(message.id)}`, '/id'))
    return 'invalid'
  }
  return isErrorResponse(message) ? 'error' : 'result'
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** BP-02: strings or integers. `1` and `"1"` are different IDs. */
export const isRequestId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isInteger(value)

export const isErrorObject = (value: unknown): value is JsonObject & ErrorObject =>
  isObject(value) && Number.isInteger(value.code) && typeof value.message === 'string'

/** Members that JSON-RPC doesn't define, which some servers add. */
const othersIn = ({ code: _, message: __, data: ___, ...others }: JsonObject): JsonObject | undefined =>
  Object.keys(others).length > 0 ? others : undefined

/** Converts an error response into an exception, even if the error object lacks a code or message. */
export const errorOf = ({ error }: JsonObject, status?: number): ProtocolError =>
  isErrorObject(error)
    ? new ProtocolError(error.code, error.message, error.data, status, othersIn(error))
    : new ProtocolError(0, 'The server returned an error without a code or message', error, status)

/** The objects in a message: itself, or those of a batch. Empty if the message is absent or was released. */
export const messagesIn = (message: unknown): readonly JsonObject[] => {
  if (Array.isArray(message)) return (message as readonly unknown[]).filter(isObject)
  return isObject(message) ? [message] : []
}

/** The requests in a message: one, or those of a batch. */
export const requestsIn = (
  message: unknown,
): { readonly id: RequestId; readonly method: string; readonly name?: string }[] =>
  messagesIn(message).flatMap(({ id, method, params }) => {
    if (typeof method !== 'string' || !isRequestId(id)) return []
    const named = isObject(params) ? (params.name ?? params.uri) : undefined
    return [{ id, method, ...(typeof named === 'string' ? { name: named } : {}) }]
  })

/**
 * The same ID in the other type: `"1"` for `1`. A response must repeat the ID of its request with its type (BP-06), but
 * some servers return every ID as a string. Such a response is accepted and reported if no request has exactly this ID.
 */
export const idInOtherType = (id: RequestId): RequestId | undefined => {
  if (typeof id === 'number') return String(id)
  return /^(?:0|-?[1-9]\d{0,14})$/.test(id) ? Number(id) : undefined
}

/** BP-07 forbids `"error": null` beside a result, but some servers always send it. Such a response is a success. */
export const isErrorResponse = (message: JsonObject): boolean =>
  'error' in message && !(message.error === null && 'result' in message)

/** A key that distinguishes `1` from `"1"`. */
export const idKey = (id: RequestId): string => (typeof id === 'number' ? `#${id}` : `"${id}`)

/** The key in `pending` of the request that a response belongs to: by exactly its ID, otherwise in the other type. */
export const keyAmong = (pending: ReadonlyMap<string, unknown>, id: RequestId): string => {
  const exact = idKey(id)
  const other = pending.has(exact) ? undefined : idInOtherType(id)
  return other === undefined ? exact : idKey(other)
}

const must = (rule: string, explanation: string, pointer?: string): Finding => ({
  rule,
  keyword: 'MUST',
  explanation,
  ...(pointer === undefined ? {} : { pointer }),
})

const nameOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`
