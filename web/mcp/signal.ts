/** Who is told when something happens or has changed. */
export class Signal<Args extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>()

  get size(): number {
    return this.#listeners.size
  }

  /** Bound, so that who owns the signal can offer it as its own. @returns a function that ends the subscription */
  readonly subscribe = (listener: (...args: Args) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Not told: who subscribes while others are told, which might never end, and who has just unsubscribed. */
  emit(...args: Args): void {
    for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) listener(...args)
  }

  clear(): void {
    this.#listeners.clear()
  }
}
