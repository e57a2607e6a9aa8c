/**
 * Requests from servers that wait for their user, or are answered by rules the user set beforehand. One for all servers; what
 * was asked and answered is read from the Trace, and here is only who still waits for the answer.
 */
import { isObject, isRequestId, messageOf, ProtocolError, Signal } from '../../mcp/index.ts'
import type { Answers, Asking, ErrorObject, Json, JsonObject, Link, Projection, Seq, Trace } from '../../mcp/index.ts'
import type { ScriptedAnswers } from '../../replay/index.ts'
import type { Answering, ServerRequests, ServerView } from '../feature.ts'
import type { Question, Waiting } from '../question.ts'
import type { Questions } from './request-log.ts'
import { requestQuestionId, roundQuestionId, taskQuestionId } from './question-id.ts'

export interface PendingRequestsOptions {
  readonly trace: Pick<Trace, 'at' | 'elapsed'>
  readonly questions: Pick<Projection<Questions>, 'current'>
  /** By method: what nobody answers here is refused with -32601 by whoever asked. */
  readonly answering: Readonly<Record<string, Answering>>
  /** All servers there are, whatever their state. */
  readonly servers: () => readonly ServerView[]
}

interface Entry {
  waiting: Waiting
  readonly result: Promise<JsonObject>
  readonly settle: (outcome: { readonly result: JsonObject } | { readonly error: Error }) => void
}

export class PendingRequests implements ServerRequests {
  readonly #options: PendingRequestsOptions
  readonly #entries = new Map<string, Entry>()
  readonly #scripts = new Map<Link, Pick<ScriptedAnswers, 'answer'>>()
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe
  #current: ReadonlyMap<string, Waiting> = new Map()

  constructor(options: PendingRequestsOptions) {
    this.#options = options
  }

  /** Who waits for an answer, by the id of the question. Another map after each change. */
  get current(): ReadonlyMap<string, Waiting> {
    return this.#current
  }

  /** How questions of a method are shown and answered; `undefined`: by nothing. */
  answering(method: string): Answering | undefined {
    const { answering } = this.#options
    return Object.hasOwn(answering, method) ? answering[method] : undefined
  }

  /** The methods that are answered here. */
  get methods(): readonly string[] {
    return Object.keys(this.#options.answering)
  }

  /** Of a question's link; `undefined` once it was removed. */
  serverOf(link: Link): ServerView | undefined {
    return this.#options.servers().find((server) => server.link === link)
  }

  /** All servers there are, whatever their state. */
  get servers(): readonly ServerView[] {
    return this.#options.servers()
  }

  /**
   * While a recorded call is sent again, the server's questions are answered from the recording, and nobody is asked.
   * @param answers `undefined`: the call is over
   */
  script(link: Link, answers: Pick<ScriptedAnswers, 'answer'> | undefined): void {
    if (answers) this.#scripts.set(link, answers)
    else this.#scripts.delete(link)
  }

  /** What a session with this server answers with; and whoever follows its tasks. */
  answersFor(server: ServerView): Answers {
    const ask =
      (method: string): Answers[string] =>
      (params, signal, asking) =>
        this.#ask(server, method, params, { ...asking, signal })
    return Object.fromEntries(this.methods.map((method) => [method, ask(method)]))
  }

  /** Sends the answer. @returns false where nobody waits for it any more: it was answered or withdrawn */
  answer(id: string, result: JsonObject): boolean {
    return this.#settle(id, { result })
  }

  /** Refuses with a JSON-RPC error; in a round (MRTR-10) and in a task there is none: the call, or nothing, goes on. */
  refuse(id: string, { code, message, data }: ErrorObject): boolean {
    return this.#settle(id, { error: new ProtocolError(code, message, data) })
  }

  #settle(id: string, outcome: Parameters<Entry['settle']>[0]): boolean {
    const entry = this.#entries.get(id)
    if (!entry) return false
    this.#entries.delete(id)
    entry.settle(outcome)
    this.#tell()
    return true
  }

