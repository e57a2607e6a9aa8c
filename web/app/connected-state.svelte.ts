/** What a connection or a recording needs and the first screen does not: loaded with the first of them, or when there is time. */
import type { PendingRequests } from '../features/server-requests/index.ts'
import type { Exchanges, Fold, Link, Projection, Reachability, Trace } from '../mcp/index.ts'
import { live } from '../ui/index.svelte.ts'
import type { Connected } from './connected-features.ts'
import type { Connection, Viewed } from './server/index.ts'
import type { Server } from './server/index.svelte.ts'
import { texts } from './text/texts.svelte.ts'

interface Bench {
  readonly trace: Trace
  readonly servers: { readonly all: readonly Server[] }
  projectionOf<State>(fold: Fold<State>): Projection<State>
  opened(server: Server): void
  report(error: unknown): void
}

export class ConnectedState {
  readonly #bench: Bench
  readonly #fetch: () => Promise<Connected>
  #current = $state.raw<Connected>()
  #loading: Promise<Connected> | undefined
  #questions: PendingRequests | undefined
  #exchanges: Projection<Exchanges> | undefined
  #connections = $state.raw<{ readonly current: Map<Link, Connection> }>()
  #reachability: { readonly current: Map<Link, Reachability> } | undefined

  /** @param fetch loads it with the views that show it */
  constructor(bench: Bench, fetch: () => Promise<Connected>) {
    this.#bench = bench
    this.#fetch = fetch
  }

  /** Absent until it has loaded. */
  get current(): Connected | undefined {
    return this.#current
  }

  /** @throws {Error} before `current` is there */
  get questions(): PendingRequests {
    return loaded(this.#questions)
  }

  /** @throws {Error} before `current` is there */
  get exchanges(): Projection<Exchanges> {
    return loaded(this.#exchanges)
  }

  connectionOf(link: Link): Connection | undefined {
    return this.#connections?.current.get(link)
  }

  /** Why an open connection can't be reached. */
  troubleOf(link: Link): Reachability['trouble'] {
    return this.#reachability?.current.get(link)?.trouble
  }

  /** @throws {TypeError} it cannot be fetched, as after an update or without a network; another call tries again */
  async load(): Promise<Connected> {
    this.#loading ??= this.#fetch().then(
      (connected) => this.#take(connected),
      (error: unknown) => {
        this.#loading = undefined
        throw error
      },
    )
    return await this.#loading
  }

  /** Loads after the first screen, so that what comes next is there when it is needed. */
  loadWhenIdle(): void {
    // A failure is reported when it is needed.
    const load = () => void this.load().catch(() => {})
    // Safari has no idle time to offer.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: 2_000 })
    else setTimeout(load, 200)
  }

  /** The feature to show for a server: the requested one, or the first that it offers. */
  featureOf({ peer }: Viewed, wished: string | undefined): string {
    const { tabFeatures } = this.#current ?? {}
    if (!tabFeatures) return wished ?? 'overview'
    if (wished && tabFeatures.some(({ id }) => id === wished)) return wished
    const first = tabFeatures.find(({ id, offered }) => id !== 'overview' && peer && offered?.(peer))
    return first?.id ?? 'overview'
  }

  /** What must follow the trace does so from its first session on. */
  #take(connected: Connected): Connected {
    const bench = this.#bench
    // Projections come first: they must have seen a frame before anything acts on it.
    this.#exchanges = bench.projectionOf(connected.exchanges)
    this.#connections = live(bench.projectionOf(connected.connections))
    this.#reachability = live(bench.projectionOf(connected.reachabilityFold))
    this.#questions = connected.pendingRequests(bench)
    connected.followSessions(bench.trace, bench.projectionOf(connected.healthFold), {
      server: (link) => bench.servers.all.find((one) => one.link === link),
      anew: (server) => bench.opened(server),
      silent: (server, pings) =>
        void server.unanswered(texts.t.pingsMissed(pings)).catch((error: unknown) => bench.report(error)),
    })
    this.#current = connected
    return connected
  }
}

const loaded = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('This comes with the first connection, and there was none')
  return value
}
