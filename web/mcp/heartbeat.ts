/**
 * Asks now and then whether the peer is still there (UT-PING-02). One question at a time, never faster than the answers.
 */
export class Heartbeat {
  readonly #beat: () => Promise<unknown>
  #every = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param beat asks once; its failure is told by the Trace */
  constructor(beat: () => Promise<unknown>) {
    this.#beat = beat
  }

  /** ms between an answer and the next question; 0: none. */
  get every(): number {
    return this.#every
  }

  set every(ms: number) {
    this.#every = ms
    clearTimeout(this.#timer)
    this.#schedule()
  }

  stop(): void {
    this.every = 0
  }

  #schedule(): void {
    if (this.#every <= 0) return
    this.#timer = setTimeout(() => {
      void this.#beat()
        .catch(() => {})
        .then(() => this.#schedule())
    }, this.#every)
  }
}
