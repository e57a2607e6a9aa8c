/**
 * Keeps a fold up to date in separate time slices: rules are loaded late, when the trace may already be long, and a
 * burst of frames must not slow the caller of `Trace.append`.
 */
import { nextTask, pacer, type Fold, type Frame, type Seq, type Trace, Signal } from '../mcp/index.ts'

export class Following<State> {
  readonly #trace: Trace
  readonly #fold: Fold<State>
  readonly #state: State
  readonly #after: ((state: State) => Promise<void> | undefined) | undefined
  readonly #changes = new Signal()
  /** Notifies listeners after each slice. */
  readonly subscribe = this.#changes.subscribe
  readonly #unsubscribe: () => void
  #reached: Seq = 0
  #running: Promise<void> | undefined
  #closed = false

  /** @param after work that a step leaves to do; the next frame waits for it */
  constructor(trace: Trace, fold: Fold<State>, after?: (state: State) => Promise<void> | undefined) {
    this.#trace = trace
    this.#after = after
    this.#fold = fold
    this.#state = fold.initial()
    this.#unsubscribe = trace.subscribe(() => this.#wake())
    this.#wake()
  }

  get current(): State {
    return this.#state
  }

  /** All frames before this one have been processed. */
  get reached(): Seq {
    return this.#reached
  }

  /** Resolves when the end of the trace has been reached. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running
  }

  close(): void {
    this.#closed = true
    this.#unsubscribe()
    this.#changes.clear()
  }

  #wake(): void {
    this.#running ??= this.#walk().finally(() => {
      this.#running = undefined
      if (!this.#closed && this.#reached < this.#trace.length) this.#wake()
    })
  }

  async #walk(): Promise<void> {
    await nextTask()
    const pace = pacer()
    while (!this.#closed && this.#reached < this.#trace.length) {
      try {
        this.#fold.step(this.#state, this.#trace.at(this.#reached) as Frame)
        const rest = this.#after?.(this.#state)
        if (rest) await rest
      } finally {
        this.#reached++
      }
      const pause = pace()
      if (!pause) continue
      this.#tell()
      await pause
    }
    this.#tell()
  }

  #tell(): void {
    this.#changes.emit()
  }
}
