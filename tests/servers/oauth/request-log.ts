/** The requests an authorization server received, in order, so that a test can check each parameter. */
import type { IncomingHttpHeaders } from 'node:http'

export type Endpoint =
  | 'metadata'
  | 'registration'
  | 'authorization'
  | 'token'
  | 'revocation'
  | 'introspection'
  | 'other'

export interface Logged {
  /** The issuer's path, such as `/tenant1`; `/` for the one at the origin. */
  readonly issuer: string
  readonly endpoint: Endpoint
  readonly method: string
  /** As requested, including the query. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** From the query or the form, with repeated names as an array; for a registration, its JSON. */
  readonly parameters: { readonly [name: string]: unknown }
  readonly status: number
  /** The `client_id` that was sent, authenticated, or assigned. */
  readonly client?: string
}

/** The oldest entry is removed first. */
const MOST = 2000

export class RequestLog {
  #entries: Logged[] = []

  add(entry: Logged): void {
    this.#entries.push(entry)
    if (this.#entries.length > MOST) this.#entries = this.#entries.slice(-MOST / 2)
  }

  /**
   * @param issuer the issuer's path
   * @param fits what entries must match: `endpoint`, `client`, `method`, or any parameter by name
   */
  find(issuer: string, fits: { readonly [name: string]: unknown } = {}): Logged[] {
    return this.#entries.filter(
      (entry) =>
        entry.issuer === issuer &&
        Object.entries(fits).every(([name, value]) => {
          const own = name === 'endpoint' || name === 'client' || name === 'method'
          const has = own ? entry[name] : entry.parameters[name]
          return Array.isArray(has) && !Array.isArray(value)
            ? has.includes(value)
            : JSON.stringify(has) === JSON.stringify(value)
        }),
    )
  }
}
