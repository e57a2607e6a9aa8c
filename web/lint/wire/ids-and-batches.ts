/** JSON-RPC: request IDs and their responses, and batches. */
import { ErrorCode } from '../../mcp/index.ts'
import type { LinkView, Observed, TrackedRequest } from '../link.ts'
import { group, type Say, show } from '../rule.ts'

// Request IDs and responses: the right sender, one response each, under the same ID.

const ID_RULES = ['BP-04', 'BP-05', 'BP-06', 'BP-10', 'BP-12', 'TR-HTTP-18'] as const
type IdRule = (typeof ID_RULES)[number]

export const ids = group(ID_RULES, (view) => ({
  message(heard, say) {
    if (heard.kind === 'request') checkRequest(heard, view, say)
    else if (heard.kind === 'answer') checkResponse(heard, view, say)
  },
  byHand({ id }, before, say) {
    if (!before) return
    const related = before.seq
    say('BP-04', `The client already used the id ${show(id)} for another request in this session`, { related })
    if (before.state === 'pending') {
      say('BP-05', `The client used the id ${show(id)} of a pending request`, { related })
    }
  },
}))

const checkRequest = ({ id, method, at, before, frame, carrier }: Observed, view: LinkView, say: Say<IdRule>): void => {
  const pointer = `${at}/id`
  if (method!.startsWith('notifications/')) {
    say('BP-10', `${show(method)} is a notification but has the id ${show(id)}`, { pointer })
  }
  if (view.isModern)
    say('BP-12', `The server sent the request ${show(method)}; since 2026-07-28, servers can't send requests`)
  if (!before) return
  const related = before.seq
  const elsewhere = carrier && before.carrier && before.carrier.root !== carrier.root
  if (elsewhere && before.method === method && before.seq !== frame.seq) {
    say('TR-HTTP-18', `The request ${show(id)} already came on another stream`, { pointer, related })
  }
  say('BP-04', `The server already used the id ${show(id)} for another request in this session`, { pointer, related })
  if (before.state === 'pending') {
    say('BP-05', `The id ${show(id)} belongs to a pending request`, { pointer, related })
  }
}

const checkResponse = (heard: Observed, view: LinkView, say: Say<IdRule>): void => {
  const { id, at, asked, answer, message, carrier, error } = heard
  const pointer = `${at}/id`
  if (answer === 'second') {
    const related = asked!.answer
    say('BP-06', `The request ${show(id)} already has a response`, { pointer, related })
    if (carrier && asked!.carrier && asked!.carrier.root !== carrier.root) {
      say('TR-HTTP-18', `The response to ${show(id)} came on two streams`, { pointer, related })
    }
    return
  }
  if (answer === 'first' && id !== undefined && asked!.id !== id) return otherType(heard, asked!, say)
  if (answer !== 'unknown' || id === undefined) {
    // BP-08 allows an error without an ID. Over HTTP, the exchange shows which request it belongs to.
    if (answer === undefined && carrier && carrier.posted > 0 && carrier.asked.length === 0 && 'error' in message) {
      if (carrier.response && carrier.response.status < 300) {
        say('BP-10', 'The POST contains no request but got a response message', { related: carrier.seq })
      }
    }
    if (id === undefined && error) unattributed(heard, view, say)
    return
  }
  const like = view.sent.byLikeId(id)
  if (like) return otherType(heard, like, say)
  if (!view.sent.forgot) say('BP-06', `No request with the id ${show(id)} was sent`, { pointer })
}

const otherType = ({ id, at }: Observed, request: TrackedRequest, say: Say<IdRule>): void => {
  const was = `its request has ${show(request.id)}, a ${typeof request.id}`
  const related = request.seq
  say('BP-06', `The response has the id ${show(id)}, a ${typeof id}; ${was}`, { pointer: `${at}/id`, related })
}

/** Codes of a server that understood the request: only then could it read the id. */
const UNDERSTOOD: ReadonlySet<unknown> = new Set<unknown>([
  ...[ErrorCode.MethodNotFound, ErrorCode.InvalidParams, ErrorCode.InternalError, -32002],
])

/**
 * BP-08 lets an error have no ID only if that of the request couldn't be read. A transport that refuses a request
 * without reading it responds with an error status, or with a code of its own.
 */
const unattributed = ({ error, carrier, at, asked }: Observed, view: LinkView, say: Say<IdRule>): void => {
  const { code } = error!
  if (!UNDERSTOOD.has(code)) return
  const status = view.oldSse ? undefined : carrier?.response?.status
  if (status !== undefined && status >= 400 && code !== ErrorCode.MethodNotFound && code !== ErrorCode.InvalidParams)
    return
  // Over HTTP it belongs to the request of its POST; elsewhere to the last message, unless that is a notification.
  const waits = carrier?.method === 'POST' && !view.oldSse ? asked : view.lastSent
  if (!waits && !carrier && view.told !== undefined && view.sent.isIdle) {
    const what = `The error ${show(code)} can only answer ${show(view.told)}, a notification`
    return say('BP-10', what, { pointer: at || undefined })
  }
  if (!waits || waits.byHand || (waits !== asked && waits.state !== 'pending')) return
  const what = `The error ${show(code)} has no id, so nothing says that it answers ${show(waits.method)}`
  say('BP-06', what, { pointer: at || undefined, related: waits.seq })
}

// Batches: arrays of messages, which only one protocol version has (2025-03-26).

// BP-22 and BP-23 restrict what a client may POST. A server may mix messages on a stream, so neither applies here.
export const batches = group(['BP-24', 'BP-25'], (view) => ({
  whole(frame, _, say) {
    if (frame.type !== 'batch' || !Array.isArray(frame.message) || view.revision === undefined) return
    const { length } = frame.message
    say('BP-25', `An array of ${length} messages; ${view.revision} doesn't support batches, only 2025-03-26 does`)
  },
  completed(_, carrier, say) {
    // A stream with event IDs may be resumed, unless its client went on without it.
    if (carrier.asked.length < 2) return
    const missing = carrier.asked.filter(({ state }) => state === 'pending')
    // A server may accept the requests with 202 and respond on the GET stream.
    if (missing.length === 0 || carrier.response?.status !== 200) return
    const done = carrier.asked.length - missing.length
    say('BP-24', `The response to the batch ended after ${done} of ${carrier.asked.length} responses`, {
      related: missing[0]!.seq,
    })
  },
}))
