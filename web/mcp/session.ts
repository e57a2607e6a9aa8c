/**
 * A session with one server: from opening to close, its calls, and the server's own requests.
 *
 * The transport handles the bytes, and the lifecycle encodes the messages. Everything that happens is recorded in the
 * Trace.
 */
import { callOf, DEFAULT_LIMITS, mustBeBatch, type Call, type CallOptions } from './pending-call.ts'
import type { CallGate } from './call-gate.ts'
import type { Limits } from './deadline.ts'
import { codeOf, detailsOf, messageOf, TransportError, UsageError } from './errors.ts'
import type { Era } from './eras/era.ts'
import { connect, shakeHandsAgain } from './eras/select.ts'
import { ConnectTimeouts, Opening } from './opening.ts'
import type { CallOrigin, Evidence, GiveUp, Json, JsonObject, Link, Peer, Phase } from './frame.ts'
import { Heartbeat } from './heartbeat.ts'
import { ServerRequests, type Answers } from './server-requests.ts'
import { isObject, isRequestId, judge, type RequestId } from './jsonrpc.ts'
import { OutgoingRequests } from './outgoing-requests.ts'
import type { EraId, Revision } from './revision.ts'
import { Subscriptions, type Subscription } from './subscription.ts'
import type { Trace } from './trace.ts'
import { type Received, Tap } from './transports/tap.ts'
import type { Sink, Transport } from './transports/transport.ts'

export type { Call, CallOptions } from './pending-call.ts'
export type { Answers, Asking } from './server-requests.ts'

export interface SessionOptions {
  readonly trace: Trace
  readonly link: Link
  readonly transport: Transport
  /** `Implementation` of this client. */
  readonly clientInfo: JsonObject
  readonly capabilities?: (revision: Revision) => JsonObject
  /** Handlers for server requests, by method; other requests get -32601. */
  readonly answers?: Answers
  /** Every call of a tool must pass it before it is sent. Absent: all may be sent. */
  readonly gate?: CallGate
  /** The only protocol version to accept; absent: the newest that both sides support. */
  readonly pinned?: Revision
  /** The lifecycle of an earlier connection to the same server, so that no probe is needed (VN-26). */
  readonly remembered?: EraId
  /** For calls without limits of their own, in ms. Default: 60 s without progress, 10 min in total. */
  readonly limits?: Partial<Limits>
  /** ms for the probe. Default: 5 s over stdio, 30 s over HTTP. */
  readonly patience?: number
  /** Subscribe to list changes at once, if a subscription is required. Default: true. */
  readonly autoListen?: boolean
  /** Add a `traceparent` to each stateless request (META-15). */
  readonly traceContext?: boolean
}

export type SessionState = 'idle' | 'opening' | 'open' | 'closed'

/** A session that is renewed repeatedly keeps its first and last observations. */
const MOST_EVIDENCE = 20

export class Session {
  readonly trace: Trace
  readonly link: Link
  /** Members to add to the `_meta` of each request from now on, such as the log level (SF-LOG-03). */
  readonly requestMeta = new Map<string, Json>()
  readonly #options: SessionOptions
  readonly #tap: Tap
  #sink: Sink
  readonly #serverRequests: ServerRequests
  readonly #requests: OutgoingRequests
  readonly #steps: ConnectTimeouts
  readonly #opening: Opening
  readonly #heartbeat: Heartbeat
  readonly #subscriptions: Subscriptions
  #transport: Transport
  #state: SessionState = 'idle'
  #era: Era | undefined
  #peer: Peer | undefined
  /** The capabilities that the server was sent last. */
  #declared: JsonObject = {}
  /** Resolves when opening has ended; after a failure, once nothing is left of the connection. */
  #attempted: Promise<void> = Promise.resolve()
  #failOpening: ((error: TransportError) => void) | undefined
  #renewal: Promise<void> | undefined
  #renewing = false
  /** Aborted when the session ends. */
  readonly #over = new AbortController()

