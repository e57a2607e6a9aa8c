/**
 * State that connections and recordings need but the first screen doesn't: loaded with the first of them,
 * or when the page is idle.
 */
import { loadDecision } from '../features/overview/lazy.ts'
import type { PendingRequests } from '../features/server-requests/index.ts'
import type { Link, Liveness } from '../mcp/index.ts'
import { loadOnce } from '../ui/index.ts'
import { live } from '../ui/index.svelte.ts'
import type { Connected } from './connected-features.ts'
import type { FoldedTrace } from './folded-trace.ts'
import { loadTransports } from './server/lazy.ts'
import type { Connection, ShownServer } from './server/index.ts'
import type { Server } from './server/index.svelte.ts'
import { texts } from './text/texts.svelte.ts'

interface Bench extends Pick<FoldedTrace, 'trace' | 'state'> {
  readonly servers: { readonly all: readonly Server[] }
  opened(server: Server): void
  report(error: unknown): void
}

export class ConnectedState {
  readonly #bench: Bench
  /** @throws {TypeError} it can't be loaded, as after an update or without a network; calling again retries */
  readonly load: () => Promise<Connected>
  #current = $state.raw<Connected>()
  #pendingRequests: PendingRequests | undefined
  #connections = $state.raw<{ readonly current: Map<Link, Connection> }>()
  #liveness: { readonly current: Map<Link, Liveness> } | undefined

  /** @param fetch loads it together with its views */
  constructor(bench: Bench, fetch: () => Promise<Connected>) {
    this.#bench = bench
    this.load = loadOnce(async () => this.#take(await fetch()))
  }

  /** Absent until loaded. */
  get current(): Connected | undefined {
    return this.#current
  }

  /** @throws {Error} before `current` is available */
  get pendingRequests(): PendingRequests {
    if (!this.#pendingRequests) throw new Error('This comes with the first connection, and there was none')
    return this.#pendingRequests
  }

  connectionOf(link: Link): Connection | undefined {
    return this.#connections?.current.get(link)
  }

  /** Why an open connection can't be reached. */
  troubleOf(link: Link): Liveness['trouble'] {
    return this.#liveness?.current.get(link)?.trouble
  }

  /**
   * Loads after the first screen, to be ready when needed: also what sends requests and explains failures, because a
   * proxy that stopped can't deliver it any more.
   */
  loadWhenIdle(): void {
    // A failure is reported when it is actually needed.
    const load = () =>
      void this.load()
        .then(() => Promise.all([loadTransports(), loadDecision()]))
        .catch(() => {})
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: 2_000 })
    else setTimeout(load, 200)
  }

  /** The feature to show for a server: the requested one, or the first that it offers. */
  featureOf(server: ShownServer, requested: string | undefined): string {
    const tabs = this.#current?.tabFeatures.filter(({ at, existsFor }) => !at && (existsFor?.(server) ?? true))
    if (!tabs) return requested ?? 'overview'
    if (requested && tabs.some(({ id }) => id === requested)) return requested
    const { peer } = server
    const first = tabs.find(({ id, offered }) => id !== 'overview' && peer && offered?.(peer))
    return first?.id ?? 'overview'
  }

  /** Sets up everything that must follow the trace from its first session on. */
  #take(connected: Connected): Connected {
    const bench = this.#bench
    // Create projections first: they must process a frame before anything acts on it.
    bench.state(connected.exchanges)
    this.#connections = live(bench.state(connected.connections))
    this.#liveness = live(bench.state(connected.livenessFold))
    this.#pendingRequests = connected.pendingRequests(bench, () => bench.servers.all)
    connected.followSessions(bench.trace, bench.state(connected.healthFold), {
      server: (link) => bench.servers.all.find((one) => one.link === link),
      restart: (server) => bench.opened(server),
      silent: (server, pings) =>
        void server.unanswered(texts.t.pingsMissed(pings)).catch((error: unknown) => bench.report(error)),
    })
    this.#current = connected
    return connected
  }
}
