/**
 * The calls that wait for the user's decision, of all servers, in the order they came: one dialog shows them one by one.
 */
import { Signal, type CallOrigin, type JsonObject } from '../../mcp/index.ts'
import type { Definition } from './definition.ts'
import type { AskReason, ToolPolicy } from './policy.ts'

/** `run`: this time. `approve`: from now on, while its definition stays as it is. `trust`: all tools of the server. */
export type Decision = 'run' | 'approve' | 'trust' | 'decline'

export interface CallQuestion {
  readonly id: number
  /** As the window names it. */
  readonly server: string
  /** Absent if the text leaves open which tool it calls. */
  readonly tool?: string
  readonly params?: JsonObject
  readonly origin: CallOrigin
  readonly policy: ToolPolicy
  readonly why: AskReason
  /** The definition as listed now; empty if the tool isn't listed. */
  readonly definition: Definition
  /** The approved definition, if it changed since. */
  readonly before?: Definition
}

interface Entry {
  readonly question: CallQuestion
  readonly decide: (decision: Decision | 'withdrawn') => void
}

export class CallQuestions {
  readonly #entries = new Map<number, Entry>()
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe
  #last = 0
  #current: readonly CallQuestion[] = []

  /** Oldest first. Replaced by a new array on each change. */
  get current(): readonly CallQuestion[] {
    return this.#current
  }

  /** @param signal aborted when the call is no longer wanted */
  async ask(question: Omit<CallQuestion, 'id'>, signal: AbortSignal): Promise<Decision | 'withdrawn'> {
    if (signal.aborted) return 'withdrawn'
    const id = ++this.#last
    return await new Promise((resolve) => {
      const decide = (decision: Decision | 'withdrawn') => {
        if (!this.#entries.delete(id)) return
        signal.removeEventListener('abort', withdraw)
        this.#publish()
        resolve(decision)
      }
      const withdraw = () => decide('withdrawn')
      signal.addEventListener('abort', withdraw)
      this.#entries.set(id, { question: { ...question, id }, decide })
      this.#publish()
    })
  }

  /** Does nothing if the question is no longer pending. */
  decide(id: number, decision: Decision): void {
    this.#entries.get(id)?.decide(decision)
  }

  #publish(): void {
    this.#current = [...this.#entries.values()].map(({ question }) => question)
    this.#changes.emit()
  }
}
