/**
 * The state of one connection that the rules need: pending requests, open HTTP exchanges, and the protocol version in
 * force. Updated frame by frame, within limits.
 */
import {
  type FrameOf,
  idKey,
  isObject,
  isRequestId,
  isRevision,
  type Json,
  type JsonObject,
  type Link,
  type MessageFrame,
  type RequestId,
  type RequestRecord,
  type Revision,
  type Seq,
  signInsOf,
  type StepRun,
} from '../mcp/index.ts'
import { Recent } from './recent.ts'

/** Requests and HTTP exchanges remembered per connection; a busy page has a few hundred. */
const MOST_REQUESTS = 5_000
const MOST_CARRIERS = 2_000
/** Pending requests with the same ID that are told apart. */
const MOST_TWINS = 100

/** A request, reduced to what the rules need. */
export interface TrackedRequest {
  readonly seq: Seq
  readonly id: RequestId
  readonly method: string
  /** From its `_meta` (META-10), or offered by `initialize`. */
  readonly revision: Revision | undefined
  /** The client's capabilities in its `_meta` (META-12). */
  readonly capabilities: JsonObject | undefined
  /** Its `_meta` lacks the protocol version or the capabilities. */
  readonly bare: boolean
  readonly token: RequestId | undefined
  /** It requested log messages (SF-LOG-03). */
  readonly logs: boolean
  readonly cursor: Json | undefined
  /** The name of a tool or prompt, a URI, or the ID of a task. */
  readonly subject: string | undefined
  /** Names of the arguments of `prompts/get` and `tools/call`; absent without `arguments`. */
  readonly given: readonly string[] | undefined
  /** The level of `logging/setLevel`. */
  readonly level: Json | undefined
  /** `params.notifications` of `subscriptions/listen` (SUB-01). */
  readonly filter: JsonObject | undefined
  /** `params.task` is present: it may become a task (2025-11-25). */
  readonly augmented: boolean
  readonly carrier: Carrier | undefined
  /** Written manually, so possibly wrong on purpose. */
  readonly byHand: boolean
  /** An earlier request with the same ID that was pending when this one was sent. */
  readonly twin: TrackedRequest | undefined
  /** `left`: the client no longer waits for the response. */
  state: 'pending' | 'answered' | 'left'
  answer?: Seq
  /** When the client sent its cancellation, in the time of frames. */
  cancelledAt?: number
  /** The frame of that cancellation. */
  cancelledBy?: Seq
  /** The ID of the task that was returned. */
  task?: string
}

/** One HTTP request with its response. */
export interface Carrier {
  readonly seq: Seq
  readonly method: string
  readonly url: string
  readonly purpose: 'message' | 'listen' | 'resume' | 'end-session'
  /** The exchange whose stream this one resumes; otherwise itself. */
  readonly root: Seq
  readonly rootMethod: string
  readonly headers: ReadonlyMap<string, string>
  /** The requests in the POST, and the total number of messages in it. */
  readonly asked: TrackedRequest[]
  posted: number
  /** It carried a cancellation. */
  cancels?: true
  response?: { readonly seq: Seq; readonly status: number; readonly type: string; readonly session: string | undefined }
  /** Events so far, with or without messages, and whether any had an ID. */
  events: number
  withIds: boolean
  over: boolean
  /** The body has ended, but its message hasn't been captured yet. */
  bodyDue: boolean
}

type Kind = 'request' | 'notification' | 'answer'

/** One received message; each message of a batch is separate. */
export interface Observed {
  readonly frame: MessageFrame
  readonly message: JsonObject
  /** JSON pointer to it: `/2` in a batch, otherwise empty. */
  readonly at: string
  readonly kind: Kind
  /** Its own method, or that of the request it responds to. */
  readonly method: string | undefined
  readonly params: JsonObject
  readonly meta: JsonObject
  readonly result: JsonObject | undefined
  readonly error: JsonObject | undefined
  readonly id: RequestId | undefined
  /** The request that it responds to. */
  readonly asked: TrackedRequest | undefined
  /** For responses: whether it is the expected one. */
  readonly answer: 'first' | 'second' | 'late' | 'unknown' | undefined
  /** For requests: an earlier one of the same sender with the same ID. */
  readonly before: TrackedRequest | undefined
  readonly revision: Revision | undefined
  readonly carrier: Carrier | undefined
}