  async #ask(server: ServerView, method: string, params: JsonObject, asking: Asking): Promise<JsonObject> {
    const id = this.#idOf(server.link, asking)
    asking.signal.throwIfAborted()
    const script = this.#scripts.get(server.link)
    if (script) return script.answer(method, params, asking.key)
    // A server may ask the same thing twice at once, with one id: one answer serves both.
    const known = this.#entries.get(id)
    if (known) return await known.result
    const entry = entryOf({ id, link: server.link, by: 'user' })
    this.#entries.set(id, entry)
    const ended = new AbortController()
    const withdrawn = () => {
      // Whoever waits under this id now may be another.
      if (this.#entries.get(id) !== entry) return
      this.#settle(id, { error: new Error('The question was withdrawn') })
    }
    asking.signal.addEventListener('abort', withdrawn)
    void this.#answerByRule(entry, server, method, params, asking, AbortSignal.any([asking.signal, ended.signal]))
    this.#tell()
    try {
      return await entry.result
    } finally {
      ended.abort()
      asking.signal.removeEventListener('abort', withdrawn)
    }
  }

  /** Answers as its user allowed beforehand, or leaves it to them; whoever is first has answered. */
  async #answerByRule(
    entry: Entry,
    server: ServerView,
    method: string,
    params: JsonObject,
    asking: Asking,
    signal: AbortSignal,
  ): Promise<void> {
    const auto = this.answering(method)?.auto
    const { id, link } = entry.waiting
    const question = this.#options.questions.current.all.get(id) ?? this.#questionOf(link, id, method, params, asking)
    // An answer that was not taken is not given a second time by itself.
    if (!auto || question.notTaken) return
    const still = () => this.#entries.get(id) === entry
    const leave = (problem?: string) => {
      if (!still()) return
      entry.waiting = { id, link, by: 'user', ...(problem === undefined ? {} : { problem }) }
      this.#tell()
    }
    entry.waiting = { id, link, by: 'rule' }
    try {
      const result = await auto(question, server, signal)
      if (result === undefined) leave()
      else if (still()) this.answer(id, result)
    } catch (error) {
      // Within a task there is no way to refuse.
      if (error instanceof ProtocolError && question.route !== 'task' && still()) this.#settle(id, { error })
      else leave(messageOf(error))
    }
  }

  /** The fold may hear of the frame a moment later than whoever is asked. */
  #questionOf(link: Link, id: string, method: string, params: JsonObject, asking: Asking): Question {
    const { call, key, task } = asking
    const route = task !== undefined ? 'task' : key !== undefined ? 'round' : 'request'
    return {
      id,
      link,
      route,
      method,
      params,
      seq: call ?? 0,
      at: this.#options.trace.elapsed,
      state: 'open',
      ...(key === undefined ? {} : { key }),
      ...(task === undefined ? {} : { task }),
      ...(route === 'request' || call === undefined ? {} : { call }),
    }
  }

  /** The same that the fold gives it. */
  #idOf(link: Link, { call = 0, id, key, task }: Asking): string {
    if (task !== undefined) return taskQuestionId(link, task, key ?? '')
    if (key !== undefined) return roundQuestionId(call, key)
    return requestQuestionId(call, this.#placeIn(call, id))
  }

  #placeIn(seq: Seq, id: Asking['id']): number {
    const frame = this.#options.trace.at(seq)
    const message = frame?.kind === 'message' ? frame.message : undefined
    if (!Array.isArray(message) || !isRequestId(id)) return 0
    const at = (message as readonly Json[]).findIndex(
      (part) => isObject(part) && part.id === id && typeof part.method === 'string',
    )
    return Math.max(0, at)
  }

  #tell(): void {
    this.#current = new Map([...this.#entries].map(([id, { waiting }]) => [id, waiting]))
    this.#changes.emit()
  }
}

const entryOf = (waiting: Waiting): Entry => {
  let settle!: Entry['settle']
  const promise = new Promise<JsonObject>((resolve, reject) => {
    settle = (outcome) => ('result' in outcome ? resolve(outcome.result) : reject(outcome.error))
  })
  // Whoever asked may have gone.
  promise.catch(() => {})
  return { waiting, result: promise, settle }
}
