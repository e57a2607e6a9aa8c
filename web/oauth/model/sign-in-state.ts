/**
 * The state of a sign-in: the user's options, the values that each step adds (going back removes them), and its results,
 * a client registration and tokens. Everything in the last two is secret or leads to a secret.
 */
import type { AuthorizationServer } from 'oauth4webapi'
import type { JsonObject, Refused } from '../../mcp/index.ts'
import { safeUrl } from './safe-url.ts'

/** How tokens are obtained (AU-0326-06, AU-EXT-01, AU-EXT-02). */
export type Grant = 'authorization-code' | 'client-credentials' | 'enterprise' | 'workload'

/** A client as entered by the user (AU-REG-05). */
export interface GivenClient {
  readonly id: string
  readonly secret?: string
  /** Absent: the server's metadata decides. */
  readonly method?: ClientAuthMethod
  readonly privateKey?: string
  readonly algorithm?: string
  /** The only authorization server to use it with; set on first use (AU-REG-13). */
  readonly issuer?: string
}

/** The identity provider of an organisation (enterprise-managed authorization). */
export interface IdentityProvider {
  readonly tokenEndpoint: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly idToken: string
}

export type Mode = 'automatic' | 'stepwise'

export type FlowWhy = 'asked' | 'unauthorized' | 'insufficient-scope'

/** The user's options; the rules decide about absent ones. */
export interface SignInOptions {
  readonly grant?: Grant
  readonly client?: GivenClient
  readonly registration?: 'by-hand' | 'metadata-document' | 'dynamic'
  /** URL of the client id metadata document. */
  readonly clientDocument?: string
  /** Replaces the scopes chosen by the rules; empty: no scope is requested. */
  readonly scope?: string
  /** Replaces the server's own URL; `false`: the parameter is omitted (AU-0326-07). */
  readonly resource?: string | false
  readonly authorizationServer?: string
  readonly applicationType?: 'native' | 'web'
  /** Request tokens bound to a key (RFC 9449). Absent: only if the server accepts no others. */
  readonly dpop?: boolean
  readonly idp?: IdentityProvider
  /** A workload's JWT. */
  readonly assertion?: string
}

export interface SignInState {
  /** The MCP endpoint. */
  readonly server: string
  readonly refused?: Refused
  readonly resourceMetadata?: JsonObject
  readonly resourceMetadataUrl?: string
  /** The issuers offered. */
  readonly offered?: readonly string[]
  /** AU-0326-01: the server's origin, used as a fallback. */
  readonly byOrigin?: boolean
  readonly issuer?: string
  readonly metadata?: AuthorizationServer
  readonly metadataSource?: 'oauth' | 'openid' | 'pasted' | 'defaults'
  readonly registration?: Registration
  readonly scope?: string
  readonly scopeSource?: 'given' | 'challenge' | 'resource-metadata' | 'none' | 'union'
  readonly resource?: string
  readonly redirectUri?: string
  readonly codeVerifier?: string
  readonly state?: string
  readonly authorizationUrl?: string
  /** The query with which the browser returned. */
  readonly returned?: string
  readonly code?: string
  readonly assertion?: string
  readonly tokens?: TokenSet
}

/** AU-EXT-02: the type of the grant that an identity provider issues for an authorization server. */
export const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'

/** AU-REG-13: a client that the user entered belongs to the issuer it was first used with. */
export const boundTo = (options: SignInOptions, registration: Registration | undefined): SignInOptions => {
  const { client } = options
  if (!client || registration?.source !== 'by-hand' || registration.clientId !== client.id) return options
  return { ...options, client: { ...client, issuer: registration.issuer } }
}

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

/** Whether the tokens can be refreshed: a pasted refresh token can't, because its token endpoint is unknown. */
export const isRefreshable = ({ refreshToken, tokenEndpoint, server }: TokenSet): boolean =>
  refreshToken !== undefined && safeUrl(tokenEndpoint, server) !== undefined

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
