/* eslint-disable svelte/prefer-svelte-reactivity -- no Map here is read by the screen */
/**
 * The window's current place: the route, the URL that shows it, and the place last shown for each server. Part of the
 * Workbench, which only composes such parts.
 */
import type { Link } from '../mcp/index.ts'
import { formatRoute, HOME, sharedIn, type Route } from './route.ts'

/** ms until a URL change that the browser refused is retried. */
const RETRY_AFTER = 5_000

export class Navigation {
  #route = $state.raw<Route>(HOME)
  #retry: number | undefined
  readonly #lastRoutes = new Map<Link, Route>()
  readonly #exists: (route: Route) => boolean

  /** @param exists whether the server or recording of a route exists; otherwise the route becomes the home route */
  constructor(exists: (route: Route) => boolean) {
    this.#exists = exists
  }

  get route(): Route {
    return this.#route
  }

  go(route: Route): void {
    const before = this.#route
    this.arrive(route)
    const next = this.#route
    const hash = formatRoute(next)
    if (hash === formatRoute(before) && location.hash === hash) return
    // Moving within a list adds no history entries.
    const same = before.server === next.server && before.recording === next.recording
    const replace = (same && before.feature === next.feature) || sharedIn(location.hash) !== undefined
    this.#show(hash, replace ? 'replace' : 'push')
  }

  /** Goes to a server, at the place last shown for it. */
  goTo(link: Link): void {
    this.go(this.#lastRoutes.get(link) ?? { server: link, place: '' })
  }

  /** Applies a route that the address bar already shows. */
  arrive(route: Route): void {
    this.#route = this.#exists(route) ? route : HOME
    const { server, recording } = this.#route
    if (server && recording === undefined) this.#lastRoutes.set(server, this.#route)
  }

  /**
   * Never throws. A browser may refuse to change the URL: Safari after 100 changes in 30 s, others in some iframes. The
   * page works anyway, and the change is retried later.
   * @param how `push`: adds a history entry, so that Back returns to the previous place
   */
  #show(fragment: string, how: 'push' | 'replace'): void {
    window.clearTimeout(this.#retry)
    try {
      if (how === 'push') history.pushState(null, '', fragment)
      else history.replaceState(history.state, '', fragment)
    } catch {
      this.#retry = window.setTimeout(() => this.#show(fragment, 'replace'), RETRY_AFTER)
    }
  }
}
