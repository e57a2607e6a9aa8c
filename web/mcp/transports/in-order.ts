/** Long messages are parsed asynchronously: what arrives meanwhile waits, so that nothing overtakes. */
export class InOrder {
  /** What arrived while a long message is parsed; absent when none is. */
  #waiting: (() => void)[] | undefined

  /** @param happen returns a promise while it parses */
  run(happen: () => void | Promise<unknown>): void {
    if (this.#waiting) return void this.#waiting.push(() => this.run(happen))
    const reading = happen()
    if (!reading) return
    this.#waiting = []
    void reading.then(() => {
      const waiting = this.#waiting ?? []
      this.#waiting = undefined
      for (const next of waiting) next()
    })
  }
}
