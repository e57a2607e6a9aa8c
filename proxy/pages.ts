/** All pages of one proxy. Owns every child until its process group is gone (rule 3). */
import { LIMITS, type Limits } from './limits.ts'
import { MemoryBudget } from './memory-budget.ts'
import { Page } from './page.ts'
import { badRequest, endedRefusal, Refusal } from './refusal.ts'
import { RelayedResponse } from './relayed-response.ts'
import type { LoadedTransport } from './transport-module.ts'
import type { FilesChanged, OpenRequest, Spawned, SpawnRequest } from './wire.ts'

/** IDs of ended pages to remember. */
const MAX_ENDED = 1024

export class Pages {
  readonly limits: Limits
  readonly transports: readonly LoadedTransport[]
  /** Shared by all pages. */
  readonly memory: MemoryBudget
  readonly #pages = new Map<string, Page>()
  /** Pages that ended themselves. A spawn that arrives later on another connection must not revive them. */
  readonly #ended = new Set<string>()
  #childCount = 0
  #closing = false

  /** @param transports those of modules */
  constructor(limits: Partial<Limits> = {}, transports: readonly LoadedTransport[] = []) {
    this.transports = transports
    this.limits = { ...LIMITS, ...limits }
    this.memory = new MemoryBudget(this.limits.held, this.limits.stall)
  }

  /** Live children of all pages. */
  get children(): number {
    let count = 0
    for (const page of this.#pages.values()) count += page.children
    return count
  }

  /**
   * The page with this ID; creates it if needed.
   * @throws {Refusal} 400 for an invalid ID, 429 for too many pages, 503 during shutdown
   */
  open(id: string): Page {
    if (this.#closing) {
      throw new Refusal(503, {
        code: 'gone',
        message: 'Periscope is shutting down.',
        remedy: 'Start it again and open the URL it prints.',
      })
    }
    const known = this.find(id)
    if (known) return known
    if (this.#pages.size >= this.limits.pages) this.#makeRoom()
    const page = new Page(
      this.limits,
      this.memory,
      () => `c${++this.#childCount}`,
      () => {
        if (this.#pages.get(id) === page) this.#pages.delete(id)
      },
      this.transports,
    )
    this.#pages.set(id, page)
    return page
  }

  find(id: string): Page | undefined {
    if (!/^[\w-]{1,64}$/.test(id)) {
      throw badRequest('A page ID must have 1 to 64 letters, digits, "-" or "_".', 'Use a UUID.')
    }
    return this.#pages.get(id)
  }

  /**
   * The event stream of a page. An ended page starts again.
   * @throws {Refusal} see `open`
   */
  listen(id: string, after: number): ReadableStream<Uint8Array> {
    const page = this.open(id)
    this.#ended.delete(id)
    return page.listen(after)
  }

  /**
   * Registers a relayed response.
   * @param keepalive send the request even if the page has already left
   * @throws {Refusal} see `open` and `Page.relay`
   */
  relay(id: string, subject: number, keepalive: boolean): RelayedResponse {
    if (!this.#ended.has(id)) return this.open(id).relay(subject, keepalive)
    if (!keepalive || this.#closing) throw endedRefusal()
    const nothing = (): void => {}
    const relayed = new RelayedResponse({ subject, keepalive, deliver: nothing, isFlowing: () => true, onEnd: nothing })
    relayed.pageLeft()
    return relayed
  }

  /** Ends a page's children, and refuses spawns that arrive later. */
  end(id: string): void {
    void this.find(id)?.end()
    this.#ended.add(id)
    if (this.#ended.size > MAX_ENDED) this.#ended.delete(this.#ended.values().next().value!)
  }

  /**
   * Starts a process, or opens a socket.
   * @throws {Refusal} 410 when the page has ended; see `open`, `Page.spawn` and `Page.open`
   */
  async start(id: string, request: SpawnRequest | OpenRequest): Promise<Spawned> {
    if (this.#ended.has(id)) throw endedRefusal()
    const page = this.open(id)
    if (this.children >= this.limits.children) {
      throw new Refusal(429, {
        code: 'too-many',
        message: `Periscope already runs ${this.children} servers. The limit for all pages is ${this.limits.children}.`,
        remedy: "Close pages or disconnect servers you don't need.",
      })
    }
    return 'target' in request ? page.open(request) : page.spawn(request)
  }

  /** Files of `--watch` changed. */
  filesChanged(change: FilesChanged): void {
    for (const page of this.#pages.values()) page.filesChanged(change)
  }

  /** Refuses new work and ends all children in order. Resolves once all their processes are gone. */
  async close(): Promise<void> {
    this.#closing = true
    await Promise.all([...this.#pages.values()].map((page) => page.end()))
  }

  /** Sends SIGKILL to everything. Synchronous, because it runs when the proxy exits. */
  kill(): void {
    this.#closing = true
    for (const page of this.#pages.values()) page.kill()
  }

  #makeRoom(): void {
    for (const [id, page] of this.#pages) {
      if (!page.idle) continue
      void page.end()
      this.#pages.delete(id)
      return
    }
    throw new Refusal(429, {
      code: 'too-many',
      message: `Periscope already serves ${this.#pages.size} pages. The limit is ${this.limits.pages}.`,
      remedy: "Close Periscope tabs you don't need.",
    })
  }
}
