/** What an authorization server was asked, in order: enough for a test to see each parameter. */
import type { IncomingHttpHeaders } from 'node:http'

export type Endpoint =
  'metadata' | 'registration' | 'authorization' | 'token' | 'revocation' | 'introspection' | 'other'

export interface Logged {
  /** The issuer's path, such as `/tenant1`; `/` for the one at the origin. */
  readonly issuer: string
  readonly endpoint: Endpoint
  readonly method: string
  /** As it was asked for, with its query. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** Of the query or the form, several of a name as an array; of a registration, its JSON. */
  readonly parameters: { readonly [name: string]: unknown }
  readonly status: number
  /** The `client_id` that was sent, authenticated, or given. */
  readonly client?: string
}

/** The oldest goes first. */
const MOST = 2000

export class RequestLog {
  #entries: Logged[] = []

  add(entry: Logged): void {
    this.#entries.push(entry)
    if (this.#entries.length > MOST) this.#entries = this.#entries.slice(-MOST / 2)
  }

  /**
   * @param issuer the issuer's path
   * @param fits what entries must have: `endpoint`, `client`, `method`, or any parameter by its name
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
