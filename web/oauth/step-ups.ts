/** Requests that want more than the tokens grant: all wait for one decision of their user (AU-SCOPE-03). */
import type { StepUp } from './credential.ts'

export interface AskedStepUp extends StepUp {
  /** The scopes asked for so far (AU-SCOPE-04). */
  readonly held: string | undefined
}

export class StepUps {
  readonly #changed: () => void
  #asked:
    | { readonly stepUp: AskedStepUp; readonly over: Promise<boolean>; readonly decide: (granted: boolean) => void }
    | undefined

  constructor(changed: () => void) {
    this.#changed = changed
  }

  get current(): AskedStepUp | undefined {
    return this.#asked?.stepUp
  }

  /** @param signal aborted when the request is not waited for any more */
  async ask(stepUp: AskedStepUp, signal: AbortSignal): Promise<boolean> {
    if (this.#asked) return await this.#asked.over
    let resolve!: (granted: boolean) => void
    const over = new Promise<boolean>((settle) => (resolve = settle))
    const decide = (granted: boolean) => {
      signal.removeEventListener('abort', gone)
      if (this.#asked?.over === over) this.#asked = undefined
      this.#changed()
      resolve(granted)
    }
    const gone = () => decide(false)
    signal.addEventListener('abort', gone)
    this.#asked = { stepUp, over, decide }
    this.#changed()
    return await over
  }

  decide(granted: boolean): void {
    this.#asked?.decide(granted)
  }
}
