/**
 * All server requests from any source, with their outcome: a fold over the Trace alone.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import {
  getOrInsert,
  idKey,
  isErrorObject,
  isObject,
  isRequestId,
  META,
  RequestsById,
  setBounded,
  isTaskMethod,
} from '../../mcp/index.ts'
import type { ErrorObject, Fold, Frame, Json, JsonObject, Link, MessageFrame, RequestId, Seq } from '../../mcp/index.ts'
import {
  add,
  callEnded,
  end,
  put,
  release,
  settle,
  type Links,
  type Pending,
  type ServerRequestLog,
  plainRequestId,
  roundRequestId,
  taskRequestId,
} from './request-log.ts'
import { hostedTaskOf, hostedTasksFold, isTerminal, tasksFold, type HostedTask, type Task } from '../tasks/index.ts'

/** Maximum number of requests read from one result; the rest are ignored (MRTR-02). */
const IN_ONE_RESULT = 1000
/** Our pending requests and resumed streams stored per connection. */
const PENDING_KEPT = 2000
/** Calls that one request may belong to. */
const MOST_CANDIDATES = 100
const STREAMS_KEPT = 1000

/** Methods that cause server requests; others that happen to be pending don't (MRTR-01, TASK-06). */
const CAUSES: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'tasks/result',
])

const ENDS: ReadonlySet<string> = new Set(['closed', 'failed', 'renewing'])

export const serverRequestsFold: Fold<ServerRequestLog> = {
  initial: () => ({
    all: new Map(),
    open: new Map(),
    byCall: new Map(),
    links: new Map(),
    tasks: tasksFold.initial(),
    hosted: hostedTasksFold.initial(),
  }),

  step(state, frame) {
    const before = touchedTask(state, frame)
    tasksFold.step(state.tasks, frame)
    hostedTasksFold.step(state.hosted, frame)
    switch (frame.kind) {
      case 'session':
        return stepSession(state, frame)
      case 'http':
        if (frame.phase !== 'request' || frame.origin === undefined) return false
        setBounded(linkOf(state, frame.link).origin, frame.seq, frame.origin, STREAMS_KEPT)
        return false
      case 'message':
        return stepMessages(state, frame, before)
      default:
        return false
    }
  },
}

const linkOf = (state: ServerRequestLog, link: Link): Links =>
  getOrInsert(state.links, link, () => ({
    pending: new RequestsById(),
    first: new Map(),
    origin: new Map(),
    received: new Map(),
    rounds: new Map(),
    stateless: false,
  }))

const partsOf = ({ message }: MessageFrame): readonly Json[] =>
  Array.isArray(message) ? (message as readonly Json[]) : message === undefined ? [] : [message]

const stepMessages = (state: ServerRequestLog, frame: MessageFrame, tasks: ReadonlySet<string>): void | false => {
  const link = linkOf(state, frame.link)
  let moved = false
  for (const [at, part] of partsOf(frame).entries()) {
    if (isObject(part) && stepMessage(state, link, frame, part, at)) moved = true
  }
  for (const id of tasks) {
    const task = state.tasks.get(frame.link)?.tasks.get(id)
    if (task && stepTask(state, link, frame, task)) moved = true
  }
  const hosted = hostedTaskOf(state.hosted, frame)
  if (hosted && stepHosted(state, frame, hosted)) moved = true
  return moved ? undefined : false
}

const stepMessage = (
  state: ServerRequestLog,
  link: Links,
  frame: MessageFrame,
  message: JsonObject,
  at: number,
): boolean => {
  const { method, id } = message
  const params = isObject(message.params) ? message.params : {}
  const sent = frame.direction === 'sent'
  if (typeof method === 'string') {
    if (isRequestId(id)) {
      if (sent) return requestSent(state, link, frame, method, id, params)
      // The session responds to these itself.
      if (method === 'ping' || isTaskMethod(method)) return false
      return requestReceived(state, link, frame, { method, id: idKey(id), params, at })
    }
    if (method !== 'notifications/cancelled' || sent || !isRequestId(params.requestId)) return false
    // If two have the same id, the last one is taken, as the session does.
    const request = takeReceived(link, idKey(params.requestId), 'last')
    const { reason } = params
    return end(state, request, frame, 'withdrawn', typeof reason === 'string' ? reason : undefined)
  }
  if (!isRequestId(id)) return false
  if (sent) return responseSent(state, frame, message, takeReceived(link, idKey(id), 'first'))
  const pending = link.pending.take(id)
  if (!pending) return false
  const { result } = message
  const narrowed = callEnded(state, frame.link, pending.first)
  if (!isObject(result) || result.resultType !== 'input_required') return narrowed
  return inputRequired(state, link, frame, pending, result.inputRequests) || narrowed
}

