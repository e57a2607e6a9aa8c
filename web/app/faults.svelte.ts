/** The banner at the top until it is dismissed: an internal error of Periscope, or a notice. */
import { messageOf } from '../mcp/index.ts'

interface Fault {
  readonly message: string
  readonly stack?: string
  /** A notice for the user rather than an error. */
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
