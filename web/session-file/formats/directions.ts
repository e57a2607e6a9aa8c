/** Infers the sender of each message from its content and earlier requests, for logs that don't record it. */
import { idKey, isObject, isRequestId, type Json, type Link } from '../../mcp/index.ts'

export type Direction = 'sent' | 'received'

/** Requests that servers send. All others are the client's, including `ping`, which either side may send. */
const ASKED_BY_SERVERS: ReadonlySet<string> = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list'])
const TOLD_BY_CLIENTS: ReadonlySet<string> = new Set(['notifications/initialized', 'notifications/roots/list_changed'])

/** Open requests remembered. */
const MOST_OPEN = 100_000

const other = (direction: Direction): Direction => (direction === 'sent' ? 'received' : 'sent')

export class Directions {
  readonly #open = new Map<string, Direction>()

  /** @param known the direction in the file; `undefined` if it has none */
  of(message: Json, link: Link, known?: Direction): Direction {
    const part = Array.isArray(message) ? (message as readonly Json[])[0] : message
    if (!isObject(part)) return known ?? 'sent'
    const key = isRequestId(part.id) ? `${link} ${idKey(part.id)}` : undefined
    if (typeof part.method === 'string') {
      const direction = known ?? this.#asking(part.method, part.params, link)
      if (key !== undefined && this.#open.size < MOST_OPEN) this.#open.set(key, direction)
      return direction
    }
    if (key === undefined) return known ?? 'received'
    const asked = this.#open.get(key)
    this.#open.delete(key)
    return known ?? (asked === undefined ? 'received' : other(asked))
  }

  #asking(method: string, params: Json | undefined, link: Link): Direction {
    if (method === 'notifications/cancelled' && isObject(params) && isRequestId(params.requestId)) {
      return this.#open.get(`${link} ${idKey(params.requestId)}`) ?? 'sent'
    }
    if (method.startsWith('notifications/')) return TOLD_BY_CLIENTS.has(method) ? 'sent' : 'received'
    return ASKED_BY_SERVERS.has(method) ? 'received' : 'sent'
  }
}
