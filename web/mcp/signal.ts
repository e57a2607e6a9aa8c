/** A list of listeners for an event or a change. */
export class Signal<Args extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>()

  get size(): number {
    return this.#listeners.size
  }

  /** Bound, so that the owner of the signal can expose it. @returns a function that ends the subscription */
  readonly subscribe = (listener: (...args: Args) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Skips listeners added during the call, which could go on endlessly, and those just removed. */
  emit(...args: Args): void {
    for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) listener(...args)
  }

  clear(): void {
    this.#listeners.clear()
  }
}
