/**
 * Decides which requests of a sign-in may go through the local proxy. A browser asks a server before it sends
 * cross-site requests (CORS); the proxy doesn't, and it reaches hosts that only this machine can reach. So requests
 * are only relayed automatically to origins that the user knows. For any other origin that a server names, the user
 * must see the URL and agree.
 */
import { parsedUrl } from '../../mcp/url.ts'
import { type TokenSet, type SignInState, type SignInOptions, isPrivate } from '../model/index.ts'

/**
 * Why a request may be relayed: its origin is the MCP server's, an issuer's that the user has
 * seen, typed, or agreed to.
 */
export type RelayReason = 'server' | 'issuer' | 'typed' | 'agreed'

export interface RelayOrigins {
  /** The MCP endpoint. */
  readonly server: string
  /** Values found by the running sign-in, and the user's options. */
  readonly known: Partial<SignInState>
  readonly options: SignInOptions
  /** The tokens of this server. */
  readonly tokens: TokenSet | undefined
}

export class RelayConsent {
  readonly #origins: () => RelayOrigins
  readonly #agreed = new Set<string>()

  constructor(origins: () => RelayOrigins) {
    this.#origins = origins
  }

  /** The user has seen this URL and agrees to relay requests to its origin. */
  agree(url: string): void {
    const origin = originOf(url)
    if (origin !== undefined) this.#agreed.add(origin)
  }

  /** `undefined`: the user must agree first. */
  reasonFor(url: string): RelayReason | undefined {
    const origin = originOf(url)
    if (origin === undefined) return undefined
    const { server, known, options, tokens } = this.#origins()
    const among = (urls: readonly (string | undefined)[]) => urls.some((url) => originOf(url) === origin)
    if (originOf(server) === origin) return 'server'
    if (among([options.authorizationServer, options.idp?.tokenEndpoint])) return 'typed'
    // The tokens came from there, or the browser has just returned from there.
    if (among([tokens?.issuer, tokens?.tokenEndpoint, shownIssuer(known)])) return 'issuer'
    return this.#agreed.has(origin) ? 'agreed' : undefined
  }

  /**
   * Whether the proxy must reject addresses that aren't public, because a server on the internet named the URL. Servers
   * on this machine or network may name local URLs, for development.
   */
  isPublicOnly(url: string): boolean {
    const reason = this.reasonFor(url)
    return reason !== 'server' && reason !== 'typed' && !isPrivate(new URL(this.#origins().server))
  }
}

/** The sign-in window only shows the origin of the authorization endpoint. */
const shownIssuer = ({ issuer, metadata, returned }: Partial<SignInState>): string | undefined =>
  returned !== undefined && originOf(metadata?.authorization_endpoint) === originOf(issuer) ? issuer : undefined

const originOf = (url = ''): string | undefined => parsedUrl(url)?.origin
