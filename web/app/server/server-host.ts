/** The parts of the window that a server needs. */
import type { Feature, ServerRequests } from '../../features/feature.ts'
import type { ConnectionSlots, JsonObject, Link, Seq, Trouble } from '../../mcp/index.ts'
import type { FoldedTrace } from '../folded-trace.ts'
import type { ProxyLink } from '../proxy-link.svelte.ts'
import type { Route } from '../route.ts'
import type { TabStorage } from '../browser-storage.ts'
import type { Connection, ConnectionState, ShownServer } from './connection.ts'
import type { SignIns } from './sign-ins.svelte.ts'

export interface ServerHost extends Pick<FoldedTrace, 'trace' | 'state'> {
  readonly clientInfo: JsonObject
  readonly signIns: SignIns
  readonly storage: TabStorage
  /** Connections in use by direct requests, of all servers. */
  readonly connectionSlots: ConnectionSlots
  readonly proxy: Pick<ProxyLink, 'bridge' | 'bridgeBy' | 'current' | 'searched'>
  readonly servers: { readonly all: readonly (ShownServer & { readonly status: ConnectionState })[] }
  readonly recordings: {
    /** All open servers, live and recorded. */
    readonly compared: readonly ShownServer[]
  }
  readonly connected: {
    load(): Promise<{ readonly features: readonly Feature[] }>
    /** @throws {Error} before `load` has finished */
    readonly pendingRequests: ServerRequests
    connectionOf(link: Link): Connection | undefined
    /** Why an open connection can't be reached. */
    troubleOf(link: Link): Trouble | undefined
  }
  /** Shows a notice. */
  tell(message: string): void
  /** Called when its session opens, or opens again. */
  opened(server: ShownServer): void
  reveal(seq: Seq): void
  share(exchange: Seq): void
  go(route: Route): void
  /** The part of the URL that belongs to this server's panel. */
  placeOf(link: Link): string
  goWithin(link: Link, place: string): void
}
