/** All pages of one proxy. Owns every child until its process group is gone (rule 3). */
import { LIMITS, type Limits } from './limits.ts'
import { MemoryBudget } from './memory-budget.ts'
import { Page } from './page.ts'
import { badRequest, endedRefusal, Refusal } from './refusal.ts'
import { RelayedResponse } from './relayed-response.ts'
import type { Spawned, SpawnRequest } from './wire.ts'

/** Ids of ended pages that are kept. */
const MAX_ENDED = 1024

export class Pages {
  readonly limits: Limits
  /** Of all pages together. */
  readonly memory: MemoryBudget
  readonly #pages = new Map<string, Page>()
  /** Pages that were ended by their own word: a spawn that arrives later, on another connection, must not revive one. */
  readonly #ended = new Set<string>()
  #childCount = 0
  #closing = false

  constructor(limits: Partial<Limits> = {}) {
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
   * The page of this id, new where it was not known.
   * @throws {Refusal} 400 for an id that is none, 429 when there are too many, 503 while the proxy ends
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
    )
    this.#pages.set(id, page)
    return page
  }

  find(id: string): Page | undefined {
    if (!/^[\w-]{1,64}$/.test(id)) {
      throw badRequest('A page ID must have 1 to 64 letters, digits, `-` or `_`.', 'Use a UUID.')
    }
    return this.#pages.get(id)
  }

  /**
   * The event stream of a page; one that had ended begins again with it.
   * @throws {Refusal} see `open`
   */
  listen(id: string, after: number): ReadableStream<Uint8Array> {
    const page = this.open(id)
    this.#ended.delete(id)
    return page.listen(after)
  }

  /**
   * Makes place for a relayed response.
   * @param keepalive it is sent even where the page has left already
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

  /** Ends the children of a page for good, and what may still arrive to start one. */
  end(id: string): void {
    void this.find(id)?.end()
    this.#ended.add(id)
    if (this.#ended.size > MAX_ENDED) this.#ended.delete(this.#ended.values().next().value!)
  }

  /** @throws {Refusal} 410 when the page has ended; see `open` and `Page.spawn` */
  async spawn(id: string, request: SpawnRequest): Promise<Spawned> {
    if (this.#ended.has(id)) throw endedRefusal()
    const page = this.open(id)
    if (this.children >= this.limits.children) {
      throw new Refusal(429, {
        code: 'too-many',
        message: `Periscope already runs ${this.children} servers. The limit for all pages is ${this.limits.children}.`,
        remedy: "Close pages or disconnect servers you don't need.",
      })
    }
    return page.spawn(request)
  }

  /** Takes no more work and ends all children in order. Resolves when none of their processes is left. */
  async close(): Promise<void> {
    this.#closing = true
    await Promise.all([...this.#pages.values()].map((page) => page.end()))
  }

  /** SIGKILL to everything at once. Synchronous: the last thing before the proxy itself goes. */
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
