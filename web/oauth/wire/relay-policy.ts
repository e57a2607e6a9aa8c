/**
 * Which requests of a sign-in may go through the local proxy. A browser asks a server before it sends a request for
 * another site (CORS); the proxy asks nobody, and reaches what only this machine reaches. So it sends automatically only to
 * origins that its user knows of; to any other origin that a server names, its user sends by hand, having seen the URL.
 */
import { parsedUrl } from '../../mcp/url.ts'
import { type TokenSet, type SignInState, type SignInOptions, isPrivate } from '../model/index.ts'

/** Why a request may be relayed: its origin is the MCP server's, of an issuer the user has seen, typed in, or agreed to. */
export type RelayReason = 'server' | 'issuer' | 'typed' | 'agreed'

export interface RelayOrigins {
  /** The MCP endpoint. */
  readonly server: string
  /** What the sign-in under way has found out, and what its user chose. */
  readonly known: Partial<SignInState>
  readonly options: SignInOptions
  /** The tokens of this server. */
  readonly tokens: TokenSet | undefined
}

export class RelayPolicy {
  readonly #origins: () => RelayOrigins
  readonly #agreed = new Set<string>()

  constructor(origins: () => RelayOrigins) {
    this.#origins = origins
  }

  /** The user has seen this URL, and wants requests to its origin to be relayed. */
  agree(url: string): void {
    const origin = originOf(url)
    if (origin !== undefined) this.#agreed.add(origin)
  }

  /** `undefined`: the user has to be asked. */
  reasonFor(url: string): RelayReason | undefined {
    const origin = originOf(url)
    if (origin === undefined) return undefined
    const { server, known, options, tokens } = this.#origins()
    const among = (urls: readonly (string | undefined)[]) => urls.some((url) => originOf(url) === origin)
    if (originOf(server) === origin) return 'server'
    if (among([options.authorizationServer, options.idp?.tokenEndpoint])) return 'typed'
    // Tokens came from there, or the browser came back from there just now.
    if (among([tokens?.issuer, tokens?.tokenEndpoint, shownIssuer(known)])) return 'issuer'
    return this.#agreed.has(origin) ? 'agreed' : undefined
  }

  /**
   * Whether the proxy has to refuse addresses that are not public: a server on the internet named the URL. What runs on
   * this machine or in this network may name its like, for whoever develops there.
   */
  isPublicOnly(url: string): boolean {
    const reason = this.reasonFor(url)
    return reason !== 'server' && reason !== 'typed' && !isPrivate(new URL(this.#origins().server))
  }
}

/** The window of the sign-in shows the origin of the authorization endpoint, and no other. */
const shownIssuer = ({ issuer, metadata, returned }: Partial<SignInState>): string | undefined =>
  returned !== undefined && originOf(metadata?.authorization_endpoint) === originOf(issuer) ? issuer : undefined

const originOf = (url = ''): string | undefined => parsedUrl(url)?.origin
