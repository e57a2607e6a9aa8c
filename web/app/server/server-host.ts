/** The parts of the window that a server needs. */
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
  /** @throws {Error} before `loadFeatures` has finished */
  readonly exchanges: Projection<Exchanges>
  readonly clientInfo: JsonObject
  readonly signIns: SignIns
  /** Open requests of all servers that this page connects to directly. */
  readonly openRequests: OpenRequests
  readonly proxy: ProxyAccess
  readonly servers: { readonly all: readonly (Viewed & { readonly status: ConnectionState })[] }
  /** @throws {Error} before `loadFeatures` has finished */
  readonly questions: ServerRequests
  /** All open servers, live and recorded. */
  readonly compared: readonly Viewed[]
  projectionOf<State>(fold: Fold<State>): Projection<State>
  connectionOf(link: Link): Connection | undefined
  /** Why an open connection can't be reached. */
  troubleOf(link: Link): Trouble | undefined
  /** An identity of the server, without secrets. @throws {Error} before `loadFeatures` has finished */
  storedKeyOf(target: Target): string
  loadFeatures(): Promise<readonly Feature[]>
  /** Called when its session opens, or opens again. */
  opened(server: Viewed): void
  reveal(seq: Seq): void
  go(route: Route): void
  /** The part of the URL that belongs to this server's panel. */
  placeOf(link: Link): string
  goWithin(link: Link, place: string): void
}

/** The local proxy, and the bridge to its processes. */
interface ProxyAccess {
  readonly current: Proxy
  readonly bridge: Bridge | undefined
  bridgeBy(create: (options: BridgeOptions) => Bridge): Bridge | undefined
}
