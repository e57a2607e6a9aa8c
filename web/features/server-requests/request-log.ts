/** The log of requests from all servers: their ids, and how it is bounded and read. `server-requests-fold.ts` fills it. */
import { getOrInsert } from '../../mcp/index.ts'
import type { ErrorObject, Frame, JsonObject, Link, RequestsById, Seq } from '../../mcp/index.ts'
import type { ServerRequest } from '../server-request.ts'
import type { HostedTasksByLink, TasksByLink } from '../tasks/index.ts'

/** Requests stored; older ones are still in the Trace. */
export const REQUESTS_KEPT = 10_000

/** Our request without a response so far. */
export interface Pending {
  readonly seq: Seq
  /** The first request of the call that it continues. */
  readonly first: Seq
  readonly method: string
  readonly carrier: Seq | undefined
}

export interface Links {
  /** Requests of ours. */
  readonly pending: RequestsById<Pending>
  /** Rounds and sendings after the first -> the first (MRTR-06). */
  readonly first: Map<Seq, Seq>
  /** A GET that resumes a stream -> the request that began the stream. */
  readonly origin: Map<Seq, Seq>
  /** Pending requests of the server by JSON-RPC id; the server may use an id twice. */
  readonly received: Map<string, string[]>
  /** Our request that was answered with `input_required` -> ids of the requests inside. */
  readonly rounds: Map<Seq, readonly string[]>
  /** In the stateless protocol, servers get no responses to requests (BP-11). */
  stateless: boolean
}

/** Read `all`, `open` and `byCall`; the rest is internal state. */
export interface ServerRequestLog {
  /** By id, in the order in which they arrived. */
  readonly all: Map<string, ServerRequest>
  /** Ids of the pending ones. */
  readonly open: Map<Link, Set<string>>
  /** The first request of our call -> ids of the server requests that it caused, or may have caused. */
  readonly byCall: Map<Seq, Set<string>>
  readonly links: Map<Link, Links>
  readonly tasks: TasksByLink
  readonly hosted: HostedTasksByLink
}

/**
 * The server requests that our calls caused, or may have caused, in order.
 * @param calls frames of first requests
 */
export const requestsOfCalls = ({ all, byCall }: ServerRequestLog, calls: readonly Seq[]): readonly ServerRequest[] =>
  [...new Set(calls.flatMap((call) => [...(byCall.get(call) ?? [])]))].flatMap((id) => all.get(id) ?? [])

/**
 * ms that calls have waited for the user to answer requests, which don't count as the server's time.
 * @param now ms since the trace began
 */
