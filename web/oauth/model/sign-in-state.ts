/** The state of a sign-in: each step adds to it, and going back removes what later steps added. */
import type { AuthorizationServer } from 'oauth4webapi'
import type { BearerChallenge, JsonObject } from '../../mcp/index.ts'
import type { ClientAuthMethod, Registration, TokenSet } from './credentials.ts'

/** How tokens are come by (AU-0326-06, AU-EXT-01, AU-EXT-02). */
export type Grant = 'authorization-code' | 'client-credentials' | 'enterprise' | 'workload'

/** A client as its user enters it (AU-REG-05). */
export interface GivenClient {
  readonly id: string
  readonly secret?: string
  /** Absent: the server's metadata decides. */
  readonly method?: ClientAuthMethod
  readonly privateKey?: string
  readonly algorithm?: string
  /** The only authorization server it is for; set when it was used first (AU-REG-13). */
  readonly issuer?: string
}

/** The identity provider of an organisation (enterprise-managed authorization). */
export interface IdentityProvider {
  readonly tokenEndpoint: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly idToken: string
}

/** What its user may choose; what is absent is decided by the rules. */
export interface SignInOptions {
  readonly grant?: Grant
  readonly client?: GivenClient
  readonly registration?: 'by-hand' | 'metadata-document' | 'dynamic'
  /** Address of the client id metadata document. */
  readonly clientDocument?: string
  /** Instead of what the rules choose; empty: none is asked for. */
  readonly scope?: string
  /** Instead of the server's own address; `false`: the parameter is left out (AU-0326-07). */
  readonly resource?: string | false
  readonly authorizationServer?: string
  readonly applicationType?: 'native' | 'web'
  /** Ask for tokens that are bound to a key (RFC 9449). Absent: where the server says that it takes no others. */
  readonly dpop?: boolean
  readonly idp?: IdentityProvider
  /** The JWT of a workload. */
  readonly assertion?: string
}

/** How the server refused. */
export interface Refused {
  readonly status: number
  /** As it stood, where the page may see it. */
  readonly header?: string
  readonly challenge?: BearerChallenge
  /** The header may be there: CORS hides it from the page. */
  readonly hidden?: boolean
}

export interface SignInState {
  /** The MCP endpoint. */
  readonly server: string
  readonly refused?: Refused
  readonly resourceMetadata?: JsonObject
  readonly resourceMetadataUrl?: string
  /** The issuers offered. */
  readonly offered?: readonly string[]
  /** AU-0326-01: the server's origin, for want of anything better. */
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
  /** The query with which the browser came back. */
  readonly returned?: string
  readonly code?: string
  readonly assertion?: string
  readonly tokens?: TokenSet
}

/** AU-REG-13: a client that was entered by hand belongs to the issuer that it was used with first. */
export const boundTo = (options: SignInOptions, registration: Registration | undefined): SignInOptions => {
  const { client } = options
  if (!client || registration?.source !== 'by-hand' || registration.clientId !== client.id) return options
  return { ...options, client: { ...client, issuer: registration.issuer } }
}
