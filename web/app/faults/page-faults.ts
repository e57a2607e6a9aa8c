/** The faults chosen for each connection. In memory only: no link, no file and no reload switches them on. */
import type { FaultInjection, FaultSettings } from '../../faults/index.ts'
import { Signal, type InterferenceSlot } from '../../mcp/index.ts'

export class FaultChoice {
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe
  #settings: FaultSettings | undefined
  #injection: FaultInjection | undefined
  /** What the transport of the connection looks into. */
  readonly slot: InterferenceSlot

  constructor() {
    const injection = () => this.#injection
    this.slot = {
      get current() {
        return injection()
      },
    }
  }

  /** `undefined`: off. */
  get current(): FaultSettings | undefined {
    return this.#settings
  }

  /** From now on, also while it is connected. @param injection only needed the first time */
  turnOn(settings: FaultSettings, injection: () => FaultInjection): void {
    this.#injection ??= injection()
    this.#injection.set(settings)
    this.#settings = settings
    this.#changes.emit()
  }

  turnOff(): void {
    this.#injection?.set(undefined)
    this.#settings = undefined
    this.#changes.emit()
  }

  /** Call it for each new connection. Resets the counters, so that a run can be repeated. */
  begin(): void {
    this.#injection?.begin()
  }
}

class PageFaults {
  readonly #choices = new WeakMap<object, FaultChoice>()

  /** @param draft the form of a connection, which lives as long as it does */
  of(draft: object): FaultChoice {
    const known = this.#choices.get(draft)
    if (known) return known
    const choice = new FaultChoice()
    this.#choices.set(draft, choice)
    return choice
  }
}

export const pageFaults = new PageFaults()
