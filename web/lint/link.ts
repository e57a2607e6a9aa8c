/**
 * What all rules need to know of one connection: the requests in flight, the HTTP exchanges that are open, and the
 * revision in force. Kept up frame by frame, within bounds.
 */
import {
  idKey,
  isObject,
  isRequestId,
  isRevision,
  type Json,
  type JsonObject,
  type Link,
  type MessageFrame,
  type RequestId,
  type Revision,
  type Seq,
} from '../mcp/index.ts'
import { Recent } from './recent.ts'

/** Requests and HTTP exchanges of one connection that are remembered; a page in use has a few hundred. */
const MOST_REQUESTS = 5_000
const MOST_CARRIERS = 2_000
/** Requests in flight under one id that are told apart. */
const MOST_TWINS = 100

export const META = 'io.modelcontextprotocol/'

/** A request, as much of it as rules ask for. */
export interface TrackedRequest {
  readonly seq: Seq
  readonly id: RequestId
  readonly method: string
  /** That its `_meta` names (META-10), or that `initialize` offers. */
  readonly revision: Revision | undefined
  /** The client's capabilities in its `_meta` (META-12). */
  readonly capabilities: JsonObject | undefined
  readonly token: RequestId | undefined
  /** It asked for log messages (SF-LOG-03). */
  readonly logs: boolean
  readonly cursor: Json | undefined
  /** A tool's or prompt's name, a URI, the id of a task. */
  readonly subject: string | undefined
  /** `params.notifications` of `subscriptions/listen` (SUB-01). */
  readonly filter: JsonObject | undefined
  /** `params.task` is there: it may become a task (2025-11-25). */
  readonly augmented: boolean
  readonly carrier: Carrier | undefined
  /** Sent by hand, wrong on purpose perhaps. */
  readonly byHand: boolean
  /** An earlier request with the same id, which was in flight when this one was sent. */
  readonly twin: TrackedRequest | undefined
  /** `left`: nobody waits for the answer any more. */
  state: 'pending' | 'answered' | 'left'
  answer?: Seq
  /** The id of the task that was the answer. */
  task?: string
}

/** One HTTP request with its answer. */
export interface Carrier {
  readonly seq: Seq
  readonly method: string
  readonly url: string
  readonly purpose: 'message' | 'listen' | 'resume' | 'end-session'
  /** The exchange whose stream this one carries on; itself where it carries on none. */
  readonly root: Seq
  readonly rootMethod: string
  readonly headers: ReadonlyMap<string, string>
  /** The requests that were posted, and whether anything else was. */
  readonly asked: TrackedRequest[]
  posted: number
  response?: { readonly seq: Seq; readonly status: number; readonly type: string; readonly session: string | undefined }
  /** Events so far, with messages or without, and whether any had an id. */
  events: number
  withIds: boolean
  over: boolean
  /** The body has ended, and the message that it holds is still to be captured. */
  bodyDue: boolean
}

export type Kind = 'request' | 'notification' | 'answer'

/** One message that was received; a part of a batch stands by itself. */
export interface Observed {
  readonly frame: MessageFrame
  readonly message: JsonObject
  /** JSON pointer to it: `/2` in a batch, else empty. */
  readonly at: string
  readonly kind: Kind
  /** Its own method, or that of the request it answers. */
  readonly method: string | undefined
  readonly params: JsonObject
  readonly meta: JsonObject
  readonly result: JsonObject | undefined
  readonly error: JsonObject | undefined
  readonly id: RequestId | undefined
  /** The request that it answers. */
  readonly asked: TrackedRequest | undefined
  /** Of answers: whether it is the one that was waited for. */
  readonly answer: 'first' | 'second' | 'late' | 'unknown' | undefined
  /** Of requests: an earlier one of the same sender with the same id. */
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

  /** The request that a response with this id is for. Of several in flight: by what carried it, else the oldest. */
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

  /** The id with the other type: `"1"` for `1`. */
  byLikeId(id: RequestId): TrackedRequest | undefined {
    return this.#byId.get(idKey(typeof id === 'number' ? String(id) : Number(id)))
  }

  byToken(token: unknown): TrackedRequest | undefined {
    return isRequestId(token) ? this.#byToken.get(idKey(token)) : undefined
  }

  bySeq(seq: Seq): TrackedRequest | undefined {
    return this.#bySeq.get(seq)
  }

  /** Not every request is known any more, so that an unknown id proves nothing. */
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

export interface KnownTask {
  /** The method that was asked for, and a tool's name. */
  readonly method: string
  readonly subject: string | undefined
  /** As the server told last. */
  status: unknown
}

export class LinkView {
  readonly link: Link
  readonly sent = new Requests()
  readonly received = new Requests()
  readonly carriers = new Recent<Seq, Carrier>(MOST_CARRIERS, ({ over }) => !over)
  /** What became a task, and how that task stands (TASK-08). */
  readonly tasks = new Recent<string, KnownTask>(1_000)
  /** In force for what says nothing else: offered, then answered, then that of the open session. */
  revision: Revision | undefined
  /** The server named a revision, or showed by its answer which era it is of. */
  settled = false
  /** We confirmed the handshake (LC-03). */
  initialized = false
  /** An `endpoint` event came, or the session says so: HTTP+SSE, whose POSTs and GETs have other rules. */
  oldSse = false
  closed = false
  /** A resource was subscribed to. */
  subscribed = false
  clientCapabilities: JsonObject = {}
  /** What the client declared last; absent where no frame says so. */
  declared: JsonObject | undefined
  serverCapabilities: JsonObject | undefined
  /** The revisions that a server of the stateless era named. */
  supported: readonly string[] | undefined

  constructor(link: Link) {
    this.link = link
  }

  get isModern(): boolean {
    return this.settled && this.revision === '2026-07-28'
  }

  carrierOf(seq: Seq | undefined): Carrier | undefined {
    return seq === undefined ? undefined : this.carriers.get(seq)
  }

  /** Extensions that the client declared with a request, or in the handshake, and the server too. */
  extensions(asked?: TrackedRequest): readonly string[] {
    const ours = (asked?.capabilities ?? this.clientCapabilities).extensions
    const theirs = this.serverCapabilities?.extensions
    if (!isObject(ours)) return []
    return Object.keys(ours).filter((name) => !isObject(theirs) || Object.hasOwn(theirs, name))
  }
}

/** The members of a message that rules read, whatever stands in their place. */
export const objectAt = (value: JsonObject | undefined, key: string): JsonObject | undefined => {
  const member = value && Object.hasOwn(value, key) ? value[key] : undefined
  return isObject(member) ? member : undefined
}

export const knownRevision = (value: unknown): Revision | undefined => (isRevision(value) ? value : undefined)
