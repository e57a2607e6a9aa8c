/** What each server offered before this connection, and the changes since. */
import { Signal } from '../../mcp/index.ts'
import type { Exchanges, JsonObject, Link, Peer, Projection, Trace } from '../../mcp/index.ts'
import { changesBetween, type Change, addressOf, followOffer, offerOf, type Offer, key } from '../../compare/index.ts'
import { completed, nameOf, OfferStore, type KeptOffer } from './offer-store.ts'

/** ms without another list, after which the offer counts as complete. */
const REST = 600

/** The part of ServerView that is used here. */
interface Offering {
  readonly slot: string
  readonly link: Link
  readonly trace: Trace
  readonly exchanges: Projection<Exchanges>
  readonly peer: Peer | undefined
}

interface Known {
  /** The key in the store. */
  readonly name: string
  /** Offers from earlier connections, latest first, except one that equals the current offer. */
  readonly before: readonly KeptOffer[]
  /** Changes since the last connection, most severe first. */
  readonly since: readonly Change[]
}

export const offeredBy = ({ link, exchanges, trace, peer }: Offering): Offer | undefined =>
  offerOf(link, { exchanges: exchanges.current, at: (seq) => trace.at(seq), peer })

const jsonOf = (offer: Offer): JsonObject => ({ ...offer })

class Offers {
  readonly #store = new OfferStore()
  readonly #stops = new Map<string, () => void>()
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe
  /** By the slot of the server. */
  current: ReadonlyMap<string, Known> = new Map()

  /** Stores what the server offers, and compares it with its offer in the last connection. */
  follow(server: Offering): void {
    this.#stops.get(server.slot)?.()
    let earlier: readonly KeptOffer[] | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const settle = async (): Promise<void> => {
      const [offer, address] = [offeredBy(server), addressOf(server.link, server.trace)]
      const name = address === undefined ? undefined : await nameOf(address)
      if (!offer || name === undefined) return
      earlier ??= await this.#store.of(name)
      const [last, ...others] = earlier
      const whole = completed(offer, last?.offer)
      const now = Date.now()
      const same = last !== undefined && key(jsonOf(last.offer)) === key(jsonOf(whole))
      const before = same ? others : earlier
      const since = last && !same ? changesBetween(last.offer, whole) : []
      this.#tell(server.slot, { name, before, since })
      await this.#store.put(name, [{ from: same ? last.from : now, to: now, offer: whole }, ...before])
    }
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void settle(), REST)
    }
    const stop = followOffer(server.trace, server.link, wait)
    // The connection is already open at this point.
    wait()
    this.#stops.set(server.slot, () => {
      stop()
      clearTimeout(timer)
    })
  }

  /** Deletes what was stored from the server's earlier connections. */
  async forget(slot: string): Promise<void> {
    const known = this.current.get(slot)
    if (!known) return
    this.#tell(slot, { ...known, before: [], since: [] })
    await this.#store.forget(known.name)
  }

  #tell(slot: string, known: Known): void {
    this.current = new Map([...this.current, [slot, known]])
    this.#changes.emit()
  }
}

export const offers = new Offers()