  constructor(options: SessionOptions) {
    this.#options = options
    ;({ trace: this.trace, link: this.link, transport: this.#transport } = options)
    this.#tap = new Tap(options.trace, options.link)
    this.#serverRequests = new ServerRequests(
      options.answers ?? {},
      (message) => this.#transport.send({ message }),
      // Only 2025-11-25 has tasks that clients run for servers.
      () => (this.#peer?.revision === '2025-11-25' ? this.#declared.tasks : undefined),
    )
    this.#steps = new ConnectTimeouts(this.#tap, (error) => this.#stepExpired(error))
    this.#requests = new OutgoingRequests({
      tap: this.#tap,
      serverRequests: this.#serverRequests,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      over: this.#over.signal,
      gate: options.gate,
      meta: this.requestMeta,
      transport: () => this.#transport,
      isOpen: () => this.#state === 'open',
      renewal: () => this.#renewal,
      renew: (why) => (this.#renewal ??= this.#renew(why).finally(() => (this.#renewal = undefined))),
      recover: (pending, error) => pending.era.recover(this.#opening.port(pending.era), pending, error),
    })
    const capabilities = (revision: Revision) => (this.#declared = options.capabilities?.(revision) ?? {})
    const openingOptions = { ...options, capabilities }
    this.#opening = new Opening(openingOptions, {
      requests: this.#requests,
      steps: this.#steps,
      isClosed: () => this.#isClosed,
      transport: () => this.#transport,
      sink: () => this.#sink,
      replace: (transport) => {
        this.#transport = transport
        this.#sink = this.#sinkOf(transport)
      },
    })
    const unlimited = { idle: Infinity, total: Infinity, progress: false }
    this.#subscriptions = new Subscriptions({
      begin: (params) => this.#requests.begin(this.#era!, 'subscriptions/listen', params, unlimited),
      dispatch: (pending) => this.#requests.dispatch(pending),
      cancel: (pending, reason) => this.#requests.cancel(pending, reason),
      again: (request, why) => void this.#tap.append({ kind: 'session', phase: 'listening-again', request, why }),
      over: this.#over.signal,
    })
    this.#heartbeat = new Heartbeat({
      trace: this.trace,
      link: this.link,
      ping: (options) => this.#ping(options),
      isIdle: () => this.#requests.idle,
      lost: (error) => this.#closedByPeer(error),
    })
    this.#sink = this.#sinkOf(this.#transport)
  }

  get state(): SessionState {
    return this.#state
  }
  /**
   * `Mcp-Session-Id`, if the server issued one. It grants access, so it is only shown to the user and never stored
   * (SEC-13).
   */
  get sessionId(): string | undefined {
    return this.#transport.sessionId
  }
  get peer(): Peer | undefined {
    return this.#peer
  }

  /** The active subscriptions, in lifecycles that require them (SUB-06). */
  get subscriptions(): readonly Subscription[] {
    return this.#subscriptions.all
  }

  /** ms between pings; 0 for none (UT-PING-02). */
  get pingEvery(): number {
    return this.#heartbeat.every
  }
  set pingEvery(ms: number) {
    if (this.#state === 'open') this.#heartbeat.every = ms
  }
  /** ms without a message before the server is pinged, if the protocol version has `ping`; 0 for never. */
  set pingWhenIdle(ms: number) {
    if (this.#state === 'open' && this.#era?.id === 'handshake') this.#heartbeat.idle = ms
  }

  /**
   * Connects. The Trace records `open` or `failed`.
   * @throws {TransportError} the network, the process or a limit prevented it; {UsageError} `already-open`
   * @throws {ProtocolError} the server refused `initialize` or `server/discover`
   */
  async open(): Promise<Peer> {
    if (this.#state !== 'idle') throw new UsageError('already-open', 'A session can be opened only once')
    this.#state = 'opening'
    const attempt = this.#attempt()
    this.#attempted = attempt.then(
      () => {},
      () => {},
    )
    return await attempt
  }

  async #attempt(): Promise<Peer> {
    this.#heartbeat.start()
    const failed = new Promise<never>((_, reject) => (this.#failOpening = reject))
    failed.catch(() => {})
    const evidence: Evidence[] = []
    try {
      return await Promise.race([failed, this.#open(evidence)])
    } catch (error) {
      const code = codeOf(error)
      this.#end(
        error instanceof Error ? error : new Error(String(error)),
        code === 'cancelled' ? 'cancelled' : 'closed',
      )
      if (code === 'cancelled') this.#tap.append({ kind: 'session', phase: 'closed', why: 'stopped' })
      else {
        const [explanation, details] = [messageOf(error), detailsOf(error)]
        this.#tap.append({ kind: 'session', phase: 'failed', code, explanation, details, evidence })
      }
      await this.#transport.close()
      throw error
    }
  }

  /**
   * Sends a request. Failures of the peer or the network don't throw here, but reject `result`.
   * @throws {UsageError} `not-open`
   */
  call(method: string, params?: JsonObject, options: CallOptions = {}): Call {
    const pending = this.#requests.begin(this.#openEra(method), method, params, options)
    void this.#requests.dispatch(pending)
    return callOf(pending, this.#requests)
  }

  /** `call(…).result`. */
  async request(method: string, params?: JsonObject, options?: CallOptions): Promise<JsonObject> {
    return await this.call(method, params, options).result
  }

  /**
   * Sends several requests in one message (BP-21).
   * @throws {UsageError} `not-open`; `not-in-revision` in all versions but 2025-03-26, the only one with batches
   * (BP-25)
   */
  batch(requests: readonly { readonly method: string; readonly params?: JsonObject }[]): Call[] {
    const era = this.#openEra('a batch')
    mustBeBatch(requests, this.#peer?.revision)
    const calls = requests.map(({ method, params }) => this.#requests.begin(era, method, params, {}))
    void this.#requests.dispatchBatch(calls)
    return calls.map((pending) => callOf(pending, this.#requests))
  }

  /** @throws {TransportError} it couldn't be sent; @throws {UsageError} `not-open` */
  async notify(method: string, params?: JsonObject, origin?: CallOrigin): Promise<void> {
    await this.#requests.note(this.#openEra(method).note(method, params), origin)
  }

  /**
   * Sends any text unchanged, even if invalid, without waiting for a response; the Trace pairs what arrives.
   * @param headers replace those of the lifecycle, over HTTP
   * @throws as `notify`
   */
  async raw(text: string, headers?: Readonly<Record<string, string>>, origin?: CallOrigin): Promise<void> {
    this.#openEra('the text')
    await this.#requests.byHand({ message: {}, text, headers }, origin)
  }

  /**
   * Checks whether the peer is alive: with `ping`, or with `server/discover` in stateless versions, which have no ping
   * (UT-PING-04).
   * @returns ms until the response, which may be an error
   * @throws {TransportError} no response; @throws {UsageError} `not-open`
   */
  async ping(): Promise<number> {
    const begun = performance.now()
    try {
      await this.#ping()
    } catch (error) {
      // Some servers reject it, which still proves that they are alive.
      if (error instanceof TransportError || error instanceof UsageError) throw error
    }
    return performance.now() - begun
  }

  async #ping(options?: CallOptions): Promise<void> {
    await this.request(this.#openEra('ping').id === 'stateless' ? 'server/discover' : 'ping', undefined, options)
  }

  /**
   * Subscribes with `subscriptions/listen` (2026-07-28) until closed; an interrupted stream is requested again.
   * @param filter `params.notifications` (SUB-01); another filter is another subscription (SUB-11)
   * @throws {UsageError} `not-open`; `not-in-revision` if servers send notifications unprompted
   */
  listen(filter: JsonObject): Subscription {
    const era = this.#openEra('subscriptions/listen')
    if (era.id !== 'stateless') {
      throw new UsageError('not-in-revision', `Protocol version ${this.#peer?.revision} has no subscriptions/listen`)
    }
    return this.#subscriptions.begin(filter)
  }

  /** Ends the session; aborts an opening. Never throws. @param why recorded in the Trace */
  async close(why = 'ended'): Promise<void> {
    if (this.#state === 'closed' || this.#state === 'idle') return
    if (this.#state === 'opening') {
      this.#stopOpening(new TransportError('cancelled', 'Connecting was cancelled'))
      // Otherwise the next attempt's process would start beside the one that is ending.
      return await this.#attempted
    }
    this.#end(new TransportError('closed', 'The session was ended'), 'closed')
    await this.#transport.close()
    this.#tap.append({ kind: 'session', phase: 'closed', why })
  }

  #openEra(what: string): Era {
    if (this.#state !== 'open' || !this.#era) {
      throw new UsageError('not-open', `Session ${this.#state}: ${what} wasn't sent`)
    }
    return this.#era
  }

  async #open(evidence: Evidence[]): Promise<Peer> {
    await this.#transport.open(this.#sink)
    const { era, peer } = await connect(this.#opening, this.#options, evidence)
    return this.#opened(era, peer)
  }

  #opened(era: Era, peer: Peer): Peer {
    // Closed while the last message was in transit: a closed session must not open.
    if (this.#state === 'closed') throw new TransportError('closed', 'The session was ended')
    this.#steps.end()
    this.#peer = peer
    this.#era = era
    this.#transport.settled?.(peer.revision)
    // Before the frame, because its readers may call or close at once.
    this.#state = 'open'
    this.#tap.append({ kind: 'session', phase: 'open', peer, transport: this.#transport.name })
    if (this.#isClosed) return peer
    const wants = this.#options.autoListen === false ? undefined : era.wants(peer)
    if (era.id === 'handshake') this.#transport.listen?.()
    else if (wants) this.listen(wants)
    return peer
  }

  get #isClosed(): boolean {
    return this.#state === 'closed'
  }
  async #renew(why: string): Promise<void> {
    this.#renewing = true
    this.#tap.append({ kind: 'session', phase: 'renewing', why })
    // The old session's server requests are void: the new session doesn't have them.
    this.#serverRequests.close()
    this.#transport.renew?.()
    try {
      const evidence = [...(this.#peer?.evidence ?? [])].slice(0, MOST_EVIDENCE)
      const { era, peer } = await shakeHandsAgain(this.#opening, this.#options, evidence)
      this.#opened(era, peer)
      this.#renewing = false
    } catch (error) {
      this.#renewing = false
      this.#closedByPeer(
        error instanceof TransportError
          ? error
          : new TransportError('session-expired', messageOf(error), {}, { cause: error }),
      )
      throw error
    }
  }

  /** A transport's callbacks. A transport that was replaced is ignored. */
  #sinkOf(transport: Transport): Sink {
    const isCurrent = () => transport === this.#transport
    return {
      tap: this.#tap,
      message: (received, inReplyTo) => this.#receive(received, inReplyTo),
      lost: (id, error) => this.#requests.lost(id, error),
      awaited: () => this.#requests.awaited,
      held: (ids, held) => this.#steps.hold(this.#requests.hold(ids, held)),
      closed: (error) => isCurrent() && this.#closedByPeer(error),
      step: (step: Phase, limit: number) => {
        if (isCurrent() && (this.#state === 'opening' || this.#renewing)) this.#steps.enter(step, limit)
      },
      busy: () => {
        if (!isCurrent() || this.#state !== 'opening') return
        this.#steps.restart()
        this.#requests.restartLimits()
      },
    }
  }

  #receive(received: Received, inReplyTo?: RequestId): void {
    const { message, type } = received
    if (type === 'batch' && Array.isArray(message)) {
      for (const part of message as readonly Json[]) this.#receive({ ...received, ...judge(part) })
      return
    }
    if (!isObject(message)) return
    if (type === 'request') return this.#asked(message, received, inReplyTo)
    if (type === 'notification') return this.#notified(message)
    if (type === 'result' || type === 'error') return this.#requests.answered(message, received, inReplyTo)
  }

  /**
   * BP-11: a stateless client never sends responses. The server violates the specification; the Trace shows it (BP-12).
   */
  #asked(message: JsonObject, { seq }: Received, inReplyTo?: RequestId): void {
    const mayAsk = !this.#isClosed && this.#era?.answersRequests !== false
    if (mayAsk) this.#serverRequests.receive(message, seq, this.#requests.holdBehind(inReplyTo))
  }

  #notified(message: JsonObject): void {
    const params = isObject(message.params) ? message.params : {}
    const { method } = message
    if (method === 'notifications/progress' && isRequestId(params.progressToken))
      this.#requests.progressed(params.progressToken)
    if (method === 'notifications/cancelled' && isRequestId(params.requestId)) {
      this.#serverRequests.cancel(params.requestId)
      if (this.#subscriptions.endedByServer(params.requestId))
        this.#requests.lost(params.requestId, new TransportError('closed', 'The server ended the subscription'))
    }
    if (method === 'notifications/subscriptions/acknowledged') this.#subscriptions.acknowledged(params)
  }

  /** Ends all timers, waits and requests, so that nothing fires later. */
  #end(error: Error, why: GiveUp): void {
    this.#state = 'closed'
    this.#steps.end()
    this.#heartbeat.stop()
    this.#requests.rejectAll(error, why)
    this.#serverRequests.close()
    this.#over.abort()
  }

  /** The state changes at once, so that a handshake that succeeds at this moment opens nothing. */
  #stopOpening(error: TransportError): void {
    this.#state = 'closed'
    this.#failOpening?.(error)
  }

  #closedByPeer(error: TransportError): void {
    if (this.#state === 'opening') {
      // The code that awaits a response decides what this means: a process that ends during the probe is restarted.
      return this.#requests.idle ? this.#stopOpening(error) : this.#requests.rejectAll(error, 'lost')
    }
    if (this.#state !== 'open') return
    this.#end(error, 'lost')
    this.#tap.append({ kind: 'session', phase: 'closed', why: error.message, code: error.code, details: error.details })
    void this.#transport.close()
  }

  #stepExpired(error: TransportError): void {
    if (this.#state === 'opening') this.#stopOpening(error)
    else this.#requests.rejectAll(error, 'timeout')
  }
}
