/**
 * One pending request: what its caller may do with it, and what the session remembers about it. `outgoing-requests.ts`
 * sends it, and its cancellation (`notifications/cancelled`).
 */
import type { Deadline, Limits } from './deadline.ts'
import type { Era } from './eras/era.ts'
import { TransportError, UsageError } from './errors.ts'
import type { Round } from './input-required.ts'
import { injected } from './json-text.ts'
import type { CallOrigin, Clearance, JsonObject, Seq } from './frame.ts'
import { isObject, type RequestId } from './jsonrpc.ts'

export interface CallOptions {
  /** ms without progress before the call times out. Default: the session's. `Infinity` for an endless stream. */
  readonly idle?: number
  /** ms in total, regardless of progress. Default: the session's. */
  readonly total?: number
  /** Request progress notifications. Default: for methods that may take long. */
  readonly progress?: boolean
  /** The exact JSON text of `params`, if parsing it would lose something (numbers beyond 2^53). */
  readonly paramsText?: string
  /** What starts it, for the gate before calls of tools. Default: the page. */
  readonly origin?: CallOrigin
}

export interface Call {
  readonly id: RequestId
  /** The frame of the request; absent until it is sent. */
  readonly seq: Seq | undefined
  /** Rejects with ProtocolError (an error from the peer) or TransportError (no response). */
  readonly result: Promise<JsonObject>
  /** Stops waiting and notifies the server (UT-CANC-01). A later response is shown and ignored. */
  cancel(reason?: string): void
  /** Extends both limits to `ms` from now. */
  extend(ms: number): void
}

/** Methods that may run long, so that progress notifications are worth requesting (META-16). */
const LONG = new Set(['tools/call', 'resources/read', 'prompts/get'])

/** ms; UT-TIME-01, UT-TIME-04. */
export const DEFAULT_LIMITS: Limits = { idle: 60_000, total: 600_000 }

/** The session's side of a call. */
export class PendingCall {
  id: RequestId
  seq: Seq | undefined
  /** The ID it was last sent with; differs from `id` while it waits to be sent again. */
  sentAs: RequestId | undefined
  readonly method: string
  readonly params: JsonObject | undefined
  readonly paramsText: string | undefined
  readonly progress: boolean
  readonly limits: Limits
  /** Ends the HTTP exchange, or other carrier, once the response is no longer awaited. */
  readonly abort = new AbortController()
  readonly result: Promise<JsonObject>
  readonly era: Era
  /** A request refused by a lost session is sent once more in the new session. */
  retried = false
  /** Its headers have already been corrected once. */
  mended = false
  /** Rounds of `input_required` so far, and the additions of the last one. */
  round: Round = { number: 0, extra: {} }
  /** Set while the server's input requests are being handled: no response is due meanwhile. */
  asking = false
  /** The request that this one continues. */
  follows: Seq | undefined
  deadline: Deadline | undefined
  readonly origin: CallOrigin
  /** How the last attempt was allowed to leave. */
  cleared: readonly Clearance[] | undefined
  #resolve!: (result: JsonObject) => void
  #reject!: (error: unknown) => void

  constructor(
    era: Era,
    id: RequestId,
    method: string,
    params: JsonObject | undefined,
    options: CallOptions,
    defaults: Limits,
  ) {
    this.era = era
    this.id = id
    this.method = method
    this.params = params
    this.paramsText = options.paramsText
    this.origin = options.origin ?? 'page'
    this.progress = options.progress ?? LONG.has(method)
    this.limits = { idle: options.idle ?? defaults.idle, total: options.total ?? defaults.total }
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // A caller may watch the Trace instead, so an unhandled rejection isn't an error here.
    this.result.catch(() => {})
  }

  sent(seq: Seq): void {
    this.seq = seq
    this.sentAs = this.id
  }

  succeed(result: JsonObject): void {
    this.deadline?.stop()
    this.#resolve(result)
  }

  fail(error: unknown): void {
    this.deadline?.stop()
    this.#reject(error)
  }
}

/** ms that a cancelled or timed-out exchange stays open, so that a late response is still recorded (UT-CANC-03). */
export const LINGER = 3000

export const timeoutError = (method: string, which: 'idle' | 'total', limit: number): TransportError =>
  new TransportError(
    'timeout',
    which === 'idle'
      ? `No response to ${method} and no progress for ${limit / 1000} s`
      : `No response to ${method} within the limit of ${limit / 1000} s`,
    { method, which, limit },
  )

/**
 * A message's text with `params` as the caller wrote them, plus what the lifecycle and the rounds add.
 *
 * @param written the parsed `paramsText`
 */
export const withParams = (message: JsonObject, written: JsonObject | undefined, paramsText: string): string => {
  const { params, ...head } = message
  const added = Object.entries(isObject(params) ? params : {}).filter(
    ([key, value]) => !Object.is(written?.[key], value) && (key === '_meta' || written?.[key] === undefined),
  )
  return `${JSON.stringify(head).slice(0, -1)},"params":${injected(paramsText, Object.fromEntries(added))}}`
}

/** The public interface of a pending call. */
export const callOf = (
  pending: PendingCall,
  requests: {
    cancel(pending: PendingCall, reason?: string): void
    extend(pending: PendingCall, ms: number): void
  },
): Call => ({
  get id() {
    return pending.id
  },
  get seq() {
    return pending.seq
  },
  result: pending.result,
  cancel: (reason) => requests.cancel(pending, reason),
  extend: (ms) => requests.extend(pending, ms),
})

/** @throws {UsageError} `not-in-revision`, `invalid-params` */
export const mustBeBatch = (requests: readonly { readonly method: string }[], revision: string | undefined): void => {
  if (revision !== '2025-03-26') {
    throw new UsageError(
      'not-in-revision',
      `Protocol version ${revision} doesn't support batches; only 2025-03-26 does`,
    )
  }
  // BP-22: requests that open a session can't be part of a batch.
  if (requests.length === 0 || requests.some(({ method }) => method === 'initialize')) {
    throw new UsageError('invalid-params', 'A batch must contain at least one request and must not contain initialize')
  }
}
