/**
 * The steps of a session: the user's actions in order, with their results. Steps are resent, given expectations, shared
 * without responses, and collected.
 */
import {
  type ErrorObject,
  type Exchange,
  exchanges,
  type Exchanges,
  foldAll,
  type Frame,
  isErrorObject,
  isObject,
  type Json,
  type JsonObject,
  type Link,
  type MessageFrame,
  META,
  responseOf,
  type Seq,
  getOrInsert,
} from '../mcp/index.ts'
import { hasSpelling, isRecord, readJson, stringify, type Value, type ValueObject } from '../json/index.ts'

export type Ending = 'cancelled' | 'timeout' | 'lost'

/** The recorded outcome of a step. */
export type Outcome = { readonly took: number } & (
  | { readonly result: JsonObject }
  | { readonly error: ErrorObject }
  | { readonly ended: Ending }
)

/** A server request caused by a step, and its recorded response. */
export interface RecordedAnswer {
  readonly method: string
  readonly params: JsonObject
  /** Its key among the input requests of one result. */
  readonly key?: string
  readonly result?: JsonObject
  readonly error?: ErrorObject
}

/** A value extracted from a response, for use as `{{name}}` in later steps. */
export interface Taking {
  readonly name: string
  /** JSON pointer (RFC 6901) into the result. */
  readonly pointer: string
}

/** A condition on the response of a step. */
export type Expectation =
  | { readonly kind: 'status'; readonly status: 'ok' | 'tool-error' | 'error'; readonly code?: number }
  | { readonly kind: 'equals'; readonly pointer: string; readonly value: Json }
  | { readonly kind: 'matches'; readonly pointer?: string; readonly schema: JsonObject }
  | { readonly kind: 'contains'; readonly text: string }
  /** ms. */
  | { readonly kind: 'under'; readonly limit: number }
  /** The step causes no MUST violation. */
  | { readonly kind: 'no-must' }

export interface Step {
  /** Unique among the steps of a file. */
  readonly id: string
  readonly name?: string
  /** Its group in a collection. */
  readonly group?: string
  readonly link: Link
  readonly method: string
  readonly params?: JsonObject
  /** The exact text of `params`, if parsing it loses something (numbers beyond 2^53). */
  readonly paramsText?: string
  /** `raw`: a manually written text, unchanged and possibly invalid. */
  readonly kind: 'request' | 'notification' | 'raw'
  /** For a raw step. */
  readonly text?: string
  /** The frame of its request, if recorded. */
  readonly seq?: Seq
  /** ms since the trace began. */
  readonly at?: number
  readonly recorded?: Outcome
  readonly answers?: readonly RecordedAnswer[]
  readonly expect?: readonly Expectation[]
  readonly take?: readonly Taking[]
  /** `{{name}}` in its parameters is a variable; without this, it is literal text. */
  readonly templated?: true
  readonly skip?: boolean
  /** Number of runs; default 1. */
  readonly repeat?: number
}

// `{{name}}` in a step's parameters: a value that the user provides, or that was extracted from an earlier response. It
// makes a recording portable: tokens, folders and IDs differ elsewhere.

export type Variables = Readonly<Record<string, Json>>

const VARIABLE = /\{\{\s*([\w.-]{1,64})\s*\}\}/g
const WHOLE = /^\{\{\s*([\w.-]{1,64})\s*\}\}$/
/** Nesting levels of parameters to search. */
const DEEPEST = 200

/** All names used in a value, without duplicates. */
export const namesIn = (value: Json | undefined, depth = 0): string[] => {
  if (typeof value === 'string') return [...new Set(Array.from(value.matchAll(VARIABLE), ([, name]) => name!))]
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return []
  const parts = Array.isArray(value) ? (value as readonly Json[]) : Object.values(value)
  return [...new Set(parts.flatMap((part) => namesIn(part, depth + 1)))]
}

/**
 * Replaces every variable. If a string consists of a single variable, it becomes the variable's value, of any type;
 * within a longer string, its text. Keys stay unchanged.
 * @param missing receives the name of each unknown variable, which stays as written
 */
