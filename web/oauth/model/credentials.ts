/** Tokens and client registrations. Everything here is a secret, or leads to one. */
import type { JsonObject } from '../../mcp/index.ts'

/** How a client proves itself at the token endpoint (RFC 7591 section 2, AU-FLOW-13). */
export type ClientAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt'

export const CLIENT_AUTH_METHODS: readonly ClientAuthMethod[] = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
]

/** A client that one authorization server knows, and no other (AU-REG-12). */
export interface Registration {
  readonly issuer: string
  readonly clientId: string
  /** `metadata-document`: its id is the address of `client.json`, which any server may read (AU-REG-14). */
  readonly source: 'by-hand' | 'metadata-document' | 'dynamic'
  readonly method: ClientAuthMethod
  readonly clientSecret?: string
  /** ms since the epoch. */
  readonly secretExpiresAt?: number
  /** PKCS #8 in PEM, or a JWK, for `private_key_jwt`; `algorithm` is a JWS one. */
  readonly privateKey?: string
  readonly algorithm?: string
  readonly redirectUri?: string
  /** What it is registered for, where that was said: some servers let it ask for nothing else. */
  readonly scope?: string
}

/** Tokens of one server, from one authorization server (AU-GEN-04, AU-TOK-06). Times are in ms since the epoch. */
export interface TokenSet {
  /** Absent: pasted by hand. */
  readonly issuer?: string
  /** The MCP endpoint that they were made for. */
  readonly server: string
  /** The `resource` parameter that they were asked with (RFC 8707). */
  readonly resource?: string
  readonly accessToken: string
  readonly tokenType: 'Bearer' | 'DPoP'
  readonly refreshToken?: string
  readonly receivedAt: number
  readonly expiresAt?: number
  /** What was asked for, and what was granted (AU-SCOPE-08); absent: nothing was asked for, the server chose. */
  readonly requestedScope?: string
  readonly scope?: string
  /** Needed to refresh and to revoke. */
  readonly clientId?: string
  readonly tokenEndpoint?: string
  readonly revocationEndpoint?: string
  /** What the token endpoint said beyond this, without the tokens. */
  readonly extra?: JsonObject
  /** Signs the proofs of a DPoP-bound token; cannot leave the page, nor be kept. */
  readonly dpopKey?: CryptoKeyPair
}

/** RFC 6750 section 2.1, and what else stands in a header without breaking it: some servers have a `|` in theirs. */
export const isSendable = (accessToken: string): boolean => /^[\x21-\x7e]+$/.test(accessToken)

/** Tokens that a user has from elsewhere: nothing is known of them but that. @param now ms since the epoch */
export const pastedTokens = (
  server: string,
  accessToken: string,
  refreshToken: string | undefined,
  now: number,
): TokenSet => {
  const refresh = refreshToken?.trim() ?? ''
  return {
    server,
    // A terminal breaks long lines.
    accessToken: accessToken
      .trim()
      .replace(/^Bearer\s+/i, '')
      .replace(/\s+/g, ''),
    tokenType: 'Bearer',
    receivedAt: now,
    ...(refresh === '' ? {} : { refreshToken: refresh }),
  }
}
