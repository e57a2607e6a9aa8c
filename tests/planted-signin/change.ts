/** The parts of a small MCP server and its authorization server that a world may change. */
import type { IncomingMessage } from 'node:http'
import type { Json } from '../../web/mcp/index.ts'

export type Members = Record<string, Json | undefined>

/** A response before it is written: JSON, or `text` as it is. `auth` becomes WWW-Authenticate. */
export interface Reply {
  status: number
  headers: Record<string, string | string[]>
  body: Members
  text?: string
  auth?: { scheme: string; params: Record<string, string> } | undefined
}

export interface Client {
  client_id: string
  /** `null`: any. */
  redirect_uris: readonly string[] | null
  token_endpoint_auth_method: string
  client_secret?: string
}

export interface Ctx {
  readonly mcpUrl: string
  readonly mcpOrigin: string
  readonly asOrigin: string
  readonly issuer: string
  readonly prmUrl: string
  readonly method: string
  readonly url: URL
  readonly requestHeaders: IncomingMessage['headers']
  readonly form: URLSearchParams
  readonly json: Members | undefined
  /** Why the MCP server refuses. */
  reason?: 'missing' | 'invalid' | 'expired' | 'scope'
  client?: Client
  /** The refresh token that was used last. */
  oldRefresh?: string
}

type Hook = (r: Reply, x: Ctx) => Reply | void

export interface Change {
  readonly revisions?: readonly string[]
  /** `one`: the MCP origin is its own authorization server; the default for 2025-03-26. */
  readonly layout?: 'one' | 'two'
  readonly mcpPath?: string
  /** The path of the issuer, with its leading slash; `/` alone gives an issuer with a trailing slash. */
  readonly issuerPath?: string
  /** Paths on the MCP origin with the resource metadata; the challenge names the first. */
  readonly prmAt?: readonly string[]
  /** Paths on the authorization server with its metadata. */
  readonly metadataAt?: readonly string[]
  readonly endpoints?: { authorize?: string; token?: string; register?: string; revoke?: string }
  /** The endpoints also respond on the MCP origin. */
  readonly endpointsAnywhere?: boolean
  /** https URLs are accepted as client IDs. */
  readonly cimd?: boolean
  /** Seconds that the first token of a sign-in is valid; refreshed ones are valid for an hour. */
  firstTtl?: number
  /** `tools/call` needs the scope mcp:write, which the first challenge doesn't request. */
  stepUp?: boolean
  readonly noRefreshToken?: boolean
  /** Refresh tokens of confidential clients stay valid. */
  readonly keepRefresh?: boolean
  readonly lax?: {
    anyToken?: boolean
    queryToken?: boolean
    keepRefresh?: boolean
    keepRevoked?: boolean
    scope?: boolean
  }
  /** The scopes that are really granted. */
  readonly grant?: (scopes: string[]) => string[]
  readonly makeToken?: () => string
  readonly makeCode?: () => string
  readonly prm?: Hook
  readonly metadata?: Hook
  /** The 401 of the MCP server. */
  readonly challenge?: Hook
  /** Its 403. */
  readonly forbidden?: Hook
  readonly registration?: Hook
  readonly refuseRegistration?: (x: Ctx) => Reply | undefined
  /** Changes the parameters of the redirect back. */
  readonly authorize?: (q: URLSearchParams, x: Ctx) => void
  readonly authorizeReply?: Hook
  /** The error with which the authorization request is refused. */
  readonly refuseAuthorize?: (x: Ctx) => string | undefined
  token?: Hook
  readonly refresh?: Hook
  /** The error with which the token request is refused. */
  readonly refuseToken?: (x: Ctx, grant: string) => string | undefined
  readonly tokenError?: Hook
  readonly revoke?: Hook
}

export const jsonReply = (status: number, body: Members, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body,
})

export const textReply = (status: number, text: string, type = 'text/plain; charset=utf-8'): Reply => ({
  status,
  headers: { 'content-type': type },
  body: {},
  text,
})
