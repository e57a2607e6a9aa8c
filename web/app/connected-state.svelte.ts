/** What a connection or a recording needs and the first screen does not: loaded with the first of them, or when there is time. */
import type { PendingRequests } from '../features/questions/index.ts'
import type { Fold, Projection, Trace } from '../mcp/index.ts'
import type { Connected } from './connected-features.ts'
import type { Viewed } from './server/index.ts'
import type { Server } from './server/index.svelte.ts'
import { texts } from './text/texts.svelte.ts'

interface Bench {
  readonly trace: Trace
  readonly servers: readonly Server[]
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
    if (!this.#questions) throw new Error('Questions come from what is connected, and nothing was')
    return this.#questions
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

  /** After the first screen stands: what comes next is there when it is asked for. */
  loadWhenIdle(): void {
    // What fails here is told when it is needed.
    const load = () => void this.load().catch(() => {})
    // Safari has no idle time to offer.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: 2_000 })
    else setTimeout(load, 200)
  }

  /** The feature that is shown for a server: the one that is wished for, or the first that is worth looking at. */
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
    this.#questions = connected.pendingRequests(bench)
    // The projection comes first, so that it has seen a frame before whoever acts on it.
    connected.followSessions(bench.trace, bench.projectionOf(connected.healthFold), {
      server: (link) => bench.servers.find((one) => one.link === link),
      anew: (server) => bench.opened(server),
      silent: (server, pings) =>
        void server.unanswered(texts.t.pingsMissed(pings)).catch((error: unknown) => bench.report(error)),
    })
    this.#current = connected
    return connected
  }
}
