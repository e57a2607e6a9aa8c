/** Runs writes one after another, in the order they were added. */
export class WriteQueue {
  #last: Promise<void> | undefined

  /** Runs at once if the queue is empty. Errors are ignored: a failing recording must not stop the traffic. */
  run(write: () => void | Promise<void>): void {
    if (this.#last) {
      this.#follow(this.#last.then(write))
      return
    }
    try {
      const writing = write()
      if (writing) this.#follow(writing)
    } catch {
      // Ignored: a failing recording must not stop the traffic.
    }
  }

  async settled(): Promise<void> {
    while (this.#last) await this.#last
  }

  #follow(writing: Promise<void>): void {
    const done: Promise<void> = writing
      .catch(() => {})
      .then(() => {
        if (this.#last === done) this.#last = undefined
      })
    this.#last = done
  }
}