/** Our own request. The next round of a call answers the requests of the round before. */
const requestSent = (
  state: ServerRequestLog,
  link: Links,
  frame: MessageFrame,
  method: string,
  id: RequestId,
  params: JsonObject,
): boolean => {
  const { seq, carrier, follows } = frame
  const first = follows === undefined ? seq : (link.first.get(follows) ?? follows)
  if (follows !== undefined) setBounded(link.first, seq, first, PENDING_KEPT)
  link.pending.add(id, { seq, first, method, carrier })
  const pending = follows === undefined ? undefined : link.rounds.get(follows)
  if (!pending) return false
  link.rounds.delete(follows!)
  const responses = isObject(params.inputResponses) ? params.inputResponses : {}
  for (const each of pending) {
    const request = state.all.get(each)
    if (request?.key === undefined) continue
    const result = Object.hasOwn(responses, request.key) ? responses[request.key] : undefined
    if (result === undefined) end(state, each, frame, 'withdrawn')
    else settle(state, request, frame, { result: isObject(result) ? result : {} })
  }
  return true
}

const requestReceived = (
  state: ServerRequestLog,
  link: Links,
  frame: MessageFrame,
  { method, id, params, at }: { method: string; id: string; params: JsonObject; at: number },
): boolean => {
  const meta = isObject(params._meta) ? params._meta : {}
  const relatedTask = meta[META.relatedTask]
  const related = isObject(relatedTask) ? relatedTask.taskId : undefined
  const task = typeof related === 'string' ? related : undefined
  const owner = task === undefined ? undefined : state.tasks.get(frame.link)?.tasks.get(task)?.call?.seq
  const causes = owner === undefined ? causesOf(link, frame) : [link.first.get(owner) ?? owner]
  const whose = causes.length > 1 ? { candidates: causes } : causes.length === 1 ? { call: causes[0]! } : {}
  const { seq } = frame
  const head = { id: plainRequestId(seq, at), route: 'request', method, params } as const
  add(state, frame, { ...head, ...whose, ...(task === undefined ? {} : { task }) })
  // BP-12: a violation, which gets no response.
  if (link.stateless) return end(state, head.id, frame, 'lost')
  const same = link.received.get(id)
  if (same) same.push(head.id)
  else setBounded(link.received, id, [head.id], PENDING_KEPT)
  return true
}

const takeReceived = ({ received }: Links, id: string, which: 'first' | 'last'): string | undefined => {
  const same = received.get(id)
  const request = which === 'first' ? same?.shift() : same?.pop()
  if (same?.length === 0) received.delete(id)
  return request
}

/** The call on whose stream it arrived; if the stream belongs to no call, all pending calls that can have caused it. */
const causesOf = ({ pending, origin }: Links, { carrier }: MessageFrame): readonly Seq[] => {
  const stream = carrier === undefined ? undefined : (origin.get(carrier) ?? carrier)
  const causes = new Set<Seq>()
  for (const request of pending.values()) {
    if (stream !== undefined && request.carrier === stream) return [request.first]
    if (CAUSES.has(request.method)) causes.add(request.first)
  }
  return [...causes].slice(0, MOST_CANDIDATES)
}

const responseSent = (
  state: ServerRequestLog,
  frame: MessageFrame,
  message: JsonObject,
  id: string | undefined,
): boolean => {
  const request = id === undefined ? undefined : state.all.get(id)
  if (!request) return false
  const hosted = hostedTaskOf(state.hosted, frame)
  // TASK-04: a task isn't a response. The request stays open until the task ends.
  if (hosted?.request === request.seq) {
    put(state, { ...request, hosted: hosted.id })
    return true
  }
  if ('error' in message) {
    const error: ErrorObject = isErrorObject(message.error) ? message.error : { code: 0, message: '' }
    settle(state, request, frame, { error })
  } else settle(state, request, frame, { result: isObject(message.result) ? message.result : {} })
  return true
}

/** MRTR-02: an `input_required` result. */
const inputRequired = (
  state: ServerRequestLog,
  link: Links,
  frame: MessageFrame,
  { seq, first }: Pending,
  requests: Json | undefined,
): boolean => {
  const entries = isObject(requests) ? Object.entries(requests).slice(0, IN_ONE_RESULT) : []
  const ids = new Set<string>()
  for (const [key, raw] of entries) {
    const entry = isObject(raw) ? raw : {}
    const id = roundRequestId(seq, key)
    if (ids.has(id)) continue
    ids.add(id)
    const method = typeof entry.method === 'string' ? entry.method : ''
    const params = isObject(entry.params) ? entry.params : {}
    add(state, frame, { id, route: 'round', method, params, key, call: first })
  }
  if (ids.size > 0) setBounded(link.rounds, seq, [...ids], PENDING_KEPT)
  return ids.size > 0
}

