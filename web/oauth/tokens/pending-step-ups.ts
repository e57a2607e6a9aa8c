/**
 * Step-up authorization: requests that need more scopes wait here for one decision of the user (AU-SCOPE-03).
 * `credential.ts` recognises `insufficient_scope` and limits the attempts.
 */
import type { StepUp } from './credential.ts'

export interface PendingStepUp extends StepUp {
  /** The scopes requested so far (AU-SCOPE-04). */
  readonly held: string | undefined
}

export class StepUps {
  readonly #changed: () => void
  #pending: { readonly stepUp: PendingStepUp; readonly waiting: Set<(granted: boolean) => void> } | undefined

  constructor(changed: () => void) {
    this.#changed = changed
  }

  get current(): PendingStepUp | undefined {
    return this.#pending?.stepUp
  }

  /** @param signal aborted when the request is cancelled; when the last request is gone, the decision is dropped */
  async ask(stepUp: PendingStepUp, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    const pending = (this.#pending ??= { stepUp, waiting: new Set() })
    this.#changed()
    return await new Promise((resolve) => {
      const decided = (granted: boolean) => {
        signal.removeEventListener('abort', gone)
        pending.waiting.delete(decided)
        resolve(granted)
      }
      const gone = () => {
        decided(false)
        if (pending.waiting.size === 0 && this.#pending === pending) this.decide(false)
      }
      signal.addEventListener('abort', gone)
      pending.waiting.add(decided)
    })
  }

  decide(granted: boolean): void {
    const pending = this.#pending
    if (!pending) return
    this.#pending = undefined
    this.#changed()
    for (const decided of [...pending.waiting]) decided(granted)
  }
}
