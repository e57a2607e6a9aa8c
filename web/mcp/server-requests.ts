/**
 * Handles server requests: each gets exactly one response (BP-13), unsupported methods get -32601, and `ping` gets a
 * response at any time, even before the handshake is complete (UT-PING-01). They arrive as requests, or inside a result
 * that requires input (`input-required.ts`); handlers don't notice the difference.
 */
import { messageOf, ProtocolError } from './errors.ts'
import type { JsonObject, Seq } from './frame.ts'
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

  constructor(answers: Answers, send: (message: JsonObject) => Promise<void>) {
    this.#answers = { ping: () => ({}), ...answers }
    this.#send = send
  }

  /** @param settled called once, when the request is no longer pending */
  receive(request: JsonObject, seq: Seq, settled: () => void = () => {}): void {
    const params = isObject(request.params) ? request.params : {}
    void this.#answer(request.id as RequestId, request.method as string, params, seq, settled)
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
    // A server may use an ID twice at once: the other request stays open.
    if (this.#open.get(key) === controller) this.#open.delete(key)
    // A response that can't be delivered is in the Trace as a failed HTTP exchange or an ended process.
    await this.#send({ jsonrpc: '2.0', id, ...outcome }).catch(() => {})
  }
}
