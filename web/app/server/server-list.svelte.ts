/* eslint-disable svelte/prefer-svelte-reactivity -- no Map here is read by the screen */
/** The servers of this tab, in the order of the rail. */
import type { Link } from '../../mcp/index.ts'
import { loadServers, type Store } from '../remembered.ts'
import type { saveServers } from '../storable.ts'
import type { ServerHost } from './server-host.ts'
import { Server, type ServerOptions } from './server.svelte.ts'
import { nameOf } from '../connect/index.ts'

export class ServerList {
  readonly #host: ServerHost
  #all = $state.raw<readonly Server[]>([])
  #lastLink = 0
  /** Includes removed servers, because their frames are still in the trace. */
  readonly #names = new Map<Link, () => string>()

  constructor(host: ServerHost) {
    this.#host = host
  }

  get all(): readonly Server[] {
    return this.#all
  }

  of(link: Link | undefined): Server | undefined {
    return this.#all.find((server) => server.link === link)
  }

  nameOf(link: Link): string {
    return this.#names.get(link)?.() ?? link
  }

  add(options: Omit<ServerOptions, 'link'> & { readonly link?: Link }): Server {
    const link = options.link ?? `s${this.#lastLink + 1}`
    this.#lastLink = Math.max(this.#lastLink, Number(link.slice(1)))
    const server = new Server(this.#host, { ...options, link })
    // A stored name already has its number.
    if (options.base === undefined) server.label.number(this.#taken())
    this.#names.set(link, () => server.name)
    this.#all = [...this.#all, server]
    return server
  }

  /** Uses the best name known: the user's, the server's own, or one derived from the input. */
  rename(server: Server): void {
    const base = server.draft.givenName || server.ownName || nameOf(server.target)
    server.label.take(base, this.#taken(server))
  }

  #taken(except?: Server): ReadonlySet<string> {
    return new Set(this.#all.flatMap((server) => (server === except ? [] : [server.name])))
  }

  /** @returns the server that takes its place in the rail */
  remove(server: Server): Server | undefined {
    const at = this.#all.indexOf(server)
    this.#all = this.#all.filter((other) => other !== server)
    return this.#all[Math.min(at, this.#all.length - 1)]
  }

  /** Restores the servers of this tab after a reload, without connecting them. */
  load(store: Store): void {
    for (const saved of loadServers(store)) this.add(saved)
  }

  /** @param write omits secrets */
  save(store: Store, write: typeof saveServers): void {
    const saved = this.#all.map(({ link, name, label, draft, target, launch, settings, era }) => {
      return { link, name, base: label.base, given: draft.givenName, target, launch, settings, era }
    })
    write(store, saved)
  }
}
