/** A recorded server's reaction to each request: the script for a playback. */
import {
  exchanges,
  foldAll,
  idKey,
  isObject,
  isRequestId,
  isRevision,
  messagesIn,
  META,
  responseOf,
} from '../mcp/index.ts'
import type {
  Exchange,
  Exchanges,
  Frame,
  Json,
  JsonObject,
  Link,
  MessageFrame,
  RequestId,
  Revision,
} from '../mcp/index.ts'
import { ownParams, taskIn } from './steps.ts'

/** `after`: ms since the request. */
export type ScriptEvent =
  | { readonly kind: 'answer'; readonly after: number; readonly message: JsonObject }
  | { readonly kind: 'note'; readonly after: number; readonly message: JsonObject }
  /**
   * `answered`: ms between the request and the client's response; absent if there was none. `task`: the id of the task
   * that the client made of it.
   */
  | {
      readonly kind: 'question'
      readonly after: number
      readonly message: JsonObject
      readonly answered?: number
      readonly task?: string
    }

export interface RecordedCall {
  readonly id: RequestId
  readonly method: string
  /** As their sender meant them, without the members that differ per connection. */
  readonly params: JsonObject
  readonly token?: RequestId
  readonly events: readonly ScriptEvent[]
  /** It got a response; it was given up without one; or no response could arrive. */
  readonly ending: 'answered' | 'silent' | 'lost'
}

export interface Script {
  readonly calls: readonly RecordedCall[]
  readonly revision?: Revision
}

export const paramsOf = ({ params }: JsonObject): JsonObject =>
  isObject(params) ? (ownParams(params) as JsonObject) : {}

/** The default connection of a script: the first one with a request. */
export const firstLink = (frames: readonly Frame[]): Link | undefined =>
  frames.find((frame) => frame.kind === 'message' && frame.direction === 'sent')?.link

/** @param frames a whole trace, in order and without gaps */
export const scriptOf = (frames: readonly Frame[], link = firstLink(frames)): Script => {
  const state = foldAll(exchanges, frames)
  const drafts = new Map<Exchange, { events: ScriptEvent[]; message: JsonObject }>()
  const open: Exchange[] = []
  let revision: Revision | undefined
  for (const frame of frames) {
    if (frame.link !== link) continue
    if (frame.kind === 'session' && frame.phase === 'open') revision = frame.peer.revision
    if (frame.kind !== 'message') continue
    for (const part of messagesIn(frame.message)) {
      if (frame.direction === 'sent') {
        const call = callIn(part, frame, state)
        if (call) {
          drafts.set(call, { events: [], message: part })
          open.push(call)
        }
        continue
      }
      for (let at = open.length - 1; at >= 0; at--) {
        if ((open[at]!.endedAt ?? Infinity) < frame.at) open.splice(at, 1)
      }
      const [call, event] = heard(part, frame, state, open, frames)
      if (call && event) drafts.get(call)?.events.push(event)
    }
  }
  const calls = Array.from(drafts, ([call, { events, message }]) => finished(call, message, events))
  return { calls, ...(isRevision(revision) ? { revision } : {}) }
}

const callIn = (part: JsonObject, frame: MessageFrame, state: Exchanges): Exchange | undefined => {
  if (typeof part.method !== 'string' || !isRequestId(part.id)) return undefined
  const { id } = part
  const found = state.bySeq.get(frame.seq)
  // The requests of a batch share its frame.
  return found?.id === id ? found : state.all.find((each) => each.request === frame.seq && each.id === id)
}

/** Which call a server message belongs to, and its role there. */
const heard = (
  part: JsonObject,
  frame: MessageFrame,
  state: Exchanges,
  open: readonly Exchange[],
  frames: readonly Frame[],
): [call?: Exchange, event?: ScriptEvent] => {
  const { seq, at } = frame
  const timed = (call: Exchange) => ({ after: Math.max(at - call.startedAt, 0), message: part })
  if (typeof part.method !== 'string') {
    const call = open.find((each) => each.response === seq && each.id === part.id)
    return call ? [call, { kind: 'answer', ...timed(call) }] : []
  }
  const call = causeOf(part, frame, open, frames)
  if (!call) return []
  if (!isRequestId(part.id)) return [call, { kind: 'note', ...timed(call) }]
  const question = state.all.find((each) => each.request === seq && each.id === part.id)
  const answeredAt = question?.response === undefined ? undefined : question.endedAt
  const answered = answeredAt === undefined ? {} : { answered: Math.max(answeredAt - call.startedAt, 0) }
  const task = question && taskIn(responseOf(question, (seq) => frames[seq])?.result)
  return [call, { kind: 'question', ...timed(call), ...answered, ...(task === undefined ? {} : { task }) }]
}

/** Finds the call by its progress token or subscription, then by its stream, then as the newest open one. */
const causeOf = (
  part: JsonObject,
  frame: MessageFrame,
  open: readonly Exchange[],
  frames: readonly Frame[],
): Exchange | undefined => {
  const params = isObject(part.params) ? part.params : {}
  const sentBy = (call: Exchange) => frames[call.request] as MessageFrame
  if (part.method === 'notifications/progress') {
    return open.find((call) => {
      const token = messagesIn(sentBy(call).message).map(tokenOf).find(isRequestId)
      return token !== undefined && token === params.progressToken
    })
  }
  const subscription = isObject(params._meta) ? params._meta[META.subscription] : undefined
  if (subscription !== undefined) return open.find((call) => call.method === LISTEN && call.id === subscription)
  const { carrier } = frame
  const http = carrier === undefined ? undefined : frames[carrier]
  const origin = http?.kind === 'http' && http.phase === 'request' ? (http.origin ?? carrier) : carrier
  const carried = origin === undefined ? undefined : open.find((call) => sentBy(call).carrier === origin)
  return carried ?? open.findLast((call) => call.method !== LISTEN)
}

export const LISTEN = 'subscriptions/listen'

const tokenOf = ({ params }: JsonObject): Json | undefined =>
  isObject(params) && isObject(params._meta) ? params._meta.progressToken : undefined

const finished = (call: Exchange, message: JsonObject, events: readonly ScriptEvent[]): RecordedCall => {
  const { id, method, status } = call
  const token = tokenOf(message)
  const answered = events.some(({ kind }) => kind === 'answer')
  const silent = status === 'cancelled' || status === 'timeout' || method === LISTEN
  return {
    id,
    method,
    params: paramsOf(message),
    ...(isRequestId(token) ? { token } : {}),
    events,
    ending: answered ? 'answered' : silent ? 'silent' : 'lost',
  }
}

/** Messages for another connection: its IDs and tokens replace the recorded ones. */
export const renamed = (
  message: JsonObject,
  call: RecordedCall,
  client: { readonly id: RequestId; readonly token: RequestId | undefined },
): JsonObject | undefined => {
  const { params } = message
  if (!isObject(params)) return message
  if (call.token !== undefined && message.method === 'notifications/progress' && params.progressToken === call.token) {
    return client.token === undefined ? undefined : { ...message, params: { ...params, progressToken: client.token } }
  }
  const meta = isObject(params._meta) ? params._meta : {}
  const subscription = meta[META.subscription]
  if (!isRequestId(subscription) || idKey(subscription) !== idKey(call.id)) return message
  return { ...message, params: { ...params, _meta: { ...meta, [META.subscription]: client.id } } }
}

/** The progress token of a request, if its sender wants progress. */
export const progressToken = (message: JsonObject): RequestId | undefined => {
  const token = tokenOf(message)
  return isRequestId(token) ? token : undefined
}
