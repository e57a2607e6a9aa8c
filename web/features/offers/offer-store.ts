/**
 * What servers offered last, kept on the device: what the same server offers the next time can be held against it. A server
 * is known by a digest of its address or command line, for those may hold secrets.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { openDatabase } from '../../ui/index.ts'
import { isObject } from '../../mcp/index.ts'
import { hexOf, sha256 } from '../../mcp/web-crypto.ts'
import type { Json } from '../../mcp/index.ts'
import type { Offer } from '../../compare/index.ts'

export interface KeptOffer {
  /** ms since the epoch: when it was first seen so, and last. */
  readonly from: number
  readonly to: number
  readonly offer: Offer
}

interface Kept {
  readonly to: number
  /** The latest first. */
  readonly offers: readonly KeptOffer[]
}

interface Schema extends DBSchema {
  offers: { key: string; value: unknown }
}

const NAME = 'periscope.offers'
/** Of one server, and servers. */
export const MOST_OFFERS = 5
const MOST_SERVERS = 60
/** Characters of JSON of one offer: what is larger is not kept. */
const LARGEST = 4 * 1024 * 1024
const LISTS = ['tools', 'resources', 'templates', 'prompts'] as const

/** Never throws: without a place to keep them there are none. */
export class OfferStore {
  #database: Promise<IDBPDatabase<Schema> | undefined> | undefined

  /** The latest first. */
  async of(server: string): Promise<readonly KeptOffer[]> {
    const database = await this.#open()
    return keptFrom(await database?.get('offers', server).catch(() => undefined))
  }

  /** Takes `offers` in the place of what was kept; servers that were not seen for longest go. */
  async put(server: string, offers: readonly KeptOffer[]): Promise<void> {
    const database = await this.#open()
    if (!database) return
    const small = offers.filter(({ offer }) => JSON.stringify(offer).length <= LARGEST).slice(0, MOST_OFFERS)
    try {
      const transaction = database.transaction('offers', 'readwrite')
      await transaction.store.put({ to: small[0]?.to ?? 0, offers: small } satisfies Kept, server)
      const excess = (await transaction.store.count()) - MOST_SERVERS
      if (excess > 0) {
        const [keys, all] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()])
        const oldest = keys
          .map((name, at) => ({ name, to: (all[at] as Partial<Kept> | undefined)?.to ?? 0 }))
          .toSorted((one, other) => one.to - other.to)
        for (const { name } of oldest.slice(0, excess)) await transaction.store.delete(name)
      }
      await transaction.done
    } catch {
      // Full, or taken away: what is not kept cannot be compared with, and that is all.
    }
  }

  /** All of one server. */
  async forget(server: string): Promise<void> {
    await (await this.#open())?.delete('offers', server).catch(() => {})
  }

  #open(): Promise<IDBPDatabase<Schema> | undefined> {
    this.#database ??= openDatabase<Schema>(NAME, 1, (made) => void made.createObjectStore('offers')).catch(
      () => undefined,
    )
    return this.#database
  }
}

/** The name under which a server is kept. */
export const nameOf = async (address: string): Promise<string> => hexOf((await sha256(address)).slice(0, 16))

/** An offer whose lists were not asked for has those that were known: not asked is not gone. */
export const completed = (offer: Offer, known: Offer | undefined): Offer => {
  if (!known) return offer
  const missing = LISTS.filter((list) => !offer[list] && known[list] && abilityOf(list) in offer.capabilities)
  return { ...offer, ...Object.fromEntries(missing.map((list) => [list, known[list]])) }
}

const abilityOf = (list: (typeof LISTS)[number]) => (list === 'templates' ? 'resources' : list)

/** Read without trust: another version may have written it. */
const keptFrom = (value: unknown): readonly KeptOffer[] => {
  const { offers } = (value ?? {}) as { offers?: unknown }
  if (!Array.isArray(offers)) return []
  return offers.flatMap((each: unknown): KeptOffer[] => {
    const { from, to, offer } = (each ?? {}) as Partial<Record<keyof KeptOffer, unknown>>
    return typeof from === 'number' && typeof to === 'number' && isOffer(offer as Json)
      ? [{ from, to, offer: offer as Offer }]
      : []
  })
}

const isOffer = (value: Json | undefined): boolean => {
  if (value === undefined || !isObject(value)) return false
  const { info, capabilities, revision = '', instructions = '' } = value
  return (
    isObject(info) &&
    isObject(capabilities) &&
    typeof revision === 'string' &&
    typeof instructions === 'string' &&
    LISTS.every((list) => value[list] === undefined || Array.isArray(value[list]))
  )
}
