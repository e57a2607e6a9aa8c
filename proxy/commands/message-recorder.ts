/**
 * Records messages between another client and a server as the frames that our own client would write, so that every view
 * works. What only the client knows is inferred from its messages.
 */
import {
  eraOf,
  type Evidence,
  type GiveUp,
  idKey,
  isDeep,
  isObject,
  isRequestId,
  isRevision,
  type Json,
  type JsonObject,
  type Link,
  messagesIn,
  META,
  type Peer,
  peerOf,
  read,
  requestsIn,
  type Revision,
  sameText,
  type Seq,
  shallow,
  type Trace,
  utf8Length,
} from '../../web/mcp/index.ts'
import { Tap, type Capture } from '../../web/mcp/transports/tap.ts'

interface PendingRequest {
  readonly method: string
  readonly seq: Seq
  readonly params: JsonObject
  readonly carrier?: Seq
}

/** Results with `input_required`; the next request refers to them. */
const MAX_ROUNDS = 100
const MAX_PENDING = 10_000
/** Characters of a response that is read before it is recorded. */
const MAX_PEEKED = 1_000_000

export class MessageRecorder {
  readonly tap: Tap
  readonly #trace: Trace
  readonly #link: Link
  readonly #pending = new Map<string, PendingRequest>()
  /** Requests whose results asked for input, by method and state. */
  readonly #rounds = new Map<string, Seq>()
  /** Set once the handshake is answered. The session counts as open from the client's next message. */
  #peer: Peer | undefined
  #transport: string
  #open = false

  constructor(trace: Trace, link: Link, transport: string) {
    this.#trace = trace
    this.#link = link
    this.#transport = transport
    this.tap = new Tap(trace, link)
  }

