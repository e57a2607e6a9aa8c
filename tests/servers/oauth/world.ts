/** What authorization servers and protected servers of one start know of each other. */
import type { KeyPair } from './jwt.ts'

/** A protected resource, as its authorization server sees it. */
export interface Resource {
  readonly audience: string
  readonly format: 'jwt' | 'opaque'
  /** s an access token lives. */
  readonly ttl: number
}

/** More tokens than a test takes for one resource. */
const MOST_TOKENS = 1000

/** More documents than tests publish. */
const MOST_DOCUMENTS = 1000

export class World {
  /** The private key of the client `machineKey`, of workloads, and of all issuers. */
  readonly keys: { readonly machine: KeyPair; readonly workload: KeyPair; readonly issuer: KeyPair }
  /** Set by whoever serves resources. @returns nothing for what is no resource of ours */
  describe: (resource: string) => Resource | undefined = () => undefined
  readonly #tokens = new Map<string, string[]>()
  readonly #documents = new Map<string, string>()

  constructor(keys: World['keys']) {
    this.keys = keys
  }

  /** An access token was issued: by its `jti`, which for an opaque one is the token itself. */
  issued(audience: string, id: string): void {
    const ids = this.#tokens.get(audience) ?? []
    this.#tokens.set(audience, ids)
    ids.push(id)
    if (ids.length > MOST_TOKENS) ids.shift()
  }

  /** All access tokens issued for an audience, so far. */
  issuedFor(audience: string): readonly string[] {
    return this.#tokens.get(audience) ?? []
  }

  /** Puts a client id metadata document on the web, as far as the authorization servers here see it. */
  publish(url: string, document: unknown): void {
    if (this.#documents.size >= MOST_DOCUMENTS) throw new Error(`There are ${MOST_DOCUMENTS} documents already`)
    this.#documents.set(url, typeof document === 'string' ? document : JSON.stringify(document))
  }

  /** The web as the authorization servers see it: what was published, and nothing else. */
  async fetch(input: string | URL | Request): Promise<Response> {
    const document = this.#documents.get(input instanceof Request ? input.url : String(input))
    if (document === undefined) return new Response('Not found', { status: 404 })
    return new Response(document, { headers: { 'Content-Type': 'application/json' } })
  }
}
