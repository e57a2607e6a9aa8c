/**
 * Our requests in flight: each is encoded (by its era, with its progress token), sent and matched with its response;
 * kept alive by progress; timed out or cancelled (`notifications/cancelled`); and sent again for `input_required` and
 * retries.
 *
 * The lifecycle isn't its business: its host knows whether a session is open and which transport carries the messages.
 */
import { isNotAllowed, toolCallsIn, type CallGate, type LeavingCall } from './call-gate.ts'
import { LINGER, PendingCall, timeoutError, withParams, type CallOptions } from './pending-call.ts'
import { Deadline, wait, type Limits } from './deadline.ts'
import type { Era } from './eras/era.ts'
import { messageOf, TransportError, type ProtocolError } from './errors.ts'
import type { CallOrigin, Clearance, GiveUp, HeldBack, Json, JsonObject, Seq } from './frame.ts'
import {
  ErrorCode,
  errorOf,
  idKey,
  isErrorResponse,
  isObject,
  isRequestId,
  keyAmong,
  OPENING_METHODS,
  read,
  requestsIn,
  type RequestId,
} from './jsonrpc.ts'
import { InputRounds, type Round } from './input-required.ts'
import type { ServerRequests } from './server-requests.ts'
import type { Outbound, Received, Tap } from './transports/tap.ts'
import type { Transport } from './transports/transport.ts'

export interface OutgoingRequestsHost {
  readonly tap: Tap
  readonly serverRequests: ServerRequests
  readonly limits: Limits
  /** Aborted when the session ends: lingering connections have no purpose then. */
  readonly over: AbortSignal
  readonly gate: CallGate | undefined
  /** The user's additions to the `_meta` of each request. */
  readonly meta: ReadonlyMap<string, Json>
  readonly transport: () => Transport
  readonly isOpen: () => boolean
  /** In progress while a new session replaces a lost one. */
  readonly renewal: () => Promise<void> | undefined
  readonly renew: (why: string) => Promise<void>
  /** Reloads the data from which a call's headers are made (TR-XH-08). */
  readonly recover: (pending: PendingCall, error: unknown) => Promise<boolean>
}

export class OutgoingRequests {
  readonly #host: OutgoingRequestsHost
  readonly #rounds: InputRounds
  readonly #pending = new Map<string, PendingCall>()
  #nextId = 1

  constructor(host: OutgoingRequestsHost) {
    this.#host = host
    this.#rounds = new InputRounds(host.serverRequests, host.over)
  }

