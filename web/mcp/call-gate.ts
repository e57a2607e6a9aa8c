/**
 * The gate before calls of tools. Every message to the peer passes it (`outgoing-requests.ts`), so no panel, test,
 * recording or retry can call a tool without it. It reads what actually leaves, not what a caller says it sends.
 */
import { readJson } from '../json/index.ts'
import { TransportError } from './errors.ts'
import type { CallOrigin, Clearance, HeldBack, Json, JsonObject } from './frame.ts'
import { isObject } from './jsonrpc.ts'
import type { Outbound } from './transports/tap.ts'

/** One `tools/call` in a message that is about to leave. */
export interface LeavingCall {
  /** Absent if the text leaves open which tool it calls: invalid JSON, or a member that occurs twice. */
  readonly tool?: string
  readonly params?: JsonObject
}

export interface LeavingCalls {
  readonly calls: readonly LeavingCall[]
  readonly origin: CallOrigin
  /** The clearances of an earlier attempt with the same calls, which is being sent again. */
  readonly before: readonly Clearance[] | undefined
  /** An earlier attempt was sent. */
  readonly again: boolean
  /** Aborted when the caller no longer wants it sent. */
  readonly signal: AbortSignal
}

export interface CallGate {
  /**
   * @returns one clearance per call, in their order; a promise while the user decides. Calls that are cleared already
   * and unchanged are cleared at once
   * @throws {TransportError} `not-allowed`; a promise rejects with it
   */
  clear(leaving: LeavingCalls): readonly Clearance[] | Promise<readonly Clearance[]>
}

const SAID: Readonly<Record<HeldBack, string>> = {
  declined: 'Not sent: you declined the call',
  'switched-off': 'Not sent: the tool is switched off for this session',
  withdrawn: 'Not sent: the call was cancelled before you decided',
}

/** The refusal of a gate. */
export const notAllowed = (why: HeldBack, policy: string): TransportError =>
  new TransportError('not-allowed', SAID[why], { why, policy })

export const isNotAllowed = (error: unknown): error is TransportError =>
  error instanceof TransportError && error.code === 'not-allowed'

const CALL = 'tools/call'

/** The calls of tools in a message; those of its exact text, if it has one. */
export const toolCallsIn = ({ message, text, headers }: Outbound): readonly LeavingCall[] => {
  const calls = text === undefined ? callsOf(message) : callsInText(text)
  // A gateway may go by the header that repeats the method.
  const named = Object.entries(headers ?? {}).some(
    ([name, value]) => /^mcp-method$/i.test(name) && value.trim() === CALL,
  )
  return calls.length === 0 && named ? [{}] : calls
}

/**
 * Peers may read an unusual text in another way than this page: they may accept invalid JSON, or take the first of two
 * members with the same name. Such a text is taken for a call of an unknown tool if it could be one.
 */
const callsInText = (text: string): readonly LeavingCall[] => {
  if (!plain(text).includes(CALL)) return []
  try {
    const { repeated } = readJson(text)
    if (repeated.some((name) => name === 'method' || name === 'params' || name === 'name')) return [{}]
    return callsOf(JSON.parse(text) as Json)
  } catch {
    return [{}]
  }
}

/** With the escapes resolved in which JSON may write any character. */
const plain = (text: string): string =>
  text.includes('\\')
    ? text
        .replace(/\\u([\da-f]{4})/gi, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
        .replaceAll('\\/', '/')
    : text

const callsOf = (message: Json): readonly LeavingCall[] => {
  const messages: readonly Json[] = Array.isArray(message) ? message : [message]
  return messages.flatMap((part): readonly LeavingCall[] => {
    if (!isObject(part) || part.method !== CALL) return []
    const { params } = part
    if (!isObject(params)) return [{}]
    return [{ ...(typeof params.name === 'string' ? { tool: params.name } : {}), params }]
  })
}
