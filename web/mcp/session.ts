/**
 * A session with one server: pending calls, cancellation, deadlines, the server's own requests.
 *
 * It owns no bytes (the transport does) and no wire vocabulary (the era does). What happens is told to the Trace.
 */
import { LINGER, PendingCall, stepError, timeoutError, withParams, type Call, type CallOptions } from './call.ts'
import { Deadline, wait } from './deadline.ts'
import { codeOf, detailsOf, messageOf, TransportError, UsageError } from './errors.ts'
import type { Hello, Port } from './eras/era.ts'
import { selectEra, type Choice } from './eras/select.ts'
import type { GiveUp, Json, JsonObject, Link, Peer, Phase } from './frame.ts'
import { AnswerDesk, type Answers } from './inbound.ts'
import { errorOf, idKey, isObject, isRequestId, judge, type RequestId } from './jsonrpc.ts'
import type { Revision } from './revision.ts'
import type { Trace } from './trace.ts'
import { Tap } from './transports/tap.ts'
import type { Outbound, Received, Sink, Transport } from './transports/transport.ts'

export type { Call, CallOptions } from './call.ts'
export type { Answers } from './inbound.ts'

export interface SessionOptions {
  readonly trace: Trace
  readonly link: Link
  readonly transport: Transport
  /** `Implementation` of this client. */
  readonly clientInfo: JsonObject
  readonly capabilities?: (revision: Revision) => JsonObject
  /** Handlers for the server's requests, by method; what is not here is answered -32601. */
  readonly answers?: Answers
  /** The only revision to accept; absent: the newest both speak. */
  readonly pinned?: Revision
}

export type SessionState = 'idle' | 'opening' | 'open' | 'closed'

/** Beyond the limits of the steps, which end a connection that hangs: packages may have to be fetched first. */
const HANDSHAKE_CALL: CallOptions = { idle: 120_000, total: 120_000, progress: false }

export class Session {
  readonly trace: Trace
  readonly link: Link
  readonly #options: SessionOptions
  readonly #transport: Transport
  readonly #tap: Tap
  readonly #sink: Sink
  readonly #desk: AnswerDesk
  readonly #choice: Choice
  readonly #pending = new Map<string, PendingCall>()
  #nextId = 1
  #state: SessionState = 'idle'
  #peer: Peer | undefined
  /** The step a connection is in, and the timer that ends it. */
  #step: { step: Phase; timer: ReturnType<typeof setTimeout> } | undefined
  #failOpening: ((error: TransportError) => void) | undefined
  #renewal: Promise<void> | undefined
  #renewing = false
  /** Aborted when the session is over: what lingers has nobody left to linger for. */
  readonly #over = new AbortController()