  begin(era: Era, method: string, params: JsonObject | undefined, options: CallOptions): PendingCall {
    const pending = new PendingCall(era, this.#nextId++, method, params, options, this.#host.limits)
    this.#pending.set(idKey(pending.id), pending)
    return pending
  }

  /** Sends it and handles failures. Never throws. */
  async dispatch(pending: PendingCall): Promise<void> {
    try {
      // A call made while a new session is being opened waits for it; the handshake itself must not wait.
      const renewal = this.#host.renewal()
      if (renewal && !OPENING_METHODS.has(pending.method)) {
        await renewal
        if (hasCursor(pending)) return this.giveUp(pending, cursorOver(pending), 'lost')
      }
      // Given up meanwhile: don't send it.
      if (!this.#waits(pending)) return
      const outbound = this.encode(pending)
      const clearing = this.#clear(outbound, pending.origin, pending.cleared, [pending])
      if (clearing instanceof Promise) {
        pending.cleared = await clearing
        // The session may have been renewed while the user decided, and the tool may have changed.
        return await this.dispatch(pending)
      }
      pending.cleared = clearing
      this.#arm(pending)
      await this.#send({ ...outbound, cleared: clearing }, pending.abort.signal)
    } catch (error) {
      if (!this.#waits(pending)) return
      if (isNotAllowed(error)) return this.giveUp(pending, error, 'cancelled')
      if (error instanceof TransportError && error.code === 'session-expired') {
        if (!pending.retried) return await this.#resend(pending, error)
        // The response is the same in a new session, so the session wasn't the cause.
        const status = new TransportError(
          'http-status',
          `${error.message}, even after Periscope started a new one`,
          error.details,
        )
        return this.giveUp(pending, status, 'lost')
      }
      this.giveUp(pending, error instanceof Error ? error : new Error(String(error)), 'lost')
    }
  }

  /** Several calls in one message (BP-21). Never throws. */
  async dispatchBatch(calls: readonly PendingCall[]): Promise<void> {
    const captured = (seq: number) => calls.forEach((pending) => pending.sent(seq))
    try {
      const message = calls.map((pending) => this.encode(pending).message as JsonObject)
      const clearing = this.#clear({ message }, calls[0]?.origin, undefined, calls)
      const cleared = clearing instanceof Promise ? await clearing : clearing
      // A batch is one message, so it is sent whole or not at all.
      if (!calls.every((pending) => this.#waits(pending))) throw new TransportError('cancelled', CANCELLED)
      for (const pending of calls) this.#arm(pending)
      await this.#send({ message, captured, cleared })
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error))
      for (const pending of calls) this.giveUp(pending, reason, isNotAllowed(error) ? 'cancelled' : 'lost')
    }
  }

  /** @throws {TransportError} it couldn't be sent, or must not be */
  async note(outbound: Outbound, origin?: CallOrigin): Promise<void> {
    const clearing = this.#clear(outbound, origin)
    await this.#send({ ...outbound, cleared: clearing instanceof Promise ? await clearing : clearing })
  }

  /**
   * Sends a manually written message. If a request in it can't be delivered or is refused, the Trace records that it
   * was given up, because no response can arrive.
   */
  async byHand(outbound: Outbound & { readonly text: string }, origin: CallOrigin = 'console'): Promise<void> {
    const clearing = this.#clear(outbound, origin)
    const cleared = clearing instanceof Promise ? await clearing : clearing
    let seq: Seq | undefined
    try {
      await this.#send({ ...outbound, cleared, byHand: true, captured: (at) => (seq = at) })
    } catch (error) {
      if (seq !== undefined && requestsIn(read(outbound.text).message).length > 0) {
        const explanation = messageOf(error)
        this.#host.tap.append({ kind: 'session', phase: 'gave-up', request: seq, why: 'lost', explanation })
      }
      throw error
    }
  }

  /** @throws {TransportError} `not-sendable` */
  encode(pending: PendingCall): Outbound {
    const { id, method, progress, limits, paramsText, round, follows } = pending
    const added = Object.keys(round.extra).length > 0
    const own = added ? { ...pending.params, ...round.extra } : pending.params
    const params = this.#withMeta(method, own)
    const { message, headers } = pending.era.encode({ id, method, params, progress })
    return {
      message,
      headers,
      ...(paramsText === undefined ? {} : { text: withParams(message, pending.params, paramsText) }),
      ...(this.#host.isOpen() && Number.isFinite(limits.total) ? { limits } : {}),
      follows,
      captured: (seq) => pending.sent(seq),
    }
  }

  /** The call's own values win. SF-LOG-04: requests that only open or listen get no additions. */
  #withMeta(method: string, params: JsonObject | undefined): JsonObject | undefined {
    const { meta } = this.#host
    if (meta.size === 0 || OPENING_METHODS.has(method) || method === 'subscriptions/listen') return params
    return { ...params, _meta: { ...Object.fromEntries(meta), ...(isObject(params?._meta) ? params._meta : {}) } }
  }

  /** Handles a response: finds its call and interprets it. */
  answered(message: JsonObject, received: Received, inReplyTo: RequestId | undefined): void {
    const id = isRequestId(message.id) ? message.id : inReplyTo
    const pending = id === undefined ? undefined : this.#pending.get(keyAmong(this.#pending, id))
    // Responses without a call are orphans, which the fold over the Trace shows. So are second responses while the
    // server's input requests are being handled.
    if (!pending || pending.asking) return
    const failure = isErrorResponse(message) ? errorOf(message, received.status) : undefined
    if (!isRequestId(message.id)) this.#tellGaveUp(pending, 'lost', failure ?? new Error('The response has no id'))
    if (failure) return this.#failed(pending, failure)
    this.#succeeded(pending, message.result!, received)
  }

  /** Progress keeps a call alive (UT-TIME-03), found by its ID or by its caller's token. */
  progressed(token: RequestId): void {
    const named = ({ params }: PendingCall) => isObject(params?._meta) && params._meta.progressToken === token
    const pending = this.#pending.get(idKey(token)) ?? [...this.#pending.values()].find(named)
    pending?.deadline?.touch()
  }

  /** The response can no longer arrive over this transport. */
  lost(id: RequestId, error: TransportError): void {
    const pending = this.#pending.get(idKey(id))
    if (pending && !pending.asking) this.giveUp(pending, error, 'lost')
  }

  cancel(pending: PendingCall, reason = CANCELLED): void {
    if (!this.#waits(pending)) return
    this.#pending.delete(idKey(pending.id))
    this.#tellGaveUp(pending, 'cancelled', new Error(reason))
    pending.fail(new TransportError('cancelled', reason, { method: pending.method }))
    this.#tellServer(pending, reason)
  }

  extend(pending: PendingCall, ms: number): void {
    const limits = pending.deadline?.extend(ms)
    if (limits && pending.seq !== undefined) {
      this.#host.tap.append({ kind: 'session', phase: 'extended', request: pending.seq, ...limits })
    }
  }

  /** Begins the limits of all requests again. */
  restartLimits(): void {
    for (const { deadline } of this.#pending.values()) deadline?.restart()
  }

  /** Pauses their limits while the user is asked, for a sign-in for example: that time isn't the server's. */
  hold(ids: readonly RequestId[], held: boolean): boolean {
    for (const id of ids) {
      const deadline = this.#pending.get(idKey(id))?.deadline
      if (held) deadline?.pause()
      else deadline?.resume()
    }
    return held
  }

  /**
   * The server sent a request before continuing: pause the call it works on, because the user's time isn't the server's
   * (CF-SAMP-02).
   * @param inReplyTo our request on whose stream it arrived; if unknown, it may belong to any pending call
   * @returns a function that ends the pause
   */
  holdBehind(inReplyTo: RequestId | undefined): () => void {
    const calls = inReplyTo === undefined ? [...this.#pending.values()] : [this.#pending.get(idKey(inReplyTo))]
    const held = calls.flatMap((pending) => pending?.deadline ?? [])
    for (const deadline of held) deadline.pause()
    return () => {
      for (const deadline of held.splice(0)) deadline.resume()
    }
  }

  giveUp(pending: PendingCall, error: Error, why: GiveUp): void {
    if (!this.#waits(pending)) return
    this.#pending.delete(idKey(pending.id))
    if (!pending.asking) this.#tellGaveUp(pending, why, error)
    pending.fail(error)
    // Stop its requests to the user and its response stream, which are no longer needed.
    if (why === 'timeout') this.#tellServer(pending, messageOf(error))
    else if (pending.asking) pending.abort.abort(error)
  }

  rejectAll(error: Error, why: GiveUp): void {
    for (const pending of [...this.#pending.values()]) this.giveUp(pending, error, why)
  }

  /** Ids of the requests that wait for a response. */
  get awaited(): readonly RequestId[] {
    return [...this.#pending.values()].filter(({ asking }) => !asking).map(({ id }) => id)
  }

  get idle(): boolean {
    return this.#pending.size === 0
  }

  /**
   * What the gate says of the calls of tools in a message. Refused ones are recorded, because no message shows them.
   * @param calls the requests of the session in it: once one is given up, the user needn't decide any more
   * @returns `undefined` if it calls no tool, or there is no gate
   */
  #clear(
    outbound: Outbound,
    origin: CallOrigin = 'page',
    before?: readonly Clearance[],
    pending: readonly PendingCall[] = [],
  ): readonly Clearance[] | undefined | Promise<readonly Clearance[]> {
    const { gate, over } = this.#host
    const calls = gate ? toolCallsIn(outbound) : []
    if (!gate || calls.length === 0) return undefined
    const withdrawn = new AbortController()
    for (const { result } of pending) result.catch(() => withdrawn.abort())
    const refused = (error: unknown): never => this.#heldBack(calls, origin, error)
    try {
      const again = pending.some(({ sentAs }) => sentAs !== undefined)
      const signal = AbortSignal.any([over, withdrawn.signal])
      const cleared = gate.clear({ calls, origin, before, again, signal })
      return cleared instanceof Promise ? cleared.catch(refused) : cleared
    } catch (error) {
      return refused(error)
    }
  }

  #heldBack(calls: readonly LeavingCall[], origin: CallOrigin, error: unknown): never {
    if (isNotAllowed(error)) {
      const { why, policy } = error.details as { readonly why: HeldBack; readonly policy: string }
      for (const { tool } of calls)
        this.#host.tap.append({ kind: 'session', phase: 'held-back', tool, origin, policy, why })
    }
    throw error
  }

  /** The only place from which requests and notifications leave. The gate has been passed. */
  async #send(outbound: Outbound, signal?: AbortSignal): Promise<void> {
    await this.#host.transport().send(outbound, signal)
  }

  #waits(pending: PendingCall): boolean {
    return this.#pending.get(idKey(pending.id)) === pending
  }

  #arm(pending: PendingCall): void {
    pending.deadline ??= new Deadline(pending.limits, (which, limit) => {
      this.giveUp(pending, timeoutError(pending.method, which, limit), 'timeout')
    })
  }

  /** BP-04: every attempt needs its own ID, otherwise the two requests are indistinguishable. */
  #renumber(pending: PendingCall): void {
    this.#pending.delete(idKey(pending.id))
    pending.follows = pending.seq
    pending.id = this.#nextId++
    this.#pending.set(idKey(pending.id), pending)
  }

  #failed(pending: PendingCall, failure: ProtocolError): void {
    if (failure.code === ErrorCode.HeaderMismatch && !pending.mended && this.#host.isOpen()) {
      pending.mended = true
      return void this.#mend(pending, failure)
    }
    this.#pending.delete(idKey(pending.id))
    pending.fail(failure)
  }

  /** TR-XH-08: the call is retried if the data behind its headers was outdated. */
  async #mend(pending: PendingCall, failure: ProtocolError): Promise<void> {
    pending.asking = true
    const mended = await this.#host.recover(pending, failure)
    if (!this.#waits(pending)) return
    pending.asking = false
    if (!mended) return this.#failed(pending, failure)
    this.#renumber(pending)
    await this.dispatch(pending)
  }

  #succeeded(pending: PendingCall, result: Json, received: Received): void {
    const outcome = pending.era.decode(pending.method, result)
    if (outcome.kind === 'asked') return void this.#nextRound(pending, outcome)
    this.#pending.delete(idKey(pending.id))
    if (outcome.kind === 'complete') return pending.succeed(outcome.result)
    const what = `The result of ${pending.method} is invalid: ${outcome.issues.join('; ')}`
    pending.fail(new TransportError('invalid-result', what, { seq: received.seq }))
  }

  /** MRTR-01: responds to the server's input requests, and sends the call again with the responses. */
  async #nextRound(pending: PendingCall, asked: { questions: JsonObject; state?: Json }): Promise<void> {
    pending.asking = true
    pending.deadline?.stop()
    pending.deadline = undefined
    let round: Round
    try {
      round = await this.#rounds.answer(pending, asked)
    } catch (error) {
      if (!this.#waits(pending)) return
      this.#pending.delete(idKey(pending.id))
      const reason = error instanceof Error ? error : new Error(String(error))
      // No message says that the call ends here (CF-SAMP-13), so record it in the Trace; its other input requests are
      // void.
      this.#tellGaveUp(pending, 'cancelled', reason)
      pending.fail(reason)
      pending.abort.abort(reason)
      return
    }
    if (!this.#waits(pending)) return
    pending.asking = false
    pending.round = round
    this.#renumber(pending)
    await this.dispatch(pending)
  }

  /** TR-HTTP-26: the server no longer knows the session. Open a new one and retry the refused request. */
  async #resend(pending: PendingCall, error: TransportError): Promise<void> {
    this.#tellGaveUp(pending, 'lost', error)
    pending.retried = true
    this.#renumber(pending)
    try {
      await this.#host.renew(error.message)
    } catch (failure) {
      const reason = failure instanceof Error ? failure : new Error(String(failure))
      if (this.#pending.delete(idKey(pending.id))) pending.fail(reason)
      return
    }
    if (hasCursor(pending)) return this.giveUp(pending, cursorOver(pending), 'lost')
    await this.dispatch(pending)
  }

  /**
   * If closing the stream cancels the request, close it at once (TR-HTTP-10). Otherwise closing isn't cancelling, so
   * notify the server (UT-TIME-02, TR-HTTP-09), and close the connection a moment later: late responses are worth
   * recording.
   */
  #tellServer(pending: PendingCall, reason: string): void {
    const error = new TransportError('cancelled', reason)
    const { closingCancels } = pending.era
    if (closingCancels && this.#host.transport().perRequest) return pending.abort.abort(error)
    // LC-13: `initialize` is never cancelled. UT-CANC-01: neither is a request that wasn't sent under this ID, or has a
    // response.
    if (
      !OPENING_METHODS.has(pending.method) &&
      pending.sentAs === pending.id &&
      !pending.asking &&
      this.#host.isOpen()
    ) {
      const { message } = pending.era.note('notifications/cancelled', { requestId: pending.id, reason })
      this.#send({ message }).catch(() => {})
    }
    void wait(pending.asking ? 0 : LINGER, this.#host.over).then(() => pending.abort.abort(error))
  }

  #tellGaveUp(pending: PendingCall, why: GiveUp, error: Error): void {
    if (pending.seq === undefined) return
    const explanation = messageOf(error)
    this.#host.tap.append({ kind: 'session', phase: 'gave-up', request: pending.seq, why, explanation })
  }
}

const CANCELLED = 'cancelled by the user'

const hasCursor = ({ method, params }: PendingCall): boolean => method.endsWith('/list') && params?.cursor !== undefined

/** SF-PAGE-04: a cursor is only valid within its session. Listing has to start from the first page. */
const cursorOver = ({ method }: PendingCall): TransportError =>
  new TransportError('cancelled', `The session ended between two pages of ${method}: load the list from the start`)
