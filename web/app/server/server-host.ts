/** What a server needs of the window it is in. */
import type { Feature, ServerRequests } from '../../features/feature.ts'
import type {
  Bridge,
  BridgeOptions,
  Exchanges,
  Fold,
  JsonObject,
  Link,
  OpenRequests,
  Projection,
  Seq,
  Trace,
  Trouble,
} from '../../mcp/index.ts'
import type { Proxy } from '../launch.ts'
import type { Target } from '../connect/index.ts'
import type { Route } from '../route.ts'
import type { Connection, ConnectionState } from './connection.ts'
import type { SignIns } from './sign-ins.ts'
import type { Viewed } from './viewed.ts'

export interface ServerHost {
  readonly trace: Trace
  /** @throws {Error} before `loadFeatures` */
  readonly exchanges: Projection<Exchanges>
  readonly clientInfo: JsonObject
  readonly signIns: SignIns
  /** Of all servers that this page talks to directly. */
  readonly openRequests: OpenRequests
  readonly proxy: ProxyAccess
  readonly servers: { readonly all: readonly (Viewed & { readonly status: ConnectionState })[] }
  /** @throws {Error} before `loadFeatures` */
  readonly questions: ServerRequests
  /** All servers that are open, live and recorded. */
  readonly compared: readonly Viewed[]
  projectionOf<State>(fold: Fold<State>): Projection<State>
  connectionOf(link: Link): Connection | undefined
  /** Why an open connection can't be reached. */
  troubleOf(link: Link): Trouble | undefined
  /** The same for the same server, without secrets. @throws {Error} before `loadFeatures` */
  storedKeyOf(target: Target): string
  loadFeatures(): Promise<readonly Feature[]>
  /** Its session opened, or opened again. */
  opened(server: Viewed): void
  reveal(seq: Seq): void
  go(route: Route): void
  /** The part of the address that belongs to the panel of this server. */
  placeOf(link: Link): string
  goWithin(link: Link, place: string): void
}

/** The local proxy, and the one way to its processes. */
interface ProxyAccess {
  readonly current: Proxy
  readonly bridge: Bridge | undefined
  bridgeBy(create: (options: BridgeOptions) => Bridge): Bridge | undefined
}
