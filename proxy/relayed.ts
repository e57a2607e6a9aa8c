/** One relayed response on its way into the stream of its page. */
import { FRAME, jsonPayload, type Outgoing } from './frames.ts'
import type { ResponseSink } from './relay.ts'
import type { ProxyError, RelayEnd, RelayHead } from './wire.ts'

/** Bytes of a body that may be on their way to a page that has not said that it read them. */
const WINDOW = 1024 * 1024

/** ms that a request which is to outlive its page has, once the page is gone. */
const OUTLIVE_LIMIT = 5_000

export interface RelayedOptions {
  readonly subject: number
  /** Goes on when the page leaves, as a `fetch` with `keepalive` does. */
  readonly keepalive: boolean
  readonly deliver: (event: Outgoing) => void
  /** The stream of the page takes more. */
  readonly isFlowing: () => boolean
  /** Called once, when nothing more will come. */
  readonly over: () => void
}

export class Relayed implements ResponseSink {
  readonly #options: RelayedOptions
  readonly #abort = new AbortController()
  #credit = WINDOW
  #wake: () => void = () => {}
  /** Nobody reads what comes. */
  #unheard = false
  #isOver = false

  constructor(options: RelayedOptions) {
    this.#options = options
  }

  /** Aborts when the page gives up. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  head(head: RelayHead): void {
    this.#deliver(FRAME.head, jsonPayload(head))
  }

  /** Resolves when the page has read enough for more. What it does not read holds up this response and no other. */
  async data(bytes: Uint8Array): Promise<void> {
    this.#deliver(FRAME.data, [bytes])
    this.#credit -= bytes.length
    while (!this.#unheard && (this.#credit <= 0 || !this.#options.isFlowing())) {
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  end(end: RelayEnd): void {
    this.#deliver(FRAME.end, jsonPayload(end))
    this.#over()
  }

  failed(error: ProxyError): void {
    this.#deliver(FRAME.failed, jsonPayload(error))
    this.#over()
  }

  /** The page has read so many bytes of the body. */
  grant(bytes: number): void {
    this.#credit = Math.min(WINDOW, this.#credit + bytes)
    this.#wake()
  }

  /** The stream of the page may take more. */
  resume(): void {
    this.#wake()
  }

  /** Breaks off the request. */
  cancel(): void {
    this.#unheard = true
    this.#abort.abort()
    this.#over()
  }

  /** The page is gone. */
  leave(): void {
    if (!this.#options.keepalive) return this.cancel()
    this.#unheard = true
    this.#wake()
    const timer = setTimeout(() => this.cancel(), OUTLIVE_LIMIT)
    timer.unref()
    this.signal.addEventListener('abort', () => clearTimeout(timer))
  }

  #deliver(type: Outgoing['type'], payload: readonly Uint8Array[]): void {
    if (!this.#unheard) this.#options.deliver({ type, subject: this.#options.subject, payload })
  }

  #over(): void {
    this.#wake()
    if (this.#isOver) return
    this.#isOver = true
    this.#options.over()
  }
}
