/** One relayed response on its way into the stream of its page. */
import { FRAME, jsonPayload, type Outgoing } from './frames.ts'
import type { ResponseSink } from './relay.ts'
import type { ProxyError, RelayEnd, RelayHead } from './wire.ts'

/** Bytes of a body that may be on their way to a page that has not said that it read them. */
const WINDOW = 1024 * 1024

/** ms that a request which is to outlive its page has, once the page is gone. */
const KEEPALIVE_LIMIT = 5_000

export interface RelayedResponseOptions {
  readonly subject: number
  /** Goes on when the page leaves, as a `fetch` with `keepalive` does. */
  readonly keepalive: boolean
  readonly deliver: (event: Outgoing) => void
  /** The stream of the page takes more. */
  readonly isFlowing: () => boolean
  /** Called once, when nothing more will come. */
  readonly onEnd: () => void
}

export class RelayedResponse implements ResponseSink {
  readonly #options: RelayedResponseOptions
  readonly #abort = new AbortController()
  #credit = WINDOW
  #wake: () => void = () => {}
  /** Nobody reads what comes. */
  #discarding = false
  #finished = false

  constructor(options: RelayedResponseOptions) {
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
    while (!this.#discarding && (this.#credit <= 0 || !this.#options.isFlowing())) {
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  end(end: RelayEnd): void {
    this.#deliver(FRAME.end, jsonPayload(end))
    this.#finish()
  }

  failed(error: ProxyError): void {
    this.#deliver(FRAME.failed, jsonPayload(error))
    this.#finish()
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
    this.#discarding = true
    this.#abort.abort()
    this.#finish()
  }

  /** The page is gone. */
  pageLeft(): void {
    if (!this.#options.keepalive) return this.cancel()
    this.#discarding = true
    this.#wake()
    const timer = setTimeout(() => this.cancel(), KEEPALIVE_LIMIT)
    timer.unref()
    this.signal.addEventListener('abort', () => clearTimeout(timer))
  }

  #deliver(type: Outgoing['type'], payload: readonly Uint8Array[]): void {
    if (!this.#discarding) this.#options.deliver({ type, subject: this.#options.subject, payload })
  }

  #finish(): void {
    this.#wake()
    if (this.#finished) return
    this.#finished = true
    this.#options.onEnd()
  }
}