export const filled = (value: Json, variables: Variables, missing: Set<string>, depth = 0): Json => {
  if (typeof value === 'string') return inText(value, variables, missing)
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map((part: Json) => filled(part, variables, missing, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, filled(part, variables, missing, depth + 1)]),
  )
}

const inText = (text: string, variables: Variables, missing: Set<string>): Json => {
  const known = (name: string): boolean => {
    if (Object.hasOwn(variables, name)) return true
    missing.add(name)
    return false
  }
  const whole = WHOLE.exec(text)?.[1]
  if (whole !== undefined) return known(whole) ? variables[whole]! : text
  return text.replace(VARIABLE, (written, name: string) => {
    if (!known(name)) return written
    const value = variables[name]!
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

// Extracts the steps of a recording: the user's requests, each once, however many rounds, retries and new sessions it
// took. Automatic messages of the client (handshakes, pings, cancellations, task polling) aren't steps.

/** Requests and notifications that the client sends automatically. */
const BY_ITSELF: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'subscriptions/listen',
  'tasks/get',
  'tasks/result',
  'tasks/update',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/tasks/status',
])

/** Requests of servers that the client responds to automatically. */
const TO_ITSELF: ReadonlySet<string> = new Set(['ping', 'tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'])

/** Members of `_meta` that differ per connection: those of the lifecycle and of tracing. */
const ERA_META = /^(?:progressToken$|io\.modelcontextprotocol\/(?!related-task)|trace(?:parent|state)$|baggage$)/

/** @param frames a whole trace or a part of it, in order and without gaps */
export const stepsOf = (frames: readonly Frame[]): Step[] => {
  const state = foldAll(exchanges, frames)
  const steps: Step[] = []
  const follower = followers(frames)
  const serverRequests = serverRequestsOf(state, frames)
  for (const frame of frames) {
    if (!isStep(frame)) continue
    const step = stepOf(frame, state, frames, follower, serverRequests)
    if (step) steps.push(step)
  }
  return chained(steps)
}

/** Whether a step begins with this frame: the first message that the user sent for it. */
export const isStep = (frame: Frame): frame is MessageFrame => {
  if (frame.kind !== 'message' || frame.direction !== 'sent' || frame.follows !== undefined) return false
  if (frame.byHand) return frame.raw !== undefined || frame.message !== undefined
  const { message } = frame
  return isObject(message) && typeof message.method === 'string' && !BY_ITSELF.has(message.method)
}

/** The frame that continues another one: the next round, or the same call in a new session. */
const followers = (frames: readonly Frame[]): ReadonlyMap<Seq, MessageFrame> => {
  const next = new Map<Seq, MessageFrame>()
  for (const frame of frames)
    if (frame.kind === 'message' && frame.follows !== undefined) next.set(frame.follows, frame)
  return next
}

const stepOf = (
  frame: MessageFrame,
  state: Exchanges,
  frames: readonly Frame[],
  follower: ReadonlyMap<Seq, MessageFrame>,
  asked: ReadonlyMap<Seq, readonly RecordedAnswer[]>,
): Step | undefined => {
  const { seq, at, link, message } = frame
  const common = { id: String(seq), link, seq, at }
  if (frame.byHand) {
    const text = frame.raw ?? (message === undefined ? undefined : JSON.stringify(message))
    if (text === undefined) return undefined
    const method = isObject(message) && typeof message.method === 'string' ? message.method : ''
    return { ...common, kind: 'raw', method, text, ...outcomeFrom([frame], state, frames) }
  }
  if (!isObject(message) || typeof message.method !== 'string') return undefined
  const { method } = message
  const chain = [frame]
  for (let next = follower.get(seq); next && chain.length <= 100; next = follower.get(next.seq)) chain.push(next)
  const answers = [...rounds(chain, state, frames), ...chain.flatMap((each) => asked.get(each.seq) ?? [])]
  return {
    ...common,
    kind: frame.type === 'notification' ? 'notification' : 'request',
    method,
    ...paramsOf(frame, message),
    ...(frame.type === 'notification' ? {} : outcomeFrom(chain, state, frames)),
    ...(answers.length > 0 ? { answers } : {}),
  }
}

/** The parameters as the user entered them. */
const paramsOf = (frame: MessageFrame, message: JsonObject): Pick<Step, 'params' | 'paramsText'> => {
  if (!isObject(message.params)) return {}
  const params = ownParams(message.params) as JsonObject
  if (Object.keys(params).length === 0) return {}
  if (frame.raw === undefined) return { params }
  try {
    const { value } = readJson(frame.raw)
    const spelled = isRecord(value) && isRecord(value.params) ? ownParams(value.params) : undefined
    return spelled && hasSpelling(spelled) ? { params, paramsText: stringify(spelled) } : { params }
  } catch {
    return { params }
  }
}

/** Parameters without the members of `_meta` that differ per connection. */
export const ownParams = ({ _meta, ...own }: ValueObject): ValueObject => {
  const meta = isRecord(_meta) ? Object.entries(_meta).filter(([key]) => !ERA_META.test(key)) : []
  return meta.length > 0 ? { ...own, _meta: Object.fromEntries(meta) } : own
}

const outcomeFrom = (
  chain: readonly MessageFrame[],
  state: Exchanges,
  frames: readonly Frame[],
): { readonly recorded?: Outcome } => {
  const [first, last] = [state.bySeq.get(chain[0]!.seq), state.bySeq.get(chain.at(-1)!.seq)]
  if (!first || last?.endedAt === undefined) return {}
  const took = last.endedAt - first.startedAt
  const answer = last.response === undefined ? undefined : responseOf(last, (seq) => frames[seq])
  if (isObject(answer?.result)) return { recorded: { took, result: answer.result } }
  if (isErrorObject(answer?.error)) return { recorded: { took, error: answer.error } }
  const { status } = last
  if (status === 'cancelled' || status === 'timeout' || status === 'lost') return { recorded: { took, ended: status } }
  return {}
}

/** Input requests in results, with the responses in the next round (MRTR-10). */
const rounds = (chain: readonly MessageFrame[], state: Exchanges, frames: readonly Frame[]): RecordedAnswer[] =>
  chain.slice(1).flatMap((next, at) => {
    const before = state.bySeq.get(chain[at]!.seq)
    const result = before ? responseOf(before, (seq) => frames[seq])?.result : undefined
    const inputRequests = isObject(result) && isObject(result.inputRequests) ? result.inputRequests : {}
    const params = isObject(next.message) && isObject(next.message.params) ? next.message.params : {}
    const responses = isObject(params.inputResponses) ? params.inputResponses : {}
    return Object.entries(inputRequests).flatMap(([key, inputRequest]) => {
      if (!isObject(inputRequest) || typeof inputRequest.method !== 'string') return []
      const answer = Object.hasOwn(responses, key) ? responses[key] : undefined
      const request = {
        key,
        method: inputRequest.method,
        params: isObject(inputRequest.params) ? inputRequest.params : {},
      }
      return [isObject(answer) ? { ...request, result: answer } : request]
    })
  })

/** Server requests, by the call they belong to. */
const serverRequestsOf = (state: Exchanges, frames: readonly Frame[]): ReadonlyMap<Seq, readonly RecordedAnswer[]> => {
  const byCall = new Map<Seq, RecordedAnswer[]>()
  const sent = state.all.filter(({ direction, method }) => direction === 'sent' && !BY_ITSELF.has(method))
  const loads = loadsOf(state)
  for (const exchange of state.all) {
    if (exchange.direction !== 'received' || TO_ITSELF.has(exchange.method)) continue
    const frame = frames[exchange.request]
    const call = callOf(exchange, frame, sent, frames)
    if (!call || frame?.kind !== 'message' || !isObject(frame.message)) continue
    const at = (seq: Seq) => frames[seq]
    const first = responseOf(exchange, at)
    const task = taskIn(first?.result)
    const load = task === undefined ? undefined : loads.get(`${exchange.link} ${task}`)
    const answer = task === undefined ? first : load && withoutTask(responseOf(load, at))
    const recorded = {
      method: exchange.method,
      params: isObject(frame.message.params) ? frame.message.params : {},
      ...(isObject(answer?.result) ? { result: answer.result } : {}),
      ...(isErrorObject(answer?.error) ? { error: answer.error } : {}),
    }
    getOrInsert(byCall, call.request, () => []).push(recorded)
  }
  return byCall
}

/** The id of the task in a `CreateTaskResult` (TASK-04). */
export const taskIn = (result: Json | undefined): string | undefined => {
  const id = isObject(result) && isObject(result.task) ? result.task.taskId : undefined
  return typeof id === 'string' ? id : undefined
}

/** TASK-13: the requests that loaded the response to another request, which this client ran as a task. */
const loadsOf = ({ all }: Exchanges): ReadonlyMap<string, Exchange> =>
  new Map(
    all.flatMap((exchange) => {
      const { direction, method, subject, link } = exchange
      return direction === 'received' && method === 'tasks/result' ? [[`${link} ${subject ?? ''}`, exchange]] : []
    }),
  )

/** The response without the name of its task, which is another one next time. */
const withoutTask = (message: JsonObject | undefined): JsonObject | undefined => {
  if (!isObject(message?.result)) return message
  const { _meta, ...result } = message.result
  const { [META.relatedTask]: _, ...meta } = isObject(_meta) ? _meta : {}
  return { ...message, result: { ...result, ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}) } }
}

