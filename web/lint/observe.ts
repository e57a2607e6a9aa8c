/** Updates a connection's view with each frame, before any rule runs. */
import { eraOf, ErrorCode, isObject, isRequestId, META } from '../mcp/index.ts'
import type { FrameOf, Json, JsonObject, MessageFrame, RequestId, Revision } from '../mcp/index.ts'
import { knownRevision, objectAt } from './link.ts'
import type { TrackedRequest, Carrier, Observed, LinkView } from './link.ts'

/** Resource subscriptions remembered. */
const MOST_SUBSCRIBED = 10_000
/** Messages checked per batch; a longer batch is invalid anyway. */
const MOST_PARTS = 1_000

/** The messages in a frame, each with its pointer. */
export const partsOf = ({ message }: MessageFrame): readonly (readonly [JsonObject, string])[] => {
  if (isObject(message)) return [[message, '']]
  if (!Array.isArray(message)) return []
  return (message as readonly Json[])
    .slice(0, MOST_PARTS)
    .flatMap((part, index) => (isObject(part) ? [[part, `/${index}`] as const] : []))
}

export const observeHttp = (view: LinkView, frame: FrameOf<'http'>): Carrier | undefined => {
  if (frame.phase === 'request') {
    // Requests of a sign-in go to other servers, under other rules (SignInView).
    if (frame.purpose === 'authorization' || frame.purpose === 'diagnosis') return undefined
    // A retry with another token: the original requests still await their responses.
    const before = view.carrierOf(frame.again)
    const origin = view.carrierOf(frame.origin ?? (before && before.root !== before.seq ? before.root : undefined))
    const carrier: Carrier = {
      seq: frame.seq,
      method: frame.method,
      url: frame.url,
      purpose: frame.purpose,
      root: origin?.root ?? frame.seq,
      rootMethod: origin?.rootMethod ?? frame.method,
      headers: new Map(frame.headers.map(([name, value]) => [name.toLowerCase(), value])),
      asked: origin?.asked ?? [...(before?.asked ?? [])],
      posted: before?.posted ?? 0,
      events: 0,
      withIds: false,
      over: false,
      bodyDue: false,
    }
    view.carriers.set(frame.seq, carrier)
    return carrier
  }
  const carrier = view.carrierOf(frame.request)
  if (!carrier) return undefined
  if (frame.phase === 'response') {
    const header = (name: string) => frame.headers.find(([key]) => key.toLowerCase() === name)?.[1]
    carrier.response = {
      seq: frame.seq,
      status: frame.status,
      type: header('content-type') ?? '',
      session: header('mcp-session-id'),
    }
  } else {
    carrier.over = true
    carrier.bodyDue = frame.phase === 'end' && holdsMessage(frame, carrier)
  }
  return carrier
}

/** A JSON body is captured as a message after its end; the events of a stream come before its end. */
const holdsMessage = ({ size, body }: { size: number; body?: string }, carrier: Carrier): boolean =>
  size > 0 && body === undefined && carrier.events === 0 && !isEventStream(carrier)

export const isEventStream = ({ response }: Carrier): boolean =>
  /^\s*text\/event-stream\s*(;|$)/i.test(response?.type ?? '')

export const observeStream = (view: LinkView, frame: FrameOf<'stream'>): Carrier | undefined => {
  const carrier = view.carrierOf(frame.request)
  if (!carrier) return undefined
  if (frame.event === 'data') countEvent(carrier, frame.id)
  if (frame.event === 'data' && frame.name === 'endpoint' && !view.settled) view.oldSse = true
  return carrier
}

export const countEvent = (carrier: Carrier, id: string | undefined): void => {
  carrier.events++
  carrier.withIds ||= id !== undefined
}

/** @returns whether a new session begins */
export const observeSession = (view: LinkView, frame: FrameOf<'session'>): boolean => {
  switch (frame.phase) {
    case 'open':
      view.revision = frame.peer.revision
      view.stateless = eraOf(frame.peer.revision) === 'stateless'
      // Capabilities from a response take precedence, including none. Without server/discover, nobody knows them.
      if (!view.settled && !(view.stateless && Object.keys(frame.peer.capabilities).length === 0))
        view.serverCapabilities = frame.peer.capabilities
      view.settled = true
      view.supported = frame.peer.supported
      view.oldSse = frame.transport === 'HTTP+SSE'
      return false
    case 'renewing':
      view.initialized = false
      view.received.clear()
      return true
    case 'gave-up': {
      const asked = view.sent.bySeq(frame.request)
      if (asked?.state === 'pending') asked.state = 'left'
      return false
    }
    case 'closed':
    case 'failed':
      view.closed = true
      return false
    default:
      return false
  }
}

