/** What each server offered before this connection, and what has changed. */
import { Signal } from '../../mcp/index.ts'
import type { Exchanges, JsonObject, Link, Peer, Projection, Trace } from '../../mcp/index.ts'
import { changesBetween, type Change, addressOf, followOffer, offerOf, type Offer, key } from '../../compare/index.ts'
import { completed, nameOf, OfferStore, type KeptOffer } from './offer-store.ts'

/** ms without another list, after which what came is taken for all. */
const REST = 600

/** The part of a server's view that is needed here. */
interface Offering {
  readonly slot: string
  readonly link: Link
  readonly trace: Trace
  readonly exchanges: Projection<Exchanges>
  readonly peer: Peer | undefined
}

interface Known {
  /** The name under which it is kept. */
  readonly name: string
  /** From earlier connections, the latest first; without one that is the same as what is offered now. */
  readonly before: readonly KeptOffer[]
  /** What is otherwise than it was the last time, most severe first. */
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

  /** Keeps what the server offers, and holds it against what it offered when it was connected to before. */
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
    // It is open already when it is followed.
    wait()
    this.#stops.set(server.slot, () => {
      stop()
      clearTimeout(timer)
    })
  }

  /** All that was kept of the server from earlier connections. */
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
