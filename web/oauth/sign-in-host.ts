/** The dependencies of a sign-in: the server that it is for, and the page or program that it runs in. */
import type { Link, Revision, Trace } from '../mcp/index.ts'
import type { ConsentHost } from './consent/index.ts'
import type { FlowWhy } from './model/index.ts'
import type { Relay, WireOptions } from './wire/index.ts'
import type { Vault } from './vault/index.ts'

/** The server of a sign-in. Properties are read on each use, so a mutable object may implement it. */
export interface SignInServer {
  readonly trace: Trace
  readonly link: Link
  /** The MCP endpoint. */
  readonly url: string
  /** The only protocol version to use, if the user chose one. */
  readonly pinned?: Revision | undefined
  /** The user entered an `Authorization` header, so tokens of an earlier sign-in aren't used. */
  readonly authorizedByHand?: boolean | undefined
  /**
   * New tokens are available: an open connection continues with them, otherwise this connects.
   * @returns why it didn't connect
   */
  authorized(why: FlowWhy): Promise<ConnectionFailure | undefined>
}

export interface ConnectionFailure {
  /** `unauthorized`: the server rejects the tokens. Other failures belong to the connection and are reported there. */
  readonly code: string
  readonly why: string
  /** The HTTP status, if there is one. */
  readonly status?: number
}

/** Lives as long as the page, and may serve the sign-ins of several servers. */
export interface SignInHost extends ConsentHost {
  readonly vault: Vault
  readonly redirectUri: string
  /** URL of the client ID metadata document of this copy of the page, if it is usable. Never throws. */
  readonly clientDocument?: () => Promise<string | undefined>
  /** Default: the runtime's own. */
  readonly fetch?: typeof fetch
  /** Requests through the local proxy, if there is one. */
  readonly relay?: Relay
  /** ms since the epoch. */
  readonly now?: () => number
  /** There is no user: failures end the flow, and step-ups start automatically. */
  readonly unattended?: true
  /** Limits of each request. */
  readonly limits?: WireOptions['limits']
}