/** Records what we sent: rules refer to it but don't judge it. */
export const observeSent = (
  view: LinkView,
  frame: MessageFrame,
  byHand: (asked: TrackedRequest, before: TrackedRequest | undefined) => void,
): void => {
  const carrier = view.carrierOf(frame.carrier)
  if (frame.message === undefined) {
    if (frame.released) view.sent.missed()
    return
  }
  for (const [message] of partsOf(frame)) {
    if (carrier) carrier.posted++
    const { method } = message
    view.lastSent = undefined
    view.told = typeof method === 'string' && !isRequestId(message.id) ? method : undefined
    if (typeof method !== 'string') {
      const asked = view.received.byId(message.id)
      if (asked) asked.state = 'answered'
    } else if (isRequestId(message.id)) {
      const before = view.sent.byId(message.id)
      const asked = askedOf(frame, message, method, carrier, before?.state === 'pending' ? before : before?.twin)
      view.sent.add(asked)
      view.lastSent = asked
      if (asked.capabilities && !frame.byHand) view.declared = asked.capabilities
      if (frame.byHand) byHand(asked, before)
      if (method === 'resources/subscribe' && view.subscribed.size < MOST_SUBSCRIBED)
        view.subscribed.add(asked.subject ?? '')
      if (method === 'subscriptions/listen') view.listened = true
      if (carrier) {
        const before = carrier.asked.findIndex(({ id, carrier: first }) => id === asked.id && first !== carrier)
        if (before >= 0) carrier.asked.splice(before, 1)
        carrier.asked.push(asked)
      }
      if (method === 'initialize' && !frame.byHand) {
        view.clientCapabilities = objectAt(objectAt(message, 'params'), 'capabilities') ?? {}
        view.declared = view.clientCapabilities
        view.initialized = false
        if (!view.settled) view.revision = asked.revision
      }
    } else if (method === 'notifications/initialized') {
      view.initialized = true
    } else if (method === 'notifications/cancelled') {
      const asked = view.sent.byId(objectAt(message, 'params')?.requestId)
      if (carrier) carrier.cancels = true
      if (asked && asked.state !== 'answered') {
        asked.state = 'left'
        asked.cancelledAt ??= frame.at
        asked.cancelledBy ??= frame.seq
      }
    }
  }
}

const askedOf = (
  frame: MessageFrame,
  message: JsonObject,
  method: string,
  carrier: Carrier | undefined,
  twin?: TrackedRequest,
): TrackedRequest => {
  const params = objectAt(message, 'params') ?? {}
  const meta = objectAt(params, '_meta') ?? {}
  const subject = [params.name, params.uri, params.taskId].find((value) => typeof value === 'string')
  return {
    seq: frame.seq,
    id: message.id as string | number,
    method,
    revision: knownRevision(method === 'initialize' ? params.protocolVersion : meta[META.version]),
    capabilities: objectAt(meta, META.capabilities),
    bare: typeof meta[META.version] !== 'string' || !isObject(meta[META.capabilities]),
    token: isRequestId(meta.progressToken) ? meta.progressToken : undefined,
    logs: Object.hasOwn(meta, META.logLevel),
    cursor: params.cursor,
    subject,
    given: isObject(params.arguments) ? Object.keys(params.arguments) : undefined,
    level: method === 'logging/setLevel' ? params.level : undefined,
    filter: method === 'subscriptions/listen' ? (objectAt(params, 'notifications') ?? {}) : undefined,
    augmented: Object.hasOwn(params, 'task'),
    carrier,
    byHand: frame.byHand === true,
    twin,
    state: 'pending',
  }
}

const NOTHING: JsonObject = {}

/** Classifies one received message and links it to its request. Marks requests as answered. */
export const observe = (view: LinkView, frame: MessageFrame, message: JsonObject, at: string): Observed | undefined => {
  if (typeof message.method === 'string') return heardCall(view, frame, message, at, message.method)
  return 'result' in message || 'error' in message ? heardAnswer(view, frame, message, at) : undefined
}

const heardCall = (view: LinkView, frame: MessageFrame, message: JsonObject, at: string, method: string): Observed => {
  const carrier = view.carrierOf(frame.carrier)
  const params = objectAt(message, 'params') ?? NOTHING
  const id = isRequestId(message.id) ? message.id : undefined
  const before = id === undefined ? undefined : view.received.byId(id)
  if (id !== undefined) view.received.add(askedOf(frame, message, method, carrier))
  else if (method === 'notifications/cancelled') {
    const asked = view.received.byId(params.requestId)
    if (asked?.state === 'pending') asked.state = 'left'
  } else if (method === 'notifications/tasks/status' || method === 'notifications/tasks') followTask(view, params)
  return {
    frame,
    message,
    at,
    kind: id === undefined ? 'notification' : 'request',
    method,
    params,
    meta: objectAt(params, '_meta') ?? NOTHING,
    result: undefined,
    error: undefined,
    id,
    asked: undefined,
    answer: undefined,
    before,
    revision: view.revision,
    carrier,
  }
}