/** By its stream; otherwise the newest call that was open then. @param sent in order */
export const callOf = (
  question: Exchange,
  asking: Frame | undefined,
  sent: readonly Exchange[],
  frames: readonly Frame[],
): Exchange | undefined => {
  const carrier = asking?.kind === 'message' ? asking.carrier : undefined
  const open = sent.filter(
    ({ link, request, startedAt, endedAt }) =>
      link === question.link &&
      request < question.request &&
      startedAt <= question.startedAt &&
      (endedAt ?? Infinity) >= question.startedAt,
  )
  const carried = (call: Exchange) => {
    const frame = frames[call.request]
    return frame?.kind === 'message' && frame.carrier !== undefined && frame.carrier === carrier
  }
  return open.find(carried) ?? open.at(-1)
}

/** Cursors belong to the server: a cursor that came from a previous page is read from that page's new response. */
const chained = (steps: readonly Step[]): Step[] => {
  const given = new Map<string, number>()
  const chain = [...steps]
  const nameOf = (index: number) => `cursor-${chain[index]!.id}`
  steps.forEach((step, index) => {
    const key = (cursor: Json | undefined) => JSON.stringify([step.link, step.method, cursor])
    const cursor = step.params?.cursor
    const from = typeof cursor === 'string' ? given.get(key(cursor)) : undefined
    if (from !== undefined) {
      const taking: Taking = { name: nameOf(from), pointer: '/nextCursor' }
      chain[from] = { ...chain[from]!, take: [taking] }
      chain[index] = { ...step, params: { ...step.params, cursor: `{{${taking.name}}}` }, templated: true }
    }
    const { recorded } = step
    const next = recorded && 'result' in recorded ? recorded.result.nextCursor : undefined
    if (typeof next === 'string') given.set(key(next), index)
  })
  return chain
}

/**
 * The step of a call whose arguments referred to variables: it refers to them as well. Unchanged if the arguments contain
 * braces that are text.
 * @param written the arguments before the variables were replaced
 */
export const templatedStep = (step: Step, written: Value): Step => {
  const text = stringify(written)
  const { paramsText: _, ...rest } = step
  // Tests have no escape, and take more between braces for a name.
  if (/\\\{\{|\{\{(?![A-Za-z_][\w.-]{0,63}\}\})/.test(text)) return step
  const params = { ...step.params, arguments: JSON.parse(text) as Json }
  const exact = hasSpelling(written) ? { paramsText: stringify({ ...step.params, arguments: written }) } : {}
  return { ...rest, params, templated: true, ...exact }
}
