/** State shared by the authorization servers and protected servers of one start. */
import type { KeyPair } from './jwt.ts'

/** A protected resource, as its authorization server sees it. */
export interface Resource {
  readonly audience: string
  readonly format: 'jwt' | 'opaque'
  /** Lifetime of an access token in seconds. */
  readonly ttl: number
}

/** More tokens than any test requests for one resource. */
const MOST_TOKENS = 1000

/** More documents than tests publish. */
const MOST_DOCUMENTS = 1000

export class World {
  /** The private keys of the client `machineKey`, of workloads, and of all issuers. */
  readonly keys: { readonly machine: KeyPair; readonly workload: KeyPair; readonly issuer: KeyPair }
  /** Set by the module that serves resources. @returns undefined if the resource isn't ours */
  describe: (resource: string) => Resource | undefined = () => undefined
  readonly #tokens = new Map<string, string[]>()
  readonly #documents = new Map<string, string>()

  constructor(keys: World['keys']) {
    this.keys = keys
  }

  /** Records an issued access token by its `jti`; for an opaque token, that is the token itself. */
  issued(audience: string, id: string): void {
    const ids = this.#tokens.get(audience) ?? []
    this.#tokens.set(audience, ids)
    ids.push(id)
    if (ids.length > MOST_TOKENS) ids.shift()
  }

  /** All access tokens issued for an audience so far. */
  issuedFor(audience: string): readonly string[] {
    return this.#tokens.get(audience) ?? []
  }

  /** Publishes a client ID metadata document, visible to these authorization servers. */
  publish(url: string, document: unknown): void {
    if (this.#documents.size >= MOST_DOCUMENTS) throw new Error(`There are ${MOST_DOCUMENTS} documents already`)
    this.#documents.set(url, typeof document === 'string' ? document : JSON.stringify(document))
  }

  /** The web as the authorization servers see it: only published documents. */
  async fetch(input: string | URL | Request): Promise<Response> {
    const document = this.#documents.get(input instanceof Request ? input.url : String(input))
    if (document === undefined) return new Response('Not found', { status: 404 })
    return new Response(document, { headers: { 'Content-Type': 'application/json' } })
  }
}
