/**
 * The steps of a session: the user's actions in order, with their results. Steps are resent, given expectations, shared
 * without responses, and collected.
 */
import type { ErrorObject, Json, JsonObject, Link, Seq } from '../mcp/index.ts'

export type Ending = 'cancelled' | 'timeout' | 'lost'

/** The recorded outcome of a step. */
export type Outcome = { readonly took: number } & (
  { readonly result: JsonObject } | { readonly error: ErrorObject } | { readonly ended: Ending }
)

/** A server request caused by a step, and its recorded response. */
export interface RecordedAnswer {
  readonly method: string
  readonly params: JsonObject
  /** Its key among the input requests of one result. */
  readonly key?: string
  readonly result?: JsonObject
  readonly error?: ErrorObject
}

/** A value extracted from a response, for use as `{{name}}` in later steps. */
export interface Taking {
  readonly name: string
  /** JSON pointer (RFC 6901) into the result. */
  readonly pointer: string
}

/** A condition on the response of a step. */
export type Expectation =
  | { readonly kind: 'status'; readonly status: 'ok' | 'tool-error' | 'error'; readonly code?: number }
  | { readonly kind: 'equals'; readonly pointer: string; readonly value: Json }
  | { readonly kind: 'matches'; readonly pointer?: string; readonly schema: JsonObject }
  | { readonly kind: 'contains'; readonly text: string }
  /** ms. */
  | { readonly kind: 'under'; readonly limit: number }
  /** The step causes no MUST violation. */
  | { readonly kind: 'no-must' }

export interface Step {
  /** Unique among the steps of a file. */
  readonly id: string
  readonly name?: string
  /** Its group in a collection. */
  readonly group?: string
  readonly link: Link
  readonly method: string
  readonly params?: JsonObject
  /** The exact text of `params`, if parsing it loses something (numbers beyond 2^53). */
  readonly paramsText?: string
  /** `raw`: a manually written text, unchanged and possibly invalid. */
  readonly kind: 'request' | 'notification' | 'raw'
  /** For a raw step. */
  readonly text?: string
  /** The frame of its request, if recorded. */
  readonly seq?: Seq
  /** ms since the trace began. */
  readonly at?: number
  readonly recorded?: Outcome
  readonly answers?: readonly RecordedAnswer[]
  readonly expect?: readonly Expectation[]
  readonly take?: readonly Taking[]
  /** `{{name}}` in its parameters is a variable; without this, it is literal text. */
  readonly templated?: true
  readonly skip?: boolean
  /** Number of runs; default 1. */
  readonly repeat?: number
}
