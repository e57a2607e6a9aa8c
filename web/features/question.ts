/**
 * A question of the server's (sampling, elicitation, roots), whatever route it came by: a request of its own, an
 * `input_required` result, or a task that asks for input. Whoever shows or answers it does not notice the difference.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import type { ErrorObject, JsonObject, Link, Seq } from '../mcp/index.ts'

/** `request`: JSON-RPC request of the server. `round`: in a result that asks (MRTR-01). `task`: within a task (TEXT-07). */
export type Route = 'request' | 'round' | 'task'

/** `withdrawn`: taken back, or the call it belongs to ended. `lost`: the session ended with the question open. */
export type QuestionState = 'open' | 'answered' | 'refused' | 'withdrawn' | 'lost'

/** Read from the Trace: the same for a live session and a recording. */
export interface Question {
  /** Unique in one trace. */
  readonly id: string
  readonly link: Link
  readonly route: Route
  readonly method: string
  readonly params: JsonObject
  /** The frame that asks: the request, or the result or notification it stands in. */
  readonly seq: Seq
  /** Its key among the questions of one result or task. */
  readonly key?: string
  /** The task it is about, whatever route it came by (TASK-07, TEXT-07). */
  readonly task?: string
  /** Our call it belongs to, by the frame of its first request; absent where nothing tells. */
  readonly call?: Seq
  /** Where nothing tells: the calls it may belong to, by the frames of their first requests. Each of them waits for it. */
  readonly candidates?: readonly Seq[]
  /** ms since the trace began. */
  readonly at: number
  readonly state: QuestionState
  /** The frame that carries the answer, and what was answered. */
  readonly answered?: { readonly seq: Seq; readonly at: number } & (
    { readonly result: JsonObject } | { readonly error: ErrorObject }
  )
  /** When it ended without an answer. */
  readonly ended?: number
  /** Why it ended without an answer, in the words of whoever ended it. */
  readonly explanation?: string
  /** The server did not take the last answer (TEXT-07), and asks again. */
  readonly notTaken?: ErrorObject
  /** What it asked and what was answered went, to keep the trace within its byte budget. */
  readonly released?: true
}

/** A question that somebody waits for. */
export interface Waiting {
  readonly id: string
  readonly link: Link
  /** `rule`: it is being answered without its user, who may still be faster. */
  readonly by: 'user' | 'rule'
  /** Why it was not answered by itself, though it might have been. */
  readonly problem?: string
}
