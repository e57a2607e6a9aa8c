/**
 * The server's questions: each gets exactly one answer (BP-13), what nobody handles gets -32601, and `ping` is
 * answered at any time, before the handshake is over too (UT-PING-01). They arrive as requests, or inside a result
 * that asks for input (2026-07-28): whoever answers does not notice the difference.
 */
import { messageOf, ProtocolError } from './errors.ts'
import type { JsonObject, Seq } from './frame.ts'
import { ErrorCode, idKey, isObject, type RequestId } from './jsonrpc.ts'

/** Where a question came from. */
export interface Asking {
  /** Aborted when the server takes it back, or the call it belongs to ends. */
  readonly signal: AbortSignal
  /** The frame of the question itself (a request), or of the call whose result asks. */
  readonly call?: Seq | undefined
  /** Its own id, where it came as a request: a batch may hold several. */
  readonly id?: RequestId
  /** Its key among the questions of one result, or of one task. */
  readonly key?: string
  /** The task that asks. */
  readonly task?: string
}

/** Answers one of the server's questions. May throw ProtocolError to refuse. */
export type Answer = (params: JsonObject, signal: AbortSignal, asking: Asking) => JsonObject | Promise<JsonObject>
export type Answers = Readonly<Record<string, Answer>>

/** More questions than this at once are refused: a flood must not fill the page. */
const MOST_OPEN = 1000

export class AnswerDesk {
  readonly #answers: Answers
  readonly #send: (message: JsonObject) => Promise<void>
  readonly #open = new Map<string, AbortController>()

  constructor(answers: Answers, send: (message: JsonObject) => Promise<void>) {
    this.#answers = { ping: () => ({}), ...answers }
    this.#send = send
  }

  /** @param settled told once, as soon as nobody is asked any more */
  receive(request: JsonObject, seq: Seq, settled: () => void = () => {}): void {
    const params = isObject(request.params) ? request.params : {}
    void this.#answer(request.id as RequestId, request.method as string, params, seq, settled)
  }

  /** @throws {ProtocolError} -32601 where nothing handles the method, or whatever the handler throws */
  async ask(method: string, params: JsonObject, asking: Asking): Promise<JsonObject> {
    const handler = Object.hasOwn(this.#answers, method) ? this.#answers[method] : undefined
    if (!handler) throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
    return await handler(params, asking.signal, asking)
  }

  /** UT-CANC-07: the server takes its question back; it gets no answer then. */
  cancel(id: RequestId): void {
    this.#open.get(idKey(id))?.abort()
    this.#open.delete(idKey(id))
  }

  close(): void {
    for (const controller of this.#open.values()) controller.abort()
    this.#open.clear()
  }

  async #answer(id: RequestId, method: string, params: JsonObject, seq: Seq, settled: () => void): Promise<void> {
    const key = idKey(id)
    const controller = new AbortController()
    controller.signal.addEventListener('abort', settled)
    let outcome: JsonObject
    try {
      if (this.#open.size >= MOST_OPEN) throw new ProtocolError(ErrorCode.InternalError, 'Too many requests at once')
      this.#open.set(key, controller)
      outcome = { result: await this.ask(method, params, { signal: controller.signal, call: seq, id }) }
    } catch (error) {
      const code = error instanceof ProtocolError ? error.code : ErrorCode.InternalError
      const data = error instanceof ProtocolError ? error.data : undefined
      outcome = { error: { code, message: messageOf(error), ...(data === undefined ? {} : { data }) } }
    }
    if (controller.signal.aborted) return
    settled()
    // A server may use an id twice at once: the other question stays open.
    if (this.#open.get(key) === controller) this.#open.delete(key)
    // An answer that cannot be delivered is in the Trace as a failed HTTP exchange or an ended process.
    await this.#send({ jsonrpc: '2.0', id, ...outcome }).catch(() => {})
  }
}
