/**
 * A question of the server's (sampling, elicitation, roots), whatever road it came by: a request of its own, an
 * `input_required` result, or a task that asks for input. Whoever shows or answers it does not notice the difference.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import type { Component } from 'svelte'
import type { ErrorObject, JsonObject, Link, Seq } from '../../mcp/index.ts'
import type { PanelModule, ServerView } from '../feature.ts'

/** `request`: JSON-RPC request of the server. `round`: in a result that asks (MRTR-01). `task`: within a task (TEXT-07). */
export type Road = 'request' | 'round' | 'task'

/** `withdrawn`: taken back, or the call it belongs to ended. `lost`: the session ended with the question open. */
export type QuestionState = 'open' | 'answered' | 'refused' | 'withdrawn' | 'lost'

/** Read from the Trace: the same for a live session and a recording. */
export interface Question {
  /** Unique in one trace. */
  readonly id: string
  readonly link: Link
  readonly road: Road
  readonly method: string
  readonly params: JsonObject
  /** The frame that asks: the request, or the result or notification it stands in. */
  readonly seq: Seq
  /** Its key among the questions of one result or task. */
  readonly key?: string
  /** The task it is about, whatever road it came by (TASK-07, TEXT-07). */
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

/** Longest part of a server's own text that an id holds as it is. */
const TEXT_IN_ID = 60

/** The id of a request. @param at which of the requests of a batch; 0 where it travelled alone */
export const requestQuestionId = (seq: Seq, at = 0): string => (at === 0 ? `${seq}` : `${seq}-${at}`)

/** The id of a question in a result that asks. @param request the frame of the request that this result answers */
export const roundQuestionId = (request: Seq, key: string): string => `${request}.${mark(key)}`

/** The id of a question within a task. */
export const taskQuestionId = (link: Link, task: string, key: string): string => `${link}.${mark(task)}.${mark(key)}`

/** A server may name things as long as it likes; an id stays short, and stands for the whole name. */
const mark = (text: string): string => {
  const plain = encodeURIComponent(text.slice(0, TEXT_IN_ID).toWellFormed())
  if (text.length <= TEXT_IN_ID) return plain.replaceAll('.', '%2E')
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return `${plain.replaceAll('.', '%2E')}~${text.length}~${(hash >>> 0).toString(36)}`
}

/** What the screen of one question is given. */
export interface QuestionProps {
  readonly server: ServerView
  readonly question: Question
  /**
   * Sends the result; absent where nothing can be sent any more (answered, withdrawn, a recording): all is then shown,
   * and nothing can be changed.
   */
  readonly answer?: (result: JsonObject) => void
  /** Refuses with a JSON-RPC error, such as -1 for a sampling request its user rejects (CF-SAMP). */
  readonly refuse?: (error: ErrorObject) => void
}

export interface QuestionModule {
  readonly default: Component<QuestionProps>
}

/** How a feature answers one method of the server's. */
export interface Answering {
  /** The screen of the question: in the call that caused it, in the task, and in the Inbox. */
  readonly view: () => Promise<QuestionModule>
  /** A few words about what is asked, for lists; at most 200 characters are shown. */
  readonly gist: (params: JsonObject) => string
  /**
   * Answers without its user, where they allowed that beforehand; `undefined`, at once or later: ask them.
   * @throws {ProtocolError} to refuse
   */
  readonly auto?: (
    question: Question,
    server: ServerView,
    signal: AbortSignal,
  ) => JsonObject | Promise<JsonObject | undefined> | undefined
  /**
   * How this server's questions of the method are answered when nobody is asked: shown in the Inbox, so that it can be
   * seen and ended while no question is there.
   */
  readonly settings?: () => Promise<PanelModule>
  /** Whether it answers this server by itself now: said wherever the way to the settings is. */
  readonly ruled?: (server: ServerView) => { readonly current: boolean; subscribe(listener: () => void): () => void }
}
