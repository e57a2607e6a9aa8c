/** A map that forgets its oldest entry instead of growing without end: peers decide how many there are. */
export class Recent<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #most: number
  readonly #keep: (value: Value) => boolean
  #forgot = false

  /** @param keep entries that should outlive older ones that need not be kept */
  constructor(most: number, keep: (value: Value) => boolean = () => false) {
    this.#most = most
    this.#keep = keep
  }

  /** Something was forgotten, so that what is not here may have been. */
  get forgot(): boolean {
    return this.#forgot
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    // A few that are still needed move to the end; when all are, the oldest goes all the same.
    for (let tries = 0; this.#entries.size > this.#most; tries++) {
      const [oldest, held] = this.#entries.entries().next().value!
      this.#entries.delete(oldest)
      if (tries < 8 && this.#keep(held)) this.#entries.set(oldest, held)
      else this.#forgot = true
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  /** What is not here may have been: something was left out on the way. */
  missed(): void {
    this.#forgot = true
  }

  clear(): void {
    this.#entries.clear()
    this.#forgot = false
  }
}
