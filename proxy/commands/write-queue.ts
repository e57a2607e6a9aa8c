/** Things that are written down one after the other, in the order in which they were seen, although some take a while. */
export class WriteQueue {
  #last: Promise<void> | undefined

  /** At once where nothing is under way. What it throws is dropped: a fault in a recording must not stop what it records. */
  run(write: () => void | Promise<void>): void {
    if (this.#last) {
      this.#follow(this.#last.then(write))
      return
    }
    try {
      const writing = write()
      if (writing) this.#follow(writing)
    } catch {
      // See above.
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
