/**
 * The fragment in the address bar. A browser may refuse to change it: Safari after 100 changes in 30 s, others in some
 * embeddings. The page then continues without, and updates the URL as soon as it is allowed.
 */

/** ms before a refused change is tried again. */
const LATER = 5_000

export class AddressBar {
  readonly #page: Pick<Window, 'history' | 'location' | 'setTimeout' | 'clearTimeout'>
  #retry: number | undefined

  constructor(page: Pick<Window, 'history' | 'location' | 'setTimeout' | 'clearTimeout'>) {
    this.#page = page
  }

  /** Never throws. @param how `push`: adds a history entry, so that Back returns to the previous place */
  show(fragment: string, how: 'push' | 'replace'): void {
    const page = this.#page
    page.clearTimeout(this.#retry)
    try {
      if (how === 'push') page.history.pushState(null, '', fragment)
      else page.history.replaceState(page.history.state, '', fragment)
    } catch {
      this.#retry = page.setTimeout(() => this.show(fragment, 'replace'), LATER)
    }
  }
}

/** Removes a part of the URL that must not stay there. Never throws. */
export const cleanAddress = (
  {
    history,
    location,
  }: { readonly history: History; readonly location: Pick<Location, 'hash' | 'pathname' | 'search'> },
  fragment: string,
): void => {
  try {
    history.replaceState(history.state, '', location.pathname + location.search + fragment)
  } catch {
    try {
      location.hash = fragment
    } catch {
      // The browser refused, so it stays.
    }
  }
}
