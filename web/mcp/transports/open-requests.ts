/**
 * A browser opens six connections to a host over HTTP/1.1, for all its tabs, and lets every further request wait without a
 * word. Only the page can know that it is waiting for itself.
 */

/** HTTP requests of a page whose responses have not ended, by origin and in the order in which they began. */
export type OpenRequests = Map<string, Set<symbol>>

/** What every browser allows (HTTP/2 and HTTP/3 share one connection and have no such limit). */
const MOST_CONNECTIONS = 6

/** ms without response headers after which a request is taken to wait for a connection. */
const PATIENCE = 3_000

/** One request, from before it is sent until its response has ended. */
export class OpenRequest {
  readonly #others: Set<symbol>
  readonly #self = Symbol('request')
  readonly #timer: ReturnType<typeof setTimeout>

  /** @param queued told once, with the number of older requests that hold the connections */
  constructor(open: OpenRequests, url: string, queued: (open: number) => void) {
    const { origin } = new URL(url)
    this.#others = open.get(origin) ?? new Set()
    open.set(origin, this.#others.add(this.#self))
    this.#timer = setTimeout(() => {
      const older = [...this.#others].indexOf(this.#self)
      if (older >= MOST_CONNECTIONS) queued(older)
    }, PATIENCE)
  }

  /** The response headers are there. */
  answered(): void {
    clearTimeout(this.#timer)
  }

  ended(): void {
    clearTimeout(this.#timer)
    this.#others.delete(this.#self)
  }
}