  constructor(options: SessionOptions) {
    this.#options = options
    this.trace = options.trace
    this.link = options.link
    this.#transport = options.transport
    this.#tap = new Tap(options.trace, options.link)
    this.#sink = {
      tap: this.#tap,
      message: (received, inReplyTo) => this.#receive(received, inReplyTo),
      lost: (id, error) => {
        const pending = this.#pending.get(idKey(id))
        if (pending) this.#giveUp(pending, error, 'lost')
      },
      closed: (error) => this.#closedByPeer(error),
      step: (step, limit) => this.#enterStep(step, limit),
    }
    this.#choice = selectEra(options.pinned)
    this.#desk = new AnswerDesk(options.answers ?? {}, (message) => this.#transport.send({ message }))
  }

  get state(): SessionState {
    return this.#state
  }

  get peer(): Peer | undefined {
    return this.#peer
  }

  /**
   * Connects. Ends in the Trace as `open` or `failed`.
   * @throws {TransportError} the network, the process or a limit stood in the way; {UsageError} `already-open`
   * @throws {ProtocolError} the server refused `initialize`
   */
  async open(): Promise<Peer> {
    if (this.#state !== 'idle') throw new UsageError('already-open', 'A session opens once; make another one')
    this.#state = 'opening'
    const failed = new Promise<never>((_, reject) => (this.#failOpening = reject))
    failed.catch(() => {})
    try {
      return await Promise.race([failed, this.#open()])
    } catch (error) {
      const code = codeOf(error)
      this.#end(error instanceof Error ? error : new Error(String(error)), 'closed')
      if (code === 'cancelled') this.#tap.append({ kind: 'session', phase: 'closed', why: 'stopped' })
      else {
        const explanation = messageOf(error)
        this.#tap.append({ kind: 'session', phase: 'failed', code, explanation, details: detailsOf(error) })
      }
      await this.#transport.close()
      throw error
    }
  }

  /**
   * Sends a request. Never throws for what the peer or the network does: that comes with `result`.
   * @throws {UsageError} `not-open`
   */
  call(method: string, params?: JsonObject, options: CallOptions = {}): Call {
    this.#mustBeOpen(method)
    const pending = this.#begin(method, params, options)
    void this.#dispatch(pending)
    return {
      get id() {
        return pending.id
      },
      get seq() {
        return pending.seq
      },
      result: pending.result,
      cancel: (reason) => this.#cancel(pending, reason),
      extend: (ms) => this.#extend(pending, ms),
    }
  }

  /** `call(…).result`. */
  async request(method: string, params?: JsonObject, options?: CallOptions): Promise<JsonObject> {
    return await this.call(method, params, options).result
  }

  /** @throws {TransportError} it could not be handed over; @throws {UsageError} `not-open` */
  async notify(method: string, params?: JsonObject): Promise<void> {
    if (this.#state !== 'opening') this.#mustBeOpen(method)
    await this.#transport.send({ message: { jsonrpc: '2.0', method, ...(params ? { params } : {}) } })
  }

  /** Sends any text as it is, and waits for no answer. @throws as `notify` */
  async raw(text: string): Promise<void> {
    this.#mustBeOpen('the text')
    await this.#transport.send({ message: {}, text, byHand: true })
  }

  #mustBeOpen(what: string): void {
    if (this.#state !== 'open') throw new UsageError('not-open', `Session ${this.#state}: ${what} was not sent`)
  }

  /** Ends the session; while it opens, stops the attempt. Never throws. */
  async close(): Promise<void> {
    if (this.#state === 'closed' || this.#state === 'idle') return
    if (this.#state === 'opening') return this.#stopOpening(new TransportError('cancelled', 'Connecting was stopped'))
    this.#end(new TransportError('closed', 'The session was ended'), 'closed')
    await this.#transport.close()
    this.#tap.append({ kind: 'session', phase: 'closed', why: 'ended' })
  }

  async #open(): Promise<Peer> {
    await this.#transport.open(this.#sink)
    return await this.#shakeHands()
  }

  async #shakeHands(): Promise<Peer> {
    const { era, offer, pinned } = this.#choice
    const hello: Hello = {
      clientInfo: this.#options.clientInfo,
      capabilities: this.#options.capabilities ?? (() => ({})),
      offer,
      pinned,
    }
    const peer = await era.open(this.#port, hello)
    // Stopped while the last word was on its way: nothing opens after it was closed.
    if (this.#state === 'closed') throw new TransportError('closed', 'The session was ended')
    this.#endStep()
    this.#peer = peer
    // Before the frame: whoever reads it may call at once, or close.
    this.#state = 'open'
    this.#tap.append({ kind: 'session', phase: 'open', peer, transport: this.#transport.name })
    this.#transport.listen?.()
    return peer
  }

  /** What the era may use while it opens: calls outside the user's limits, for each step has its own. */
  readonly #port: Port = {
    call: async (method, params) => {
      const pending = this.#begin(method, params, HANDSHAKE_CALL)
      void this.#dispatch(pending)
      return await pending.result
    },
    notify: async (method, params) => {
      this.#enterStep('sending-initialized', 10_000)
      await this.notify(method, params)
    },
    settled: (revision) => this.#transport.settled?.(revision),
  }

  #begin(method: string, params: JsonObject | undefined, options: CallOptions): PendingCall {
    const pending = new PendingCall(this.#nextId++, method, params, options)
    this.#pending.set(idKey(pending.id), pending)
    return pending
  }

  async #dispatch(pending: PendingCall): Promise<void> {
    try {
      // A call made while a new session is being opened waits for it; the handshake itself must not.
      if (this.#renewal && pending.method !== 'initialize') await this.#renewal
      // Given up meanwhile: what nobody waits for any more is not sent.
      if (this.#pending.get(idKey(pending.id)) !== pending) return
      pending.deadline ??= new Deadline(pending.limits, (which, limit) => {
        this.#giveUp(pending, timeoutError(pending.method, which, limit), 'timeout')
      })
      await this.#transport.send(this.#encode(pending), pending.abort.signal)
    } catch (error) {
      if (!this.#pending.has(idKey(pending.id))) return
      if (error instanceof TransportError && error.code === 'session-expired') {
        if (!pending.retried) return this.#resend(pending, error)
        // A new session was begun and the answer is the same: it was not about the session.
        const status = new TransportError('http-status', `${error.message}, nor in a new one`, error.details)
        return this.#giveUp(pending, status, 'lost')
      }
      this.#giveUp(pending, error instanceof Error ? error : new Error(String(error)), 'lost')
    }
  }

  #encode(pending: PendingCall): Outbound {
    const { id, method, params, progress, limits, paramsText } = pending
    const { message, headers } = this.#choice.era.encode({ id, method, params, progress })
    return {
      message,
      ...(headers ? { headers } : {}),
      ...(paramsText === undefined ? {} : { text: withParams(message, params, paramsText) }),
      ...(this.#state === 'open' ? { limits } : {}),
      captured: (seq) => pending.sent(seq),
    }
  }

  /** TR-HTTP-26: the server no longer knows the session. A new one takes its place and the refused request is sent again. */
  async #resend(pending: PendingCall, error: TransportError): Promise<void> {
    this.#pending.delete(idKey(pending.id))
    this.#tellGaveUp(pending, 'lost', error)
    pending.retried = true
    // BP-04: the new session could reuse the id, but then nobody could tell the two requests apart.
    pending.id = this.#nextId++
    this.#pending.set(idKey(pending.id), pending)
    try {
      await (this.#renewal ??= this.#renew(error.message).finally(() => (this.#renewal = undefined)))
    } catch (failure) {
      const reason = failure instanceof Error ? failure : new Error(String(failure))
      if (this.#pending.delete(idKey(pending.id))) pending.fail(reason)
      return
    }
    await this.#dispatch(pending)
  }

  async #renew(why: string): Promise<void> {
    this.#renewing = true
    this.#tap.append({ kind: 'session', phase: 'renewing', why })
    // The old session's questions are void: the new one knows nothing of them.
    this.#desk.close()
    this.#transport.renew?.()
    try {
      await this.#shakeHands()
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

  #receive(received: Received, inReplyTo?: RequestId): void {
    const { message, type } = received
    if (type === 'batch' && Array.isArray(message)) {
      for (const part of message as readonly Json[]) this.#receive({ ...judge(part), seq: received.seq })
      return
    }
    if (!isObject(message)) return
    if (type === 'request') return this.#state === 'closed' ? undefined : this.#desk.receive(message)
    if (type === 'notification') return this.#notified(message)
    if (type === 'result' || type === 'error') return this.#answered(message, received, inReplyTo)
  }

  #answered(message: JsonObject, received: Received, inReplyTo: RequestId | undefined): void {
    const id = isRequestId(message.id) ? message.id : inReplyTo
    const pending = id === undefined ? undefined : this.#pending.get(idKey(id))
    // Answers to nobody are orphans; the fold over the Trace shows them.
    if (!pending) return
    const failure = 'error' in message ? errorOf(message) : undefined
    if (!isRequestId(message.id)) {
      this.#tellGaveUp(pending, 'lost', failure ?? new Error('The answer carries no id'))
    }
    this.#pending.delete(idKey(pending.id))
    if (failure) return pending.fail(failure)
    const outcome = this.#choice.era.decode(pending.method, message.result!)
    if (outcome.kind === 'complete') return pending.succeed(outcome.result)
    const issues = outcome.kind === 'invalid' ? outcome.issues.join('; ') : 'the server asks for input'
    const what = `The result of ${pending.method} is not usable: ${issues}`
    pending.fail(new TransportError('bad-handshake', what, { seq: received.seq }))
  }

  #notified(message: JsonObject): void {
    const params = isObject(message.params) ? message.params : {}
    if (message.method === 'notifications/progress' && isRequestId(params.progressToken)) {
      this.#pending.get(idKey(params.progressToken))?.deadline?.touch()
    }
    if (message.method === 'notifications/cancelled' && isRequestId(params.requestId))
      this.#desk.cancel(params.requestId)
  }

  #cancel(pending: PendingCall, reason = 'cancelled by the user'): void {
    if (this.#pending.get(idKey(pending.id)) !== pending) return
    this.#pending.delete(idKey(pending.id))
    this.#tellGaveUp(pending, 'cancelled', new Error(reason))
    pending.fail(new TransportError('cancelled', reason, { method: pending.method }))
    this.#tellServer(pending, reason)
  }

  #extend(pending: PendingCall, ms: number): void {
    const limits = pending.deadline?.extend(ms)
    if (limits && pending.seq !== undefined) {
      this.#tap.append({ kind: 'session', phase: 'extended', request: pending.seq, ...limits })
    }
  }

  #giveUp(pending: PendingCall, error: Error, why: GiveUp): void {
    if (!this.#pending.delete(idKey(pending.id))) return
    this.#tellGaveUp(pending, why, error)
    pending.fail(error)
    if (why === 'timeout') this.#tellServer(pending, messageOf(error))
  }

  /** UT-TIME-02, TR-HTTP-09: leaving is not cancelling, so say it; then let the connection go after a moment. */
  #tellServer(pending: PendingCall, reason: string): void {
    // LC-13: `initialize` is never cancelled. UT-CANC-01: nor is what was not sent under this id.
    if (pending.method !== 'initialize' && pending.sentAs === pending.id && this.#state === 'open') {
      this.notify('notifications/cancelled', { requestId: pending.id, reason }).catch(() => {})
    }
    void wait(LINGER, this.#over.signal).then(() => pending.abort.abort(new TransportError('cancelled', reason)))
  }

  #tellGaveUp(pending: PendingCall, why: GiveUp, error: Error): void {
    if (pending.seq === undefined) return
    this.#tap.append({ kind: 'session', phase: 'gave-up', request: pending.seq, why, explanation: messageOf(error) })
  }

  #rejectAll(error: Error, why: GiveUp): void {
    for (const pending of [...this.#pending.values()]) this.#giveUp(pending, error, why)
  }

  /** Whatever still runs, waits or asks ends here, so that nothing fires later. */
  #end(error: Error, why: GiveUp): void {
    this.#state = 'closed'
    this.#endStep()
    this.#rejectAll(error, why)
    this.#desk.close()
    this.#over.abort()
  }

  /** The state changes at once, so that a handshake that succeeds in this very moment opens nothing. */
  #stopOpening(error: TransportError): void {
    this.#state = 'closed'
    this.#failOpening?.(error)
  }

  #closedByPeer(error: TransportError): void {
    if (this.#state === 'opening') return this.#stopOpening(error)
    if (this.#state !== 'open') return
    this.#end(error, 'lost')
    this.#tap.append({ kind: 'session', phase: 'closed', why: error.message, code: error.code, details: error.details })
    void this.#transport.close()
  }

  #enterStep(step: Phase, limit: number): void {
    if (this.#state === 'closed' || (this.#state !== 'opening' && !this.#renewing)) return
    this.#endStep()
    const timer = setTimeout(() => {
      const error = stepError(step, limit)
      if (this.#state === 'opening') this.#stopOpening(error)
      else this.#rejectAll(error, 'timeout')
    }, limit)
    this.#step = { step, timer }
    this.#tap.append({ kind: 'session', phase: 'opening', step, limit })
  }

  #endStep(): void {
    clearTimeout(this.#step?.timer)
    this.#step = undefined
  }
}