  /** From the client. */
  sent(text: string, carrier?: Seq): void {
    const { type, message: whole } = read(text)
    const message = whole !== undefined && isDeep(text) ? shallow(whole) : whole
    const requests = requestsIn(message)
    const isHandshake = requests.some(({ method }) => method === 'initialize' || method === 'server/discover')
    const initialized = isObject(message) && message.method === 'notifications/initialized'
    // In a live session, `open` follows the handshake directly.
    if (!isHandshake && !initialized) this.#recordOpen()
    const follows = this.#previousRound(message)
    const { seq } = this.#trace.append({
      kind: 'message',
      link: this.#link,
      direction: 'sent',
      type,
      message,
      raw: sameText(message, text) ? undefined : text,
      size: utf8Length(text),
      carrier,
      follows,
    })
    for (const part of messagesIn(message)) {
      if (typeof part.method !== 'string' || !isRequestId(part.id)) continue
      if (this.#pending.size >= MAX_PENDING) this.#pending.delete(this.#pending.keys().next().value!)
      const params = isObject(part.params) ? part.params : {}
      this.#pending.set(idKey(part.id), { method: part.method, seq, params, carrier })
    }
    if (initialized) this.#recordOpen()
  }

  /** From the server. @returns a promise for a long text; later messages must wait for it */
  received(text: string, capture: Capture = {}, transport?: string): void | Promise<void> {
    this.#recordOpenByResponse(text)
    const taken = this.tap.received(text, capture)
    return taken instanceof Promise
      ? taken.then(({ message }) => this.#recordResponses(message, transport))
      : this.#recordResponses(taken.message, transport)
  }

  /** A line of the server's stdout. */
  line(text: string, invalidUtf8: boolean): void | Promise<void> {
    this.#recordOpenByResponse(text)
    const taken = this.tap.line(text, invalidUtf8)
    return taken instanceof Promise
      ? taken.then((late) => this.#recordResponses(late?.message))
      : this.#recordResponses(taken?.message)
  }

  get isStateless(): boolean {
    return this.#peer?.era === 'stateless'
  }

  /** Whether a request that this exchange carried is still pending. */
  waitsFor(carrier: Seq): boolean {
    for (const pending of this.#pending.values()) if (pending.carrier === carrier) return true
    return false
  }

  /** The requests that this exchange carried will get no response. */
  lost(carrier: Seq, explanation: string, why: GiveUp = 'lost'): void {
    for (const [key, pending] of this.#pending) {
      if (pending.carrier !== carrier) continue
      this.#pending.delete(key)
      this.tap.append({ kind: 'session', phase: 'gave-up', request: pending.seq, why, explanation })
    }
  }

  closed(why: string, code?: string): void {
    this.#recordOpen()
    if (this.#open || code !== undefined) {
      this.tap.append({ kind: 'session', phase: 'closed', why, code })
    }
    this.#open = false
    this.#peer = undefined
  }

  #recordResponses(message: Json | undefined, transport?: string): void {
    for (const part of messagesIn(message)) {
      if (typeof part.method === 'string' || !isRequestId(part.id)) continue
      const request = this.#pending.get(idKey(part.id))
      if (!request) continue
      this.#pending.delete(idKey(part.id))
      if (!isObject(part.result)) continue
      const peer = peerFrom(request, part.result)
      if (peer) {
        this.#peer = peer
        if (transport !== undefined) this.#transport = transport
        this.#open = false
      } else if (!this.#open && !this.#peer) {
        // A response without `resultType`, or a long one.
        this.#peer = peerWithoutDiscovery(request.params)
        this.#recordOpen()
      }
      if (part.result.resultType === 'input_required') {
        if (this.#rounds.size >= MAX_ROUNDS) this.#rounds.delete(this.#rounds.keys().next().value!)
        this.#rounds.set(roundKey(request.method, request.params, part.result.requestState), request.seq)
      }
    }
  }

  /**
   * Stateless clients may skip server/discover. The session then counts as open before the first response, so that this
   * response is already judged by its protocol version. Only `resultType` proves that the server knows the version.
   */
  #recordOpenByResponse(text: string): void {
    if (this.#open || this.#peer || text.length > MAX_PEEKED || !this.#hasStatelessRequest()) return
    for (const part of messagesIn(read(text).message)) {
      if (typeof part.method === 'string' || !isRequestId(part.id) || !isObject(part.result)) continue
      if (typeof part.result.resultType !== 'string') continue
      const request = this.#pending.get(idKey(part.id))
      if (!request || request.method === 'server/discover') continue
      this.#peer = peerWithoutDiscovery(request.params)
      return this.#recordOpen()
    }
  }

  #hasStatelessRequest(): boolean {
    for (const { params } of this.#pending.values()) if (revisionIn(params) !== undefined) return true
    return false
  }

  #recordOpen(): void {
    if (this.#open || !this.#peer) return
    this.#open = true
    this.tap.append({ kind: 'session', phase: 'open', peer: this.#peer, transport: this.#transport })
  }

  /** MRTR-10: a request with `inputResponses` continues the one that asked for input. */
  #previousRound(message: Json | undefined): Seq | undefined {
    if (!isObject(message) || typeof message.method !== 'string' || !isObject(message.params)) return undefined
    const { params } = message
    if (params.inputResponses === undefined && params.requestState === undefined) return undefined
    return this.#rounds.get(roundKey(message.method, params, params.requestState))
  }
}

const roundKey = (method: string, { name, uri }: JsonObject, state: Json | undefined): string =>
  JSON.stringify([method, name ?? uri, state ?? null])

/** The server's description from the response to a handshake or discovery; `undefined` if it isn't a known one. */
function peerFrom({ method, params }: PendingRequest, result: JsonObject): Peer | undefined {
  if (method === 'initialize') {
    const [offer, revision] = [params.protocolVersion, result.protocolVersion]
    if (!isRevision(revision) || eraOf(revision) !== 'handshake') return undefined
    const offered: Evidence[] = isRevision(offer) ? [{ saw: 'offered', revision: offer }] : []
    return peerOf(revision, result, [...offered, { saw: 'answered', revision }])
  }
  const revision = method === 'server/discover' ? revisionIn(params) : undefined
  if (revision === undefined) return undefined
  const named = Array.isArray(result.supportedVersions) ? (result.supportedVersions as readonly Json[]) : undefined
  const supported = named?.filter((version) => typeof version === 'string')
  if (supported && !supported.includes(revision)) return undefined
  const facts = supported ? { facts: { supported } } : {}
  const peer = peerOf(revision, result, [{ saw: 'probe', revision, outcome: 'answered', ...facts }])
  return { ...peer, ...(supported ? { supported } : {}) }
}

function peerWithoutDiscovery(params: JsonObject): Peer | undefined {
  const revision = revisionIn(params)
  return revision && peerOf(revision, {}, [])
}

/** The stateless protocol version in a request's `_meta`. */
function revisionIn({ _meta }: JsonObject): Revision | undefined {
  const version = isObject(_meta) ? _meta[META.version] : undefined
  return isRevision(version) && eraOf(version) === 'stateless' ? version : undefined
}
