/**
 * Handles server requests: each gets exactly one response (BP-13), unsupported methods get -32601, and `ping` gets a
 * response at any time, even before the handshake is complete (UT-PING-01). They arrive as requests, as tasks
 * (`hosted-tasks.ts`), or inside a result that requires input (`input-required.ts`); handlers don't notice the difference.
 */
import { messageOf, ProtocolError } from './errors.ts'
import type { Json, JsonObject, Seq } from './frame.ts'
import { HostedTasks, type Outcome } from './hosted-tasks.ts'
import { ErrorCode, idKey, isObject, type RequestId } from './jsonrpc.ts'

/** Where a server request came from. */
export interface Asking {
  /** Aborted when the server cancels it, or the call it belongs to ends. */
  readonly signal: AbortSignal
  /** The frame of the request itself, or of the call whose result contains it. */
  readonly call?: Seq | undefined
  /** Its own ID if it arrived as a request: a batch may hold several. */
  readonly id?: RequestId
  /** Its key among the input requests of one result or task. */
  readonly key?: string
  /** The task that sent it. */
  readonly task?: string
}

/** Handles a server request. May throw ProtocolError to refuse. */
type Answer = (params: JsonObject, signal: AbortSignal, asking: Asking) => JsonObject | Promise<JsonObject>
export type Answers = Readonly<Record<string, Answer>>

/** Further simultaneous requests are refused: a flood must not fill the page. */
const MOST_OPEN = 1000

export class ServerRequests {
  readonly #answers: Answers
  readonly #send: (message: JsonObject) => Promise<void>
  readonly #open = new Map<string, AbortController>()
  readonly #tasks: HostedTasks

  /** @param tasks the `tasks` capability that was declared to this server; `undefined`: none */
  constructor(
    answers: Answers,
    send: (message: JsonObject) => Promise<void>,
    tasks: () => Json | undefined = () => undefined,
  ) {
    this.#answers = { ping: () => ({}), ...answers }
    // A message that can't be delivered is in the Trace as a failed HTTP exchange or an ended process.
    this.#send = (message) => send({ jsonrpc: '2.0', ...message }).catch(() => {})
    this.#tasks = new HostedTasks({
      declared: tasks,
      notify: (method, params) => void this.#send({ method, params }),
    })
  }

  /** @param settled called once, when the request and its task are no longer pending */
  receive(request: JsonObject, seq: Seq, settled: () => void = () => {}): void {
    const params = isObject(request.params) ? request.params : {}
    const [id, method] = [request.id as RequestId, request.method as string]
    if (this.#tasks.takes(method, params)) void this.#host(id, method, params, seq, settled)
    else void this.#answer(id, method, params, seq, settled)
  }

  /** @throws {ProtocolError} -32601 if no handler exists for the method; or whatever the handler throws */
  async ask(method: string, params: JsonObject, asking: Asking): Promise<JsonObject> {
    const handler = Object.hasOwn(this.#answers, method) ? this.#answers[method] : undefined
    if (!handler) throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
    return await handler(params, asking.signal, asking)
  }

  /** UT-CANC-07: the server cancels its request, which then gets no response. */
  cancel(id: RequestId): void {
    this.#open.get(idKey(id))?.abort()
    this.#open.delete(idKey(id))
  }

  close(): void {
    for (const controller of this.#open.values()) controller.abort()
    this.#open.clear()
    this.#tasks.close()
  }

  async #answer(id: RequestId, method: string, params: JsonObject, seq: Seq, settled: () => void): Promise<void> {
    const key = idKey(id)
    const controller = new AbortController()
    controller.signal.addEventListener('abort', settled)
    const outcome = await outcomeOf(() => {
      if (this.#open.size >= MOST_OPEN) throw new ProtocolError(ErrorCode.InternalError, 'Too many requests at once')
      this.#open.set(key, controller)
      if (this.#tasks.serves(method)) return this.#tasks.answer(method, params)
      return this.ask(method, params, { signal: controller.signal, call: seq, id })
    })
    if (controller.signal.aborted) return
    settled()
    // A server may use an ID twice at once: the other request stays open.
    if (this.#open.get(key) === controller) this.#open.delete(key)
    await this.#send({ id, ...outcome })
  }

  /** Responds with a task at once, and then lets the handler run (TASK-13). */
  async #host(id: RequestId, method: string, params: JsonObject, seq: Seq, settled: () => void): Promise<void> {
    let task: ReturnType<HostedTasks['create']> | undefined
    const created = await outcomeOf(() => (task = this.#tasks.create(params)).result)
    const delivered = this.#send({ id, ...created })
    if (task) {
      await this.#tasks.run(task.id, delivered, (signal) =>
        outcomeOf(() => this.ask(method, params, { signal, call: seq, id })),
      )
    }
    settled()
  }
}

/** Never rejects: what a handler throws becomes the error of the response (BP-38). */
const outcomeOf = async (work: () => JsonObject | Promise<JsonObject>): Promise<Outcome> => {
  try {
    return { result: await work() }
  } catch (error) {
    const code = error instanceof ProtocolError ? error.code : ErrorCode.InternalError
    const data = error instanceof ProtocolError ? error.data : undefined
    return { error: { code, message: messageOf(error), ...(data === undefined ? {} : { data }) } }
  }
}
