/**
 * A request from the server (sampling, elicitation, roots), from any source: a JSON-RPC request, an `input_required`
 * result, or a task that needs input. It is shown and answered the same way in each case.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import type { ErrorObject, JsonObject, Link, Seq } from '../mcp/index.ts'

/** `request`: a JSON-RPC request. `round`: in an `input_required` result (MRTR-01). `task`: within a task (TEXT-07). */
export type Route = 'request' | 'round' | 'task'

/** `withdrawn`: cancelled, or the call it belongs to ended. `lost`: the session ended before it was answered. */
export type ServerRequestState = 'open' | 'answered' | 'refused' | 'withdrawn' | 'lost'

/** Read from the Trace: the same for a live session and a recording. */
export interface ServerRequest {
  /** Unique in one trace. */
  readonly id: string
  readonly link: Link
  readonly route: Route
  readonly method: string
  readonly params: JsonObject
  /** The frame that contains it: the request, or a result or notification. */
  readonly seq: Seq
  /** Its key in `inputRequests` of a result or task. */
  readonly key?: string
  /** The task it belongs to, from any source (TASK-07, TEXT-07). */
  readonly task?: string
  /** The task as which this client runs it (TASK-13): the server has got the id of the task instead of a response. */
  readonly hosted?: string
  /** Our call that it belongs to, by the frame of its first request; absent if unknown. */
  readonly call?: Seq
  /**
   * If the call is unknown: the calls it may belong to, by the frames of their first requests. Each of them waits for
   * it.
   */
  readonly candidates?: readonly Seq[]
  /** ms since the trace began. */
  readonly at: number
  readonly state: ServerRequestState
  /** The frame that carries the response, and the response. A hosted task has it once the server has loaded it. */
  readonly answered?: { readonly seq: Seq; readonly at: number } & (
    | { readonly result: JsonObject }
    | { readonly error: ErrorObject }
  )
  /** When it ended without a response, or its hosted task ended. */
  readonly ended?: number
  /** Why it ended without a response, as reported by the side that ended it. */
  readonly explanation?: string
  /** The server rejected the last response (TEXT-07) and requests another. */
  readonly notTaken?: ErrorObject
  /** Its parameters and response were released to keep the trace within its memory budget. */
  readonly released?: true
}

/** A pending server request. */
export interface Waiting {
  readonly id: string
  readonly link: Link
  /** `rule`: a rule is responding; the user may respond first. */
  readonly by: 'user' | 'rule'
  /** Why the rule didn't respond. */
  readonly problem?: string
}
