/** The sample server's own requests to the client, until each is answered. */
import { isObject } from '../mcp/index.ts'
import type { JsonObject } from '../mcp/index.ts'

export type Reply = { readonly result: JsonObject } | { readonly error: JsonObject }

export class Questions {
  readonly #post: (message: JsonObject) => void
  readonly #open = new Map<string, (reply: Reply) => void>()
  #asked = 0

  constructor(post: (message: JsonObject) => void) {
    this.#post = post
  }

  /** @throws what `signal` was aborted with; the question is taken back then (UT-CANC-01) */
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<Reply> {
    const id = `sample-${++this.#asked}`
    return new Promise((resolve, reject) => {
      const stop = () => {
        if (!this.#open.delete(id)) return
        this.#post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
        reject(new Error('cancelled'))
      }
      signal.addEventListener('abort', stop, { once: true })
      this.#open.set(id, (reply) => {
        signal.removeEventListener('abort', stop)
        resolve(reply)
      })
      this.#post({ jsonrpc: '2.0', id, method, params })
    })
  }

  /** An answer to a question that was never asked is nobody's business. */
  answered(message: JsonObject): void {
    const { id, result, error } = message
    if (typeof id !== 'string') return
    const resolve = this.#open.get(id)
    if (!resolve) return
    this.#open.delete(id)
    resolve(isObject(result) ? { result } : { error: isObject(error) ? error : {} })
  }
}
