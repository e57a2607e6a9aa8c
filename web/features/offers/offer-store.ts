/**
 * Stores what servers offered last, so that the next offer of the same server can be compared with it. Servers are
 * identified by a digest of their URL or command line, because those may contain secrets.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { openDatabase } from '../../ui/index.ts'
import { isObject } from '../../mcp/index.ts'
import { hexOf, sha256 } from '../../mcp/web-crypto.ts'
import type { Json } from '../../mcp/index.ts'
import type { Offer } from '../../compare/index.ts'

export interface KeptOffer {
  /** ms since the epoch: first and last time that this offer was seen. */
  readonly from: number
  readonly to: number
  readonly offer: Offer
}

interface Kept {
  readonly to: number
  /** Latest first. */
  readonly offers: readonly KeptOffer[]
}

interface Schema extends DBSchema {
  offers: { key: string; value: unknown }
}

const NAME = 'periscope.offers'
/** Most offers per server, and most servers. */
export const MOST_OFFERS = 5
const MOST_SERVERS = 60
/** Largest stored offer, in characters of JSON. */
const LARGEST = 4 * 1024 * 1024
const LISTS = ['tools', 'resources', 'templates', 'prompts'] as const

/** Never throws. If storage isn't available, there are no offers. */
export class OfferStore {
  #database: Promise<IDBPDatabase<Schema> | undefined> | undefined

  /** Latest first. */
  async of(server: string): Promise<readonly KeptOffer[]> {
    const database = await this.#open()
    return keptFrom(await database?.get('offers', server).catch(() => undefined))
  }

  /** Replaces a server's stored offers with `offers`; drops the servers that were last seen longest ago. */
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
      // Storage is full or was revoked: the offer just can't be compared later.
    }
  }

  /** Deletes all offers of one server. */
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

/** The key of a server in the store. */
export const nameOf = async (address: string): Promise<string> => hexOf((await sha256(address)).slice(0, 16))

/** Fills lists that weren't requested from the known offer: not requested doesn't mean removed. */
export const completed = (offer: Offer, known: Offer | undefined): Offer => {
  if (!known) return offer
  const missing = LISTS.filter((list) => !offer[list] && known[list] && abilityOf(list) in offer.capabilities)
  return { ...offer, ...Object.fromEntries(missing.map((list) => [list, known[list]])) }
}

const abilityOf = (list: (typeof LISTS)[number]) => (list === 'templates' ? 'resources' : list)

/** Validated, because another version of this app may have written it. */
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