class Requests {
  readonly #byId = new Recent<string, TrackedRequest>(MOST_REQUESTS, ({ state }) => state === 'pending')
  readonly #byToken = new Recent<string, TrackedRequest>(MOST_REQUESTS, ({ state }) => state === 'pending')
  readonly #bySeq = new Recent<Seq, TrackedRequest>(MOST_REQUESTS, ({ state }) => state === 'pending')

  add(asked: TrackedRequest): void {
    this.#byId.set(idKey(asked.id), asked)
    this.#bySeq.set(asked.seq, asked)
    if (asked.token !== undefined) this.#byToken.set(idKey(asked.token), asked)
  }

  byId(id: unknown): TrackedRequest | undefined {
    return isRequestId(id) ? this.#byId.get(idKey(id)) : undefined
  }

  /**
   * The request that a response with this ID belongs to. If several are pending: the one with the same carrier,
   * otherwise the oldest.
   */
  respondedBy(id: unknown, carrier: Carrier | undefined): TrackedRequest | undefined {
    const newest = this.byId(id)
    let oldest: TrackedRequest | undefined
    let each = newest
    for (let count = 0; each && count < MOST_TWINS; count++, each = each.twin) {
      if (each.state !== 'pending') continue
      if (carrier && each.carrier === carrier) return each
      oldest = each
    }
    return oldest ?? newest
  }

  /** Finds the same ID with the other type: `"1"` for `1`. */
  byLikeId(id: RequestId): TrackedRequest | undefined {
    return this.#byId.get(idKey(typeof id === 'number' ? String(id) : Number(id)))
  }

  byToken(token: unknown): TrackedRequest | undefined {
    return isRequestId(token) ? this.#byToken.get(idKey(token)) : undefined
  }

  bySeq(seq: Seq): TrackedRequest | undefined {
    return this.#bySeq.get(seq)
  }

  /** Nothing waits for a response. */
  get isIdle(): boolean {
    return !this.#bySeq.some(({ state }) => state === 'pending')
  }

  /** Some requests were dropped, so an unknown ID proves nothing. */
  get forgot(): boolean {
    return this.#byId.forgot
  }

  missed(): void {
    this.#byId.missed()
  }

  clear(): void {
    this.#byId.clear()
    this.#byToken.clear()
    this.#bySeq.clear()
  }
}

interface KnownTask {
  /** The requested method, and the name of a tool. */
  readonly method: string
  readonly subject: string | undefined
  /** The last status from the server. */
  status: unknown
}

export class LinkView {
  readonly link: Link
  readonly sent = new Requests()
  readonly received = new Requests()
  readonly carriers = new Recent<Seq, Carrier>(MOST_CARRIERS, ({ over }) => !over)
  /** Requests that became tasks, and the state of each task (TASK-08). */
  readonly tasks = new Recent<string, KnownTask>(1_000)
  /**
   * The fallback for messages that name no version: first the offered one, then the one in the response, then that of
   * the open session.
   */
  revision: Revision | undefined
  /** The server named a protocol version, or its response showed its lifecycle. */
  settled = false
  /**
   * The session was opened without a handshake. A slow process gets one beside the probe, and its late response changes
   * nothing.
   */
  stateless = false
  /** The client sent `notifications/initialized` (LC-03). */
  initialized = false
  /** An `endpoint` event arrived, or the session says so: HTTP+SSE, whose POSTs and GETs have other rules. */
  oldSse = false
  closed = false
  /** The URIs of resource subscriptions that were requested and not ended (SF-RES-07). */
  readonly subscribed = new Set<string>()
  /** The client sent `subscriptions/listen`. */
  listened = false
  clientCapabilities: JsonObject = {}
  /** The last message of the client, if that is a request. */
  lastSent: TrackedRequest | undefined
  /** The method of that message, if it is a notification. */
  told: string | undefined
  /** The client's last declaration; absent if no frame contains one. */
  declared: JsonObject | undefined
  serverCapabilities: JsonObject | undefined
  /** The protocol versions that a stateless server named. */
  supported: readonly string[] | undefined

  /** What sign-ins have shown so far. */
  readonly signIn: SignInFacts

  constructor(link: Link, signIn: SignInFacts = {}) {
    this.link = link
    this.signIn = signIn
  }

  get isModern(): boolean {
    return this.settled && this.revision === '2026-07-28'
  }