/** The client accepts a response whose ID has the other type, which BP-06 forbids. */
const pendingLike = (view: LinkView, id: RequestId): TrackedRequest | undefined => {
  const like = view.sent.byLikeId(id)
  return like?.state === 'pending' ? like : undefined
}

const heardAnswer = (view: LinkView, frame: MessageFrame, message: JsonObject, at: string): Observed => {
  const carrier = view.carrierOf(frame.carrier)
  const result = objectAt(message, 'result')
  const id = isRequestId(message.id) ? message.id : undefined
  // BP-08: an error without an ID must belong to the only request in the POST.
  const only = id === undefined && carrier?.asked.length === 1 && 'error' in message ? carrier.asked[0] : undefined
  const asked = id === undefined ? only : (view.sent.respondedBy(id, carrier) ?? pendingLike(view, id))
  const answer = answerState(asked, id)
  if (asked && answer === 'first') {
    asked.state = 'answered'
    asked.answer = frame.seq
    learn(view, asked, message, result)
  }
  return {
    frame,
    message,
    at,
    kind: 'answer',
    method: asked?.method,
    params: NOTHING,
    meta: objectAt(result, '_meta') ?? NOTHING,
    result,
    error: objectAt(message, 'error'),
    id,
    asked,
    answer,
    before: undefined,
    revision: revisionOf(view, asked),
    carrier,
  }
}

const answerState = (asked: TrackedRequest | undefined, id: unknown): Observed['answer'] => {
  if (!asked) return id === undefined ? undefined : 'unknown'
  return asked.state === 'pending' ? 'first' : asked.state === 'answered' ? 'second' : 'late'
}

/** Updates the connection with what a response says about it. */
const learn = (view: LinkView, asked: TrackedRequest, message: JsonObject, result: JsonObject | undefined): void => {
  if (asked.method === 'initialize' && result && !asked.byHand && !view.stateless) {
    const named = knownRevision(result.protocolVersion)
    if (named !== undefined && eraOf(named) === 'handshake') view.revision = named
    else if (asked.revision !== undefined) view.revision = asked.revision
    view.settled = true
    view.serverCapabilities = objectAt(result, 'capabilities')
  }
  if (asked.method === 'server/discover' && !view.settled) {
    const modern = modernBy(asked, message, result)
    if (modern !== undefined) {
      view.revision = modern
      view.settled = true
      view.serverCapabilities = objectAt(result, 'capabilities')
    }
  }
  // An update may be in transit until the response. A refused request changes nothing.
  if (asked.method === 'resources/unsubscribe' && result) view.subscribed.delete(asked.subject ?? '')
  const task = result && (objectAt(result, 'task') ?? (result.resultType === 'task' ? result : undefined))
  if (typeof task?.taskId === 'string' && !asked.method.startsWith('tasks/')) {
    asked.task = task.taskId
    view.tasks.set(task.taskId, { method: asked.method, subject: asked.subject, status: task.status })
  } else if (asked.method === 'tasks/get' || asked.method === 'tasks/cancel') followTask(view, result)
}

const followTask = ({ tasks }: LinkView, told: JsonObject | undefined): void => {
  const known = typeof told?.taskId === 'string' ? tasks.get(told.taskId) : undefined
  if (known && typeof told?.status === 'string') known.status = told.status
}

/**
 * The stateless version that the response to the probe proves, if any. An older server isn't bound by the rules of that
 * version, whatever it responds (VN-21, VN-22).
 */
const modernBy = (asked: TrackedRequest, message: JsonObject, result: JsonObject | undefined): Revision | undefined => {
  if (result) {
    const named = Array.isArray(result.supportedVersions) ? (result.supportedVersions as readonly Json[]) : undefined
    // Fields that only a stateless server writes also count: its list of versions may be the very thing that is wrong.
    if (named === undefined) return result.resultType === undefined ? undefined : asked.revision
    if (asked.revision !== undefined && named.includes(asked.revision)) return asked.revision
    return named.map(knownRevision).find((each) => each !== undefined && eraOf(each) === 'stateless')
  }
  const code = objectAt(message, 'error')?.code
  const modern =
    typeof code === 'number' && code <= ErrorCode.HeaderMismatch && code >= ErrorCode.UnsupportedProtocolVersion
  const noSuchMethod = code === ErrorCode.MethodNotFound && asked.carrier?.response?.status === 404
  return modern || noSuchMethod ? asked.revision : undefined
}

/**
 * The protocol version by which to judge a response: that of the request, if it belongs to the connection's lifecycle.
 */
const revisionOf = (view: LinkView, asked: TrackedRequest | undefined): Revision | undefined => {
  if (view.revision === undefined || asked?.revision === undefined || asked.method === 'initialize')
    return view.revision
  return eraOf(asked.revision) === eraOf(view.revision) ? asked.revision : view.revision
}
