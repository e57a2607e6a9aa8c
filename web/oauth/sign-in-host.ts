/** What a sign-in needs: the server that it is for, and the page, or the program, that it runs in. */
import type { Link, Revision, Trace } from '../mcp/index.ts'
import type { ConsentHost, FlowWhy } from './consent/index.ts'
import type { Relay, WireOptions } from './wire/index.ts'
import type { Vault } from './vault/index.ts'

/** The server of a sign-in: read each time, so an object that changes may implement it. */
export interface SignInServer {
  readonly trace: Trace
  readonly link: Link
  /** The MCP endpoint. */
  readonly url: string
  /** The only protocol version to speak, where the user chose one. */
  readonly pinned?: Revision | undefined
  /** Its user gave an `Authorization` header by hand: tokens of an earlier sign-in are not used. */
  readonly authorizedByHand?: boolean | undefined
  /** New tokens are there: an open connection goes on with them, else this connects. @returns why it did not connect */
  authorized(why: FlowWhy): Promise<ConnectionFailure | undefined>
}

export interface ConnectionFailure {
  /** `unauthorized`: the server does not take the tokens. Other failures are the connection's own, and told there. */
  readonly code: string
  readonly why: string
  /** Of HTTP, where there is one. */
  readonly status?: number
}

/** Lasts as long as the page, and may serve the sign-ins of several servers. */
export interface SignInHost extends ConsentHost {
  readonly vault: Vault
  readonly redirectUri: string
  /** URL of the client ID metadata document of this copy of the page, where it is good. Never throws. */
  readonly clientDocument?: () => Promise<string | undefined>
  /** Default: the runtime's own. */
  readonly fetch?: typeof fetch
  /** Through the local proxy, where there is one. */
  readonly relay?: Relay
  /** ms since the epoch. */
  readonly now?: () => number
  /** No user is there: failures end the flow, and step-ups begin automatically. */
  readonly unattended?: true
  /** Of each request. */
  readonly limits?: WireOptions['limits']
}