export const heldFor = (requests: readonly ServerRequest[], now: number): number => {
  const spans = requests
    .filter(({ route }) => route === 'request')
    .map(({ at, state, answered, ended }) => [at, state === 'open' ? now : (ended ?? answered?.at ?? at)] as const)
    .sort(([one], [other]) => one - other)
  let [held, until] = [0, 0]
  for (const [from, to] of spans) {
    held += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return held
}

const MINUTE = 60_000

/** More requests of one method within a minute count as a burst, and the user is warned (CF-ELIC-06, CF-SAMP-15). */
export const BURST = 10

/** Requests of the same method and server within the minute that ends with this one, including it. */
export const requestsWithinMinute = ({ all }: ServerRequestLog, { link, at, id, method }: ServerRequest): number => {
  let count = 1
  for (const other of all.values()) {
    if (other.link !== link || other.method !== method || other.at > at || at - other.at >= MINUTE) continue
    if (other.id !== id) count++
  }
  return count
}

/** Releases what the trace has released. Pending requests stay, because the user must see them. */
export const release = (state: ServerRequestLog, until: Seq): void | false => {
  let moved = false
  for (const request of state.all.values()) {
    const { answered } = request
    if (request.seq >= until) continue
    if (request.released || request.state === 'open') continue
    const bare = answered && { seq: answered.seq, at: answered.at }
    const left = answered && ('error' in answered ? { ...bare!, error: answered.error } : { ...bare!, result: {} })
    state.all.set(request.id, { ...request, params: {}, released: true, ...(left ? { answered: left } : {}) })
    moved = true
  }
  return moved ? undefined : false
}

type NewRequest = Pick<ServerRequest, 'id' | 'route' | 'method' | 'params'> &
  Partial<Pick<ServerRequest, 'key' | 'call' | 'candidates' | 'task'>>

export const add = (state: ServerRequestLog, { link, seq, at }: Frame, request: NewRequest): void => {
  put(state, { ...request, link, seq, at, state: 'open' })
  if (state.all.size <= REQUESTS_KEPT) return
  const oldest = state.all.values().next().value!
  state.all.delete(oldest.id)
  state.open.get(oldest.link)?.delete(oldest.id)
  for (const call of callsOf(oldest)) unlist(state, call, oldest.id)
}

/** The call it belongs to, or those it may belong to. */
const callsOf = ({ call, candidates = [] }: ServerRequest): readonly Seq[] => (call === undefined ? candidates : [call])

const unlist = ({ byCall }: ServerRequestLog, call: Seq, id: string): void => {
  const siblings = byCall.get(call)
  siblings?.delete(id)
  if (siblings?.size === 0) byCall.delete(call)
}

/**
 * Handles the response to a call: requests that are still pending belong to another call.
 * @returns whether anything changed
 */
export const callEnded = (state: ServerRequestLog, link: Link, call: Seq): boolean => {
  let moved = false
  for (const id of state.open.get(link) ?? []) {
    const request = state.all.get(id)
    if (!request?.candidates?.includes(call)) continue
    const { candidates, ...rest } = request
    const left = candidates.filter((other) => other !== call)
    unlist(state, call, id)
    put(state, left.length > 1 ? { ...rest, candidates: left } : { ...rest, call: left[0]! })
    moved = true
  }
  return moved
}

export const put = (state: ServerRequestLog, request: ServerRequest): void => {
  const { id, link } = request
  state.all.set(id, request)
  const open = getOrInsert(state.open, link, () => new Set<string>())
  if (request.state === 'open') open.add(id)
  else open.delete(id)
  for (const call of callsOf(request)) getOrInsert(state.byCall, call, () => new Set<string>()).add(id)
}

export const settle = (
  state: ServerRequestLog,
  request: ServerRequest,
  { seq, at }: Pick<Frame, 'seq' | 'at'>,
  outcome: { readonly result: JsonObject } | { readonly error: ErrorObject },
): void => {
  const { notTaken: _, ...rest } = request
  put(state, { ...rest, state: 'error' in outcome ? 'refused' : 'answered', answered: { seq, at, ...outcome } })
}

export const end = (
  state: ServerRequestLog,
  id: string | undefined,
  { at }: Frame,
  how: 'withdrawn' | 'lost',
  explanation?: string,
): boolean => {
  const request = id === undefined ? undefined : state.all.get(id)
  if (request?.state !== 'open') return false
  put(state, { ...request, state: how, ended: at, ...(explanation === undefined ? {} : { explanation }) })
  return true
}

// The ids of server requests are the same wherever they are computed from the Trace.

/** Longest string from a server that an id contains unchanged. */
const TEXT_IN_ID = 60

/**
 * The id of a JSON-RPC request.
 * @param at index in a batch; 0 outside one
 */
export const plainRequestId = (seq: Seq, at = 0): string => (at === 0 ? `${seq}` : `${seq}-${at}`)

/**
 * The id of a request in an `input_required` result.
 * @param request the frame of the request that the result responds to
 */
export const roundRequestId = (request: Seq, key: string): string => `${request}.${mark(key)}`

/** The id of a request within a task. */
export const taskRequestId = (link: Link, task: string, key: string): string => `${link}.${mark(task)}.${mark(key)}`

/** Keeps ids short: long strings from a server are cut and completed with their length and a hash. */
const mark = (text: string): string => {
  const plain = encodeURIComponent(text.slice(0, TEXT_IN_ID).toWellFormed())
  if (text.length <= TEXT_IN_ID) return plain.replaceAll('.', '%2E')
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return `${plain.replaceAll('.', '%2E')}~${text.length}~${(hash >>> 0).toString(36)}`
}