  carrierOf(seq: Seq | undefined): Carrier | undefined {
    return seq === undefined ? undefined : this.carriers.get(seq)
  }

  /**
   * Extensions that both sides declared: the client with a request or in the handshake, and the server. If the server's
   * aren't known, those of the client.
   */
  extensions(asked?: TrackedRequest): readonly string[] {
    // A stateless client declares with each request, so what nobody requested is judged by the last declaration.
    const ours = (asked?.capabilities ?? this.declared ?? this.clientCapabilities).extensions
    const theirs = this.serverCapabilities?.extensions
    if (!isObject(ours)) return []
    return Object.keys(ours).filter((name) => !isObject(theirs) || Object.hasOwn(theirs, name))
  }
}

/** A member as an object, whatever its actual type. */
export const objectAt = (value: JsonObject | undefined, key: string): JsonObject | undefined => {
  const member = value && Object.hasOwn(value, key) ? value[key] : undefined
  return isObject(member) ? member : undefined
}

/** The first 500 characters of an error's message; empty if it has none. */
export const wordsOf = (error: JsonObject | undefined): string =>
  typeof error?.message === 'string' ? error.message.slice(0, 500) : ''

export const knownRevision = (value: unknown): Revision | undefined => (isRevision(value) ? value : undefined)

// The state of one connection's sign-ins that the rules need: their protocol version, their steps, and the requests of
// these steps, which go to other servers, under other rules than those of the transport.

/** Flows, steps and open requests remembered; a sign-in has about ten steps. */
const MOST = 500

/** A violation in a request of a step, reported when the step ends. */
interface StepNote {
  readonly rules: readonly string[]
  readonly explanation: string
  readonly keyword: 'MUST' | 'SHOULD' | 'MAY' | undefined
  /** The frame that shows it. */
  readonly related: Seq
}

/** The tokens in use: what later refusals and refreshes are compared with. */
interface Grant {
  readonly seq: Seq
  /** When they arrived, in the time of frames. */
  readonly at: number
  readonly scope: string | undefined
  /** The scope of the sign-in that a refresh continues. */
  readonly original: string | undefined
  /** The response named the scope; otherwise it is the requested one. */
  readonly stated: boolean
  /** The server has accepted the token. */
  accepted: boolean
}

/** What sign-ins showed about a connection. Outlives the session: a sign-in happens between two of them. */
export interface SignInFacts {
  /** The last challenge to a request without a token, whether it named scopes, and whether `DPoP` isn't among its schemes. */
  challenge?: { readonly seq: Seq; readonly scoped: boolean; readonly bearerOnly: boolean }
  granted?: Grant
  /** Scopes that the server has: those in its metadata and its challenges. */
  scopes?: readonly string[]
  /** The last client that a flow registered. */
  client?: { readonly id: string; readonly method: Json | undefined; readonly of: StepRun['of'] } | undefined
}

export interface SignInStep {
  readonly run: StepRun
  readonly notes: StepNote[]
}

export interface SignInRequest extends RequestRecord {
  readonly step: SignInStep | undefined
}

const signIns = signInsOf(MOST)

export class SignInView {
  readonly #state = signIns.initial()
  readonly #steps = new WeakMap<StepRun, SignInStep>()
  readonly facts: SignInFacts = {}

  /** @returns the sign-in request of this frame; `undefined` if it belongs to the transport */
  meetHttp(frame: FrameOf<'http'>): SignInRequest | undefined {
    signIns.step(this.#state, frame)
    const { run, request } = this.#state.last
    return request && { ...request.record, step: this.#stepOf(run) }
  }

  /** @returns the step of this frame */
  meetAuth(frame: FrameOf<'auth'>): SignInStep | undefined {
    signIns.step(this.#state, frame)
    return this.#stepOf(this.#state.last.run)
  }

  /** The protocol version that a sign-in follows, if the trace contains its start. */
  revisionOf({ seq }: FrameOf<'auth'>): Revision | undefined {
    return (this.#state.last.run?.of ?? this.#state.flows.get(seq))?.revision
  }

  #stepOf(run: StepRun | undefined): SignInStep | undefined {
    if (!run) return undefined
    let step = this.#steps.get(run)
    if (!step) this.#steps.set(run, (step = { run, notes: [] }))
    return step
  }
}
