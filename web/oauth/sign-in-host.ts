/** What a sign-in needs of the page, or the program, that it runs in. */
import type { Link, Revision, Trace } from '../mcp/index.ts'
import type { ConsentHost, FlowWhy } from './consent/index.ts'
import type { Relay, WireOptions } from './wire/index.ts'
import type { Vault } from './vault/index.ts'

export interface SignInHost extends ConsentHost {
  readonly trace: Trace
  readonly link: Link
  /** The MCP endpoint. */
  readonly server: () => string
  /** The only revision to speak, where the user chose one. */
  readonly pinned: () => Revision | undefined
  readonly vault: Vault
  readonly redirectUri: string
  /** Address of the client id metadata document of this copy of the page, where it is good. Never throws. */
  readonly clientDocument?: () => Promise<string | undefined>
  /** Default: the runtime's own. */
  readonly fetch?: typeof fetch
  /** Through the local proxy, where there is one. */
  readonly relay?: Relay
  /** Its user gave an `Authorization` header by hand: what is remembered from earlier stands back. */
  readonly byHand?: () => boolean
  /** ms since the epoch. */
  readonly now?: () => number
  /** Nobody is there: failures end the flow, and step-ups begin by themselves. */
  readonly unattended?: true
  /** Of each request. */
  readonly limits?: WireOptions['limits']
  /** New tokens are there: whoever is connected goes on with them, else this connects. @throws {AuthError} not taken */
  authorized(why: FlowWhy): Promise<void>
}
