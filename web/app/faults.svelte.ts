/** What stands above all else until it is dismissed: a fault of our own, or a word to the user. */
import { messageOf } from '../mcp/index.ts'

interface Fault {
  readonly message: string
  readonly stack?: string
  /** Nobody's fault: something its user should know. */
  readonly notice?: true
}

export class Faults {
  #current = $state.raw<Fault>()

  get current(): Fault | undefined {
    return this.#current
  }

  report(error: unknown): void {
    const stack = error instanceof Error ? error.stack : undefined
    this.#current = { message: messageOf(error), ...(stack ? { stack } : {}) }
  }

  tell(message: string): void {
    this.#current = { message, notice: true }
  }

  dismiss(): void {
    this.#current = undefined
  }
}