/** The tasks that a frame may concern, before the folds process it. */
const touchedTask = ({ tasks }: ServerRequestLog, frame: Frame): ReadonlySet<string> => {
  const ids = new Set<string>()
  if (frame.kind !== 'message') return ids
  const book = tasks.get(frame.link)
  for (const part of partsOf(frame)) {
    if (!isObject(part)) continue
    const holders = [part.params, part.result, isObject(part.result) ? part.result.task : undefined]
    for (const holder of holders) if (isObject(holder) && typeof holder.taskId === 'string') ids.add(holder.taskId)
    const call = frame.direction === 'received' ? book?.inFlight.get(part.id) : undefined
    if (call?.task !== undefined) ids.add(call.task)
  }
  return ids
}

/** TEXT-07, TEXT-08: the input requests of a task, from the tasks fold. */
const stepTask = (state: ServerRequestLog, link: Links, frame: MessageFrame, task: Task): boolean => {
  let moved = false
  for (const { key, method, params, state: now, answer, error } of task.inputRequests.values()) {
    const id = taskRequestId(frame.link, task.id, key)
    const owner = task.call?.seq
    const call = owner === undefined ? {} : { call: link.first.get(owner) ?? owner }
    let request = state.all.get(id)
    if (!request) {
      if (now !== 'open') continue
      add(state, frame, { id, route: 'task', method: method ?? '', params, key, task: task.id, ...call })
      moved = true
      request = state.all.get(id)!
    }
    const open = request.state === 'open'
    if (now === 'withdrawn' && open) moved = end(state, id, frame, 'withdrawn')
    else if (now === 'sent' && open) {
      settle(state, request, frame, { result: responseIn(frame, key) })
      moved = true
    } else if (now === 'open' && (request.state !== 'open' || request.notTaken !== error)) {
      const { answered: _, explanation: __, notTaken: ___, ended: ____, ...rest } = request
      put(state, { ...rest, state: 'open', ...(answer !== undefined && error ? { notTaken: error } : {}) })
      moved = true
    }
  }
  return moved
}

/** TASK-13: a request that this client runs as a task ends with the task, and has a response once the server loads it. */
const stepHosted = (state: ServerRequestLog, frame: MessageFrame, task: HostedTask): boolean => {
  const request = state.all.get(plainRequestId(task.request))
  if (request?.hosted !== task.id) return false
  if (task.outcome === frame.seq) {
    const [message] = partsOf(frame)
    const { result, error } = isObject(message) ? message : {}
    const outcome = isObject(result) ? { result } : { error: isErrorObject(error) ? error : { code: 0, message: '' } }
    settle(state, { ended: frame.at, ...request }, frame, outcome)
    return true
  }
  if (request.state !== 'open' || !isTerminal(task)) return false
  if (task.state === 'cancelled') return end(state, request.id, frame, 'withdrawn', task.message)
  put(state, { ...request, state: task.state === 'completed' ? 'answered' : 'refused', ended: frame.at })
  return true
}

const responseIn = (frame: MessageFrame, key: string): JsonObject => {
  for (const part of partsOf(frame)) {
    const params = isObject(part) && isObject(part.params) ? part.params : {}
    const responses = isObject(params.inputResponses) ? params.inputResponses : {}
    const result = Object.hasOwn(responses, key) ? responses[key] : undefined
    if (isObject(result)) return result
  }
  return {}
}

const stepSession = (state: ServerRequestLog, frame: Frame & { kind: 'session' }): void | false => {
  if (frame.phase === 'released') return release(state, frame.until)
  const link = linkOf(state, frame.link)
  if (frame.phase === 'open') {
    link.stateless = frame.peer.era === 'stateless'
    return false
  }
  if (frame.phase === 'gave-up') {
    let narrowed = false
    for (const { first } of link.pending.takeSent(frame.request))
      narrowed = callEnded(state, frame.link, first) || narrowed
    const pending = link.rounds.get(frame.request)
    link.rounds.delete(frame.request)
    for (const id of pending ?? []) end(state, id, frame, 'withdrawn', frame.explanation)
    return pending || narrowed ? undefined : false
  }
  if (!ENDS.has(frame.phase)) return false
  link.pending.takeAll()
  for (const map of [link.received, link.rounds, link.origin]) map.clear()
  const open = [...(state.open.get(frame.link) ?? [])]
  const why = 'why' in frame ? frame.why : undefined
  for (const id of open) end(state, id, frame, 'lost', why)
  return open.length > 0 ? undefined : false
}
