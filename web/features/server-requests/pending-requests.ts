/**
 * Server requests that wait for the user, or that rules answer automatically. One registry for all servers. Requests
 * and responses are read from the Trace; this only holds what is pending.
 */
import { isObject, isRequestId, messageOf, ProtocolError, refusalOf, Signal } from '../../mcp/index.ts'
import type { Answers, Asking, ErrorObject, Json, JsonObject, Link, Projection, Seq, Trace } from '../../mcp/index.ts'
import type { ScriptedAnswers } from '../../replay/index.ts'
import type { Answering, ServerRequests, ServerView } from '../feature.ts'
import type { ServerRequest, Waiting } from '../server-request.ts'
import { type ServerRequestLog, plainRequestId, roundRequestId, taskRequestId } from './request-log.ts'

export interface PendingRequestsOptions {
  readonly trace: Pick<Trace, 'at' | 'elapsed'>
  readonly log: Pick<Projection<ServerRequestLog>, 'current'>
  /** By method. The session rejects other methods with -32601. */
  readonly answering: Readonly<Record<string, Answering>>
  /** All servers, in any state. */
  readonly servers: () => readonly ServerView[]
}

interface Entry {
  waiting: Waiting
  readonly result: Promise<JsonObject>
  readonly settle: (outcome: { readonly result: JsonObject } | { readonly error: Error }) => void
}

/** The interface documents the members. */
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

  get current(): ReadonlyMap<string, Waiting> {
    return this.#current
  }

  answering(method: string): Answering | undefined {
    const { answering } = this.#options
    return Object.hasOwn(answering, method) ? answering[method] : undefined
  }

  get methods(): readonly string[] {
    return Object.keys(this.#options.answering)
  }

  serverOf(link: Link): ServerView | undefined {
    return this.#options.servers().find((server) => server.link === link)
  }

  get servers(): readonly ServerView[] {
    return this.#options.servers()
  }

  script(link: Link, answers: Pick<ScriptedAnswers, 'answer'> | undefined): void {
    if (answers) this.#scripts.set(link, answers)
    else this.#scripts.delete(link)
  }

  answersFor(server: ServerView): Answers {
    const ask =
      (method: string): Answers[string] =>
      (params, signal, asking) =>
        this.#ask(server, method, params, { ...asking, signal })
    return Object.fromEntries(this.methods.map((method) => [method, ask(method)]))
  }

  answer(id: string, result: JsonObject): boolean {
    return this.#settle(id, { result })
  }

  refuse(id: string, { code, message, data }: ErrorObject): boolean {
    return this.#settle(id, { error: new ProtocolError(code, message, data) })
  }

  #settle(id: string, outcome: Parameters<Entry['settle']>[0]): boolean {
    const entry = this.#entries.get(id)
    if (!entry) return false
    this.#entries.delete(id)
    entry.settle(outcome)
    this.#publish()
    return true
  }

  async #ask(server: ServerView, method: string, params: JsonObject, asking: Asking): Promise<JsonObject> {
    const id = this.#idOf(server.link, asking)
    asking.signal.throwIfAborted()
    const refusal = refusalOf(method, params, server.withheld ?? [], server.peer?.revision)
    if (refusal) throw refusal
    const script = this.#scripts.get(server.link)
    if (script) return script.answer(method, params, asking.key)
    // A server may send the same request twice with one id: one response serves both.
    const known = this.#entries.get(id)
    if (known) return await known.result
    const entry = entryOf({ id, link: server.link, by: 'user' })
    this.#entries.set(id, entry)
    const ended = new AbortController()
    const withdrawn = () => {
      // Another request may be pending under this id by now.
      if (this.#entries.get(id) !== entry) return
      this.#settle(id, { error: new Error('The question was withdrawn') })
    }
    asking.signal.addEventListener('abort', withdrawn)
    void this.#answerByRule(entry, server, method, params, asking, AbortSignal.any([asking.signal, ended.signal]))
    this.#publish()
    try {
      return await entry.result
    } finally {
      ended.abort()
      asking.signal.removeEventListener('abort', withdrawn)
    }
  }

  /** Responds according to the user's rule, or leaves the request to the user; the first response counts. */
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
    const request = this.#options.log.current.all.get(id) ?? this.#provisional(link, id, method, params, asking)
    // If the server rejected a response, don't send another automatically.
    if (!auto || request.notTaken) return
    const still = () => this.#entries.get(id) === entry
    const leave = (problem?: string) => {
      if (!still()) return
      entry.waiting = { id, link, by: 'user', ...(problem === undefined ? {} : { problem }) }
      this.#publish()
    }
    entry.waiting = { id, link, by: 'rule' }
    try {
      const result = await auto(request, server, signal)
      if (result === undefined) leave()
      else if (still()) this.answer(id, result)
    } catch (error) {
      // A request within a task can't be rejected with an error.
      if (error instanceof ProtocolError && request.route !== 'task' && still()) this.#settle(id, { error })
      else leave(messageOf(error))
    }
  }

  /** Used until the fold has processed the frame. */
  #provisional(link: Link, id: string, method: string, params: JsonObject, asking: Asking): ServerRequest {
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

  /** The same id that the fold computes. */
  #idOf(link: Link, { call = 0, id, key, task }: Asking): string {
    if (task !== undefined) return taskRequestId(link, task, key ?? '')
    if (key !== undefined) return roundRequestId(call, key)
    return plainRequestId(call, this.#placeIn(call, id))
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

  #publish(): void {
    this.#current = new Map([...this.#entries].map(([id, { waiting }]) => [id, waiting]))
    this.#changes.emit()
  }
}

const entryOf = (waiting: Waiting): Entry => {
  let settle!: Entry['settle']
  const promise = new Promise<JsonObject>((resolve, reject) => {
    settle = (outcome) => ('result' in outcome ? resolve(outcome.result) : reject(outcome.error))
  })
  // Avoids an unhandled rejection if the caller is gone.
  promise.catch(() => {})
  return { waiting, result: promise, settle }
}
