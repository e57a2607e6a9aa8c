/** Tokens and client registrations. Everything here is secret or leads to a secret. */
import type { JsonObject } from '../../mcp/index.ts'

/** How a client authenticates at the token endpoint (RFC 7591 section 2, AU-FLOW-13). */
export type ClientAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt'

export const CLIENT_AUTH_METHODS: readonly ClientAuthMethod[] = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
]

/** A client that only one authorization server knows (AU-REG-12). */
export interface Registration {
  readonly issuer: string
  readonly clientId: string
  /** `metadata-document`: its id is the URL of `client.json`, which any server may read (AU-REG-14). */
  readonly source: 'by-hand' | 'metadata-document' | 'dynamic'
  readonly method: ClientAuthMethod
  readonly clientSecret?: string
  /** ms since the epoch. */
  readonly secretExpiresAt?: number
  /** For `private_key_jwt`: PKCS #8 in PEM, or a JWK; `algorithm` is a JWS algorithm. */
  readonly privateKey?: string
  readonly algorithm?: string
  readonly redirectUri?: string
  /** The registered scopes, if known: some servers don't let the client request others. */
  readonly scope?: string
}

/** Tokens of one server, from one authorization server (AU-GEN-04, AU-TOK-06). Times are in ms since the epoch. */
export interface TokenSet {
  /** Absent: pasted by the user. */
  readonly issuer?: string
  /** The MCP endpoint that they were issued for. */
  readonly server: string
  /** The `resource` parameter of the request (RFC 8707). */
  readonly resource?: string
  readonly accessToken: string
  readonly tokenType: 'Bearer' | 'DPoP'
  readonly refreshToken?: string
  readonly receivedAt: number
  readonly expiresAt?: number
  /** The scopes requested and granted (AU-SCOPE-08). Absent: none were requested, so the server chose. */
  readonly requestedScope?: string
  readonly scope?: string
  /** Needed to refresh and to revoke. */
  readonly clientId?: string
  readonly tokenEndpoint?: string
  readonly revocationEndpoint?: string
  /** Other members of the token response, without the tokens. */
  readonly extra?: JsonObject
  /** Signs the proofs of a DPoP-bound token; can't leave the page or be stored. */
  readonly dpopKey?: CryptoKeyPair
}

/** RFC 6750 section 2.1, plus characters that don't break a header: some servers use `|`. */
export const isSendable = (accessToken: string): boolean => /^[\x21-\x7e]+$/.test(accessToken)

/** Tokens that the user got elsewhere, about which nothing else is known. @param now ms since the epoch */
export const pastedTokens = (
  server: string,
  accessToken: string,
  refreshToken: string | undefined,
  now: number,
): TokenSet => {
  const refresh = refreshToken?.trim() ?? ''
  return {
    server,
    // Terminals wrap long lines.
    accessToken: accessToken
      .trim()
      .replace(/^Bearer\s+/i, '')
      .replace(/\s+/g, ''),
    tokenType: 'Bearer',
    receivedAt: now,
    ...(refresh === '' ? {} : { refreshToken: refresh }),
  }
}
