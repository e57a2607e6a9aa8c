/** Requests that want more than the tokens grant: all wait for one decision of their user (AU-SCOPE-03). */
import type { StepUp } from './credential.ts'

export interface AskedStepUp extends StepUp {
  /** The scopes asked for so far (AU-SCOPE-04). */
  readonly held: string | undefined
}

export class StepUps {
  readonly #changed: () => void
  #asked: { readonly stepUp: AskedStepUp; readonly waiting: Set<(granted: boolean) => void> } | undefined

  constructor(changed: () => void) {
    this.#changed = changed
  }

  get current(): AskedStepUp | undefined {
    return this.#asked?.stepUp
  }

  /** @param signal aborted when the request is not waited for any more; with the last one nothing is left to decide */
  async ask(stepUp: AskedStepUp, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    const asked = (this.#asked ??= { stepUp, waiting: new Set() })
    this.#changed()
    return await new Promise((resolve) => {
      const decided = (granted: boolean) => {
        signal.removeEventListener('abort', gone)
        asked.waiting.delete(decided)
        resolve(granted)
      }
      const gone = () => {
        decided(false)
        if (asked.waiting.size === 0 && this.#asked === asked) this.decide(false)
      }
      signal.addEventListener('abort', gone)
      asked.waiting.add(decided)
    })
  }

  decide(granted: boolean): void {
    const asked = this.#asked
    if (!asked) return
    this.#asked = undefined
    this.#changed()
    for (const decided of [...asked.waiting]) decided(granted)
  }
}
