/** A map with a size limit that drops its oldest entry: the peer decides how many entries there are. */
export class Recent<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #most: number
  readonly #keep: (value: Value) => boolean
  #forgot = false

  /** @param keep entries to retain longer than older ones that are no longer needed */
  constructor(most: number, keep: (value: Value) => boolean = () => false) {
    this.#most = most
    this.#keep = keep
  }

  /** An entry was dropped, so a missing key proves nothing. */
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
    // Move a few entries that are still needed to the end; if all are needed, drop the oldest anyway.
    for (let tries = 0; this.#entries.size > this.#most; tries++) {
      const [oldest, held] = this.#entries.entries().next().value!
      this.#entries.delete(oldest)
      if (tries < 8 && this.#keep(held)) this.#entries.set(oldest, held)
      else this.#forgot = true
    }
  }

  some(test: (value: Value) => boolean): boolean {
    for (const value of this.#entries.values()) if (test(value)) return true
    return false
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  /** Records that an entry was never added, so a missing key proves nothing. */
  missed(): void {
    this.#forgot = true
  }

  clear(): void {
    this.#entries.clear()
    this.#forgot = false
  }
}
