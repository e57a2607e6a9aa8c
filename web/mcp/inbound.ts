/**
 * The server's own requests: each gets exactly one answer (BP-13), what nobody handles gets -32601, and `ping` is
 * answered at any time, before the handshake is over too (UT-PING-01).
 */
import { messageOf, ProtocolError } from './errors.ts'
import type { JsonObject } from './frame.ts'
import { ErrorCode, idKey, isObject, type RequestId } from './jsonrpc.ts'

/** Answers one of the server's requests. May throw ProtocolError to refuse. */
export type Answer = (params: JsonObject, signal: AbortSignal) => JsonObject | Promise<JsonObject>
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

  receive(request: JsonObject): void {
    void this.#answer(request.id as RequestId, request.method as string, isObject(request.params) ? request.params : {})
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

  async #answer(id: RequestId, method: string, params: JsonObject): Promise<void> {
    const handler = Object.hasOwn(this.#answers, method) ? this.#answers[method] : undefined
    const key = idKey(id)
    const controller = new AbortController()
    let outcome: JsonObject
    try {
      if (!handler) throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
      if (this.#open.size >= MOST_OPEN) throw new ProtocolError(ErrorCode.InternalError, 'Too many requests at once')
      this.#open.set(key, controller)
      outcome = { result: await handler(params, controller.signal) }
    } catch (error) {
      const code = error instanceof ProtocolError ? error.code : ErrorCode.InternalError
      const data = error instanceof ProtocolError ? error.data : undefined
      outcome = { error: { code, message: messageOf(error), ...(data === undefined ? {} : { data }) } }
    }
    if (controller.signal.aborted) return
    // A server may use an id twice at once: the other question stays open.
    if (this.#open.get(key) === controller) this.#open.delete(key)
    // An answer that cannot be delivered is in the Trace as a failed HTTP exchange or an ended process.
    await this.#send({ jsonrpc: '2.0', id, ...outcome }).catch(() => {})
  }
}
