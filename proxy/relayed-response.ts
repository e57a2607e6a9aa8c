/** Writes one relayed response into its page's event stream. */
import { FRAME, jsonPayload, type Outgoing } from './event-log.ts'
import type { ResponseSink } from './relay.ts'
import type { ProxyError, RelayEnd, RelayHead } from './wire.ts'

/** Bytes of a body sent to the page without credit. */
const WINDOW = 1024 * 1024

/** ms that a `keepalive` request may continue after its page has left. */
const KEEPALIVE_LIMIT = 5_000

export interface RelayedResponseOptions {
  readonly subject: number
  /** Continues if the page leaves, like `fetch` with `keepalive`. */
  readonly keepalive: boolean
  readonly deliver: (event: Outgoing) => void
  /** Whether the page's stream accepts more. */
  readonly isFlowing: () => boolean
  /** Called once, after the last frame. */
  readonly onEnd: () => void
}

export class RelayedResponse implements ResponseSink {
  readonly #options: RelayedResponseOptions
  readonly #abort = new AbortController()
  #credit = WINDOW
  #wake: () => void = () => {}
  /** The page no longer reads the response. */
  #discarding = false
  #finished = false

  constructor(options: RelayedResponseOptions) {
    this.#options = options
  }

  /** Aborts when the page cancels. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  head(head: RelayHead): void {
    this.#deliver(FRAME.head, jsonPayload(head))
  }

  /** Resolves when the page has granted enough credit. An unread response blocks only itself. */
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

  /** The page has read this many bytes of the body. */
  grant(bytes: number): void {
    this.#credit = Math.min(WINDOW, this.#credit + bytes)
    this.#wake()
  }

  /** The page's stream may accept more. */
  resume(): void {
    this.#wake()
  }

  /** Aborts the request. */
  cancel(): void {
    this.#discarding = true
    this.#abort.abort()
    this.#finish()
  }

  /** Cancels, or lets a `keepalive` request continue for a while. */
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
