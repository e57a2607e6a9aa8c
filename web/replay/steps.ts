/**
 * The steps of a session: what its user did, in order, with what came of it. They are what is sent again, expected,
 * shared without answers, and collected.
 */
import type { ErrorObject, Json, JsonObject, Link, Seq } from '../mcp/index.ts'

export type Ending = 'cancelled' | 'timeout' | 'lost'

/** What came of a step when it was recorded. */
export type Outcome = { readonly took: number } & (
  { readonly result: JsonObject } | { readonly error: ErrorObject } | { readonly ended: Ending }
)

/** A question of the server's that a step caused, and what was answered then. */
export interface RecordedAnswer {
  readonly method: string
  readonly params: JsonObject
  /** Its key among the questions of one result. */
  readonly key?: string
  readonly result?: JsonObject
  readonly error?: ErrorObject
}

/** A value taken from an answer, to be used as `{{name}}` by what comes later. */
export interface Taking {
  readonly name: string
  /** JSON pointer (RFC 6901) into the result. */
  readonly pointer: string
}

/** What must hold of the answer of a step. */
export type Expectation =
  | { readonly kind: 'status'; readonly status: 'ok' | 'tool-error' | 'error'; readonly code?: number }
  | { readonly kind: 'equals'; readonly pointer: string; readonly value: Json }
  | { readonly kind: 'matches'; readonly pointer?: string; readonly schema: JsonObject }
  | { readonly kind: 'contains'; readonly text: string }
  /** ms. */
  | { readonly kind: 'under'; readonly limit: number }
  /** No finding of level MUST in what the step caused. */
  | { readonly kind: 'no-must' }

export interface Step {
  /** Unique among the steps of a file. */
  readonly id: string
  readonly name?: string
  /** Under which it stands in a collection. */
  readonly group?: string
  readonly link: Link
  readonly method: string
  readonly params?: JsonObject
  /** The exact text of `params`, where parsing it loses something (numbers beyond 2^53). */
  readonly paramsText?: string
  /** `raw`: a text sent by hand, as it was, wrong perhaps. */
  readonly kind: 'request' | 'notification' | 'raw'
  /** Of a raw one. */
  readonly text?: string
  /** The frame of its request, where it was recorded. */
  readonly seq?: Seq
  /** ms since the trace began. */
  readonly at?: number
  readonly recorded?: Outcome
  readonly answers?: readonly RecordedAnswer[]
  readonly expect?: readonly Expectation[]
  readonly take?: readonly Taking[]
  /** `{{name}}` in its parameters is a variable; without this it is the text that somebody once sent. */
  readonly templated?: true
  readonly skip?: boolean
  /** How many times; default 1. */
  readonly repeat?: number
}
