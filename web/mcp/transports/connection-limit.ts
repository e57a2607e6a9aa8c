/**
 * Over HTTP/1.1, a browser opens six connections per host for all its tabs, and silently queues further requests. Only
 * the page can detect that it is waiting for itself.
 */

/** A page's HTTP requests whose responses haven't ended, by origin, oldest first. */
export type ConnectionSlots = Map<string, Set<symbol>>

/** The limit of every browser (HTTP/2 and HTTP/3 share one connection and have no such limit). */
const MOST_CONNECTIONS = 6

/** ms without response headers before a request is considered to be waiting for a connection. */
const PATIENCE = 3_000

/** The place of one request among the connections, from before it is sent until its response has ended. */
export class ConnectionSlot {
  readonly #others: Set<symbol>
  readonly #self = Symbol('request')
  readonly #timer: ReturnType<typeof setTimeout>

  /** @param queued called once, with the number of older requests that occupy the connections */
  constructor(open: ConnectionSlots, url: string, queued: (open: number) => void) {
    const { origin } = new URL(url)
    this.#others = open.get(origin) ?? new Set()
    open.set(origin, this.#others.add(this.#self))
    this.#timer = setTimeout(() => {
      const older = [...this.#others].indexOf(this.#self)
      if (older >= MOST_CONNECTIONS) queued(older)
    }, PATIENCE)
  }

  /** The response headers have arrived. */
  answered(): void {
    clearTimeout(this.#timer)
  }

  ended(): void {
    clearTimeout(this.#timer)
    this.#others.delete(this.#self)
  }
}
