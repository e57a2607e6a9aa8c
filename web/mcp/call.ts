/**
 * One request on its way: what its caller may do with it, and what the session must remember of it.
 */
import type { Deadline, Limits } from './deadline.ts'
import type { Era } from './eras/era.ts'
import { TransportError, UsageError } from './errors.ts'
import { injected } from './json-text.ts'
import type { JsonObject, Phase, Seq } from './frame.ts'
import { isObject, type RequestId } from './jsonrpc.ts'

export interface CallOptions {
  /** ms without progress after which we stop waiting. Default: the session's. `Infinity` for a stream without an end. */
  readonly idle?: number
  /** ms in all, whatever the progress. Default: the session's. */
  readonly total?: number
  /** Ask for progress. Default: for the methods that may take long. */
  readonly progress?: boolean
  /** The exact JSON text of `params`, where parsing it would lose something (numbers beyond 2^53). */
  readonly paramsText?: string
}

export interface Call {
  readonly id: RequestId
  /** The frame of the request; absent until it is sent. */
  readonly seq: Seq | undefined
  /** Rejects with ProtocolError (the peer said so) or TransportError (nobody can say). */
  readonly result: Promise<JsonObject>
  /** Stops waiting and tells the server (UT-CANC-01). What it still answers is shown and ignored. */
  cancel(reason?: string): void
  /** Gives it `ms` more from now, beyond both limits. */
  extend(ms: number): void
}

/** Methods a server may work on for long, so that progress is worth asking for (META-16). */
const LONG = new Set(['tools/call', 'resources/read', 'prompts/get'])

/** ms; UT-TIME-01, UT-TIME-04. */
export const DEFAULT_LIMITS: Limits = { idle: 60_000, total: 600_000 }

/** What a round before this one adds to the parameters (MRTR-06): answers and state, or nothing. */
export interface Round {
  readonly number: number
  readonly extra: JsonObject
}

/** The session's half of a call. */
export class PendingCall {
  id: RequestId
  seq: Seq | undefined
  /** The id under which it went out last; another one than `id` while it waits to be sent again. */
  sentAs: RequestId | undefined
  readonly method: string
  readonly params: JsonObject | undefined
  readonly paramsText: string | undefined
  readonly progress: boolean
  readonly limits: Limits
  /** Ends the HTTP exchange (or whatever carries the call) when nobody waits for it any more. */
  readonly abort = new AbortController()
  readonly result: Promise<JsonObject>
  readonly era: Era
  /** A request that a lost session refused is sent once more, in the new one. */
  retried = false
  /** Its headers were mended once already. */
  mended = false
  /** Rounds of `input_required` so far, and what the last one adds. */
  round: Round = { number: 0, extra: {} }
  /** Set while the server's questions are being answered: no answer is due then. */
  asking = false
  /** The frame of the request before it, which this one carries on. */
  follows: Seq | undefined
  deadline: Deadline | undefined
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
    this.progress = options.progress ?? LONG.has(method)
    this.limits = { idle: options.idle ?? defaults.idle, total: options.total ?? defaults.total }
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // Whoever called may look at the Trace instead: a rejection nobody awaits is no accident here.
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

/** A cancelled or timed-out exchange stays open this long, so that a late answer can still be seen (UT-CANC-03). */
export const LINGER = 3000

export const timeoutError = (method: string, which: 'idle' | 'total', limit: number): TransportError =>
  new TransportError(
    'timeout',
    which === 'idle'
      ? `No answer to ${method} and no progress for ${limit / 1000} s`
      : `No answer to ${method} within ${limit / 1000} s, the most a request may take`,
    { method, which, limit },
  )

/** A step of a connection took longer than it may. */
export const stepError = (step: Phase, limit: number): TransportError =>
  new TransportError(
    'timeout',
    `Still ${step.replaceAll('-', ' ').replace('answer', 'response')} after ${limit / 1000} s`,
    { step, limit },
  )

/**
 * A message's text with `params` as the caller wrote them, and with what the era and the rounds add to them.
 *
 * @param written what `paramsText` says, as the caller gave it parsed
 */
export const withParams = (message: JsonObject, written: JsonObject | undefined, paramsText: string): string => {
  const { params, ...head } = message
  const added = Object.entries(isObject(params) ? params : {}).filter(
    ([key, value]) => !Object.is(written?.[key], value) && (key === '_meta' || written?.[key] === undefined),
  )
  return `${JSON.stringify(head).slice(0, -1)},"params":${injected(paramsText, Object.fromEntries(added))}}`
}

/** What the caller of a session may do with a call. */
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
  // BP-22: what opens a session travels alone.
  if (requests.length === 0 || requests.some(({ method }) => method === 'initialize')) {
    throw new UsageError('invalid-params', 'A batch must contain at least one request, and no initialize')
  }
}
