/** What was looked at last in the Inbox of each server's screen; it ends with the page. */
import type { Link } from '../../mcp/index.ts'

class Picked {
  id = $state('')
}

class PickedByLink {
  readonly #byLink = new Map<Link, Picked>()

  of(link: Link): Picked {
    let picked = this.#byLink.get(link)
    if (!picked) this.#byLink.set(link, (picked = new Picked()))
    return picked
  }
}

export const pickedIn = new PickedByLink()
