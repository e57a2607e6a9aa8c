/** The state of a sign-in: each step adds to it, and going back removes what later steps added. */
import type { AuthorizationServer } from 'oauth4webapi'
import type { BearerChallenge, JsonObject } from '../../mcp/index.ts'
import type { ClientAuthMethod, Registration, TokenSet } from './credentials.ts'

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

/** How the server rejected a request. */
export interface Refused {
  readonly status: number
  /** As received, if the page can see it. */
  readonly header?: string
  readonly challenge?: BearerChallenge
  /** CORS hides the header from the page, so it may exist. */
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

/** AU-REG-13: a client that the user entered belongs to the issuer it was first used with. */
export const boundTo = (options: SignInOptions, registration: Registration | undefined): SignInOptions => {
  const { client } = options
  if (!client || registration?.source !== 'by-hand' || registration.clientId !== client.id) return options
  return { ...options, client: { ...client, issuer: registration.issuer } }
}
