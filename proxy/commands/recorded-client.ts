/** Acts like the recorded client, with its capabilities and responses, so that the server behaves the same. */
import {
  ErrorCode,
  exchanges,
  foldAll,
  isErrorObject,
  isObject,
  messagesIn,
  isRevision,
  ProtocolError,
} from '../../web/mcp/index.ts'
import type { Answers, ErrorObject, Frame, JsonObject, Link, Revision } from '../../web/mcp/index.ts'
import type { ScriptedAnswers } from '../../web/replay/index.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

export interface RecordedClient {
  readonly capabilities: JsonObject
  /** The last negotiated version. */
  readonly revision?: Revision
  /** The recorded server's description. */
  readonly peer?: Extract<Frame, { kind: 'session'; phase: 'open' }>['peer']
}

export function clientOf(frames: readonly Frame[], link: Link): RecordedClient {
  let capabilities: JsonObject = {}
  let peer: RecordedClient['peer']
  for (const frame of frames) {
    if (frame.link !== link) continue
    if (frame.kind === 'session' && frame.phase === 'open') peer = frame.peer
    if (frame.kind !== 'message' || frame.direction !== 'sent' || !isObject(frame.message)) continue
    const { method, params } = frame.message
    if (!isObject(params)) continue
    const meta = isObject(params._meta) ? params._meta[CAPABILITIES] : undefined
    const announced = method === 'initialize' ? params.capabilities : meta
    if (isObject(announced)) capabilities = announced
  }
  const revision = peer?.revision
  return { capabilities, ...(isRevision(revision) ? { revision } : {}), ...(peer ? { peer } : {}) }
}

/** The requests a server may send. The kernel responds to `ping`. */
const SERVER_REQUESTS = ['sampling/createMessage', 'elicitation/create', 'roots/list'] as const

/**
 * Responds from the recording. A server request normally belongs to the current step. Requests the server sends unprompted,
 * such as roots/list after the handshake, get their recorded response at any time.
 * @param script of the current step
 */
export function answersFrom(frames: readonly Frame[], link: Link, script: () => ScriptedAnswers | undefined): Answers {
  const spontaneous = unsolicitedResponses(frames, link)
  const respond = (method: string) => (params: JsonObject, _signal: AbortSignal, asking: { readonly key?: string }) => {
    const current = script()
    if (current?.unasked.some((each) => each.method === method)) return current.answer(method, params, asking.key)
    const known = spontaneous.get(`${method} ${JSON.stringify(params)}`) ?? spontaneous.get(method)
    if (known) return resultOrThrow(known)
    // roots/list may arrive at any time, so its recorded position says nothing about a step.
    if (current && method !== 'roots/list') return current.answer(method, params, asking.key)
    throw new ProtocolError(ErrorCode.InternalError, `The recording has no response to this ${method}`)
  }
  return Object.fromEntries(SERVER_REQUESTS.map((method) => [method, respond(method)]))
}

type ResponseOutcome = { readonly result: JsonObject } | { readonly error: ErrorObject }

function resultOrThrow(outcome: ResponseOutcome): JsonObject {
  if ('result' in outcome) return outcome.result
  const { code, message, data } = outcome.error
  throw new ProtocolError(code, message, data)
}

/** Responses to server requests outside any call; for roots/list, responses at any time. */
function unsolicitedResponses(frames: readonly Frame[], link: Link): ReadonlyMap<string, ResponseOutcome> {
  const { all } = foldAll(exchanges, frames)
  const calls = all.filter((each) => each.link === link && each.direction === 'sent' && !NOT_STEPS.has(each.method))
  const answers = new Map<string, ResponseOutcome>()
  for (const { link: theirs, direction, method, request, response, startedAt, id } of all) {
    if (theirs !== link || direction !== 'received' || response === undefined) continue
    const during = calls.some((call) => call.startedAt <= startedAt && (call.endedAt ?? Infinity) >= startedAt)
    if (during && method !== 'roots/list') continue
    const [asked, answered] = [messageIn(frames[request], id), messageIn(frames[response], id)]
    const outcome: ResponseOutcome | undefined = isObject(answered?.result)
      ? { result: answered.result }
      : isErrorObject(answered?.error)
        ? { error: answered.error }
        : undefined
    if (!outcome) continue
    answers.set(`${method} ${JSON.stringify(isObject(asked?.params) ? asked.params : {})}`, outcome)
    answers.set(method, outcome)
  }
  return answers
}

const NOT_STEPS: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'subscriptions/listen', 'ping'])

function messageIn(frame: Frame | undefined, id: string | number): JsonObject | undefined {
  return frame?.kind === 'message' ? messagesIn(frame.message).find((part) => part.id === id) : undefined
}
