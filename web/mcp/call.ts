/**
 * One request on its way: what its caller may do with it, and what the session must remember of it.
 */
import type { Deadline } from './deadline.ts'
import { type Limits } from './deadline.ts'
import { TransportError } from './errors.ts'
import type { JsonObject, Phase, Seq } from './frame.ts'
import { isObject, type RequestId } from './jsonrpc.ts'

export interface CallOptions {
  /** ms without progress after which we stop waiting. Default 60 s. */
  readonly idle?: number
  /** ms in all, whatever the progress. Default 10 min. */
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

const DEFAULT_LIMITS: Limits = { idle: 60_000, total: 600_000 }

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
  /** A request that a lost session refused is sent once more, in the new one. */
  retried = false
  deadline: Deadline | undefined
  #resolve!: (result: JsonObject) => void
  #reject!: (error: unknown) => void

  constructor(id: RequestId, method: string, params: JsonObject | undefined, options: CallOptions) {
    this.id = id
    this.method = method
    this.params = params
    this.paramsText = options.paramsText
    this.progress = options.progress ?? LONG.has(method)
    this.limits = { idle: options.idle ?? DEFAULT_LIMITS.idle, total: options.total ?? DEFAULT_LIMITS.total }
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
  new TransportError('timeout', `Still ${step.replaceAll('-', ' ')} after ${limit / 1000} s`, { step, limit })

/**
 * A message's text with `params` as the caller wrote them, and with the `_meta` that the era adds where the caller wrote none.
 *
 * @param written what `paramsText` says, as the caller gave it parsed
 */
export const withParams = (message: JsonObject, written: JsonObject | undefined, paramsText: string): string => {
  const { params, ...head } = message
  const meta = isObject(params) && written?._meta === undefined ? params._meta : undefined
  const opening = /^\s*\{\s*/.exec(paramsText)?.[0]
  let text = paramsText
  if (meta !== undefined && opening !== undefined) {
    const rest = paramsText.slice(opening.length)
    text = `{"_meta":${JSON.stringify(meta)}${rest.startsWith('}') ? '' : ','}${rest}`
  }
  return `${JSON.stringify(head).slice(0, -1)},"params":${text}}`
}
