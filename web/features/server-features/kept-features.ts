/**
 * The features of each server (its lists, capabilities and identity) before this connection, and the changes since. They
 * are stored, so that the next connection to the same server can be compared. Servers are identified by a digest of their
 * URL or command line, because those may contain secrets.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { exchanges, isObject, Signal, type Json, type JsonObject } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'
import {
  changesBetween,
  type Change,
  addressOf,
  followServerFeatures,
  serverFeaturesOf,
  type ServerFeatures,
  key,
} from '../../compare/index.ts'
import { hexOf, sha256 } from '../../mcp/web-crypto.ts'
import { openDatabase } from '../../ui/index.ts'

export interface KeptFeatures {
  /** ms since the epoch: first and last time that these features were seen. */
  readonly from: number
  readonly to: number
  readonly offer: ServerFeatures
}

interface Kept {
  readonly to: number
  /** Latest first. */
  readonly offers: readonly KeptFeatures[]
}

interface Schema extends DBSchema {
  offers: { key: string; value: unknown }
}

const NAME = 'periscope.offers'
/** Most kept per server, and most servers. */
export const MOST_KEPT = 5
const MOST_SERVERS = 60
/** Largest stored value, in characters of JSON. */
const LARGEST = 4 * 1024 * 1024
const LISTS = ['tools', 'resources', 'templates', 'prompts'] as const

/** Never throws. Without storage, nothing is stored or found. The stored names are from an earlier version. */
export class FeaturesStore {
  #database: Promise<IDBPDatabase<Schema> | undefined> | undefined

  /** Latest first. */
  async of(server: string): Promise<readonly KeptFeatures[]> {
    const database = await this.#open()
    return keptFrom(await database?.get('offers', server).catch(() => undefined))
  }

  /** Replaces what is stored for a server with `offers`; drops the servers that were last seen longest ago. */
  async put(server: string, offers: readonly KeptFeatures[]): Promise<void> {
    const database = await this.#open()
    if (!database) return
    const small = offers.filter(({ offer }) => JSON.stringify(offer).length <= LARGEST).slice(0, MOST_KEPT)
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
      // Storage is full or was revoked: the features just can't be compared later.
    }
  }

  /** Deletes all that is stored for one server. */
  async forget(server: string): Promise<void> {
    await (await this.#open())?.delete('offers', server).catch(() => {})
  }

  /** Of how many servers something is stored, and its size in characters of JSON. */
  async amount(): Promise<{ readonly count: number; readonly size: number }> {
    const all = (await (await this.#open())?.getAll('offers').catch(() => [])) ?? []
    return { count: all.length, size: all.length === 0 ? 0 : JSON.stringify(all).length }
  }

  /** Deletes all that is stored. */
  async clear(): Promise<void> {
    await (await this.#open())?.clear('offers').catch(() => {})
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

/** Fills lists that weren't requested from the known features: not requested doesn't mean removed. */
export const completed = (offer: ServerFeatures, known: ServerFeatures | undefined): ServerFeatures => {
  if (!known) return offer
  const missing = LISTS.filter((list) => !offer[list] && known[list] && abilityOf(list) in offer.capabilities)
  return { ...offer, ...Object.fromEntries(missing.map((list) => [list, known[list]])) }
}

const abilityOf = (list: (typeof LISTS)[number]) => (list === 'templates' ? 'resources' : list)

/** Validated, because another version of this app may have written it. */
const keptFrom = (value: unknown): readonly KeptFeatures[] => {
  const { offers } = (value ?? {}) as { offers?: unknown }
  if (!Array.isArray(offers)) return []
  return offers.flatMap((each: unknown): KeptFeatures[] => {
    const { from, to, offer } = (each ?? {}) as Partial<Record<keyof KeptFeatures, unknown>>
    return typeof from === 'number' && typeof to === 'number' && isServerFeatures(offer as Json)
      ? [{ from, to, offer: offer as ServerFeatures }]
      : []
  })
}

const isServerFeatures = (value: Json | undefined): boolean => {
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

/** ms without another list, after which the features count as complete. */
const REST = 600

type ConnectedServer = Pick<ServerView, 'slot' | 'link' | 'trace' | 'state' | 'peer'>

interface Known {
  /** The key in the store. */
  readonly name: string
  /** Features in earlier connections, latest first, except those that equal the current ones. */
  readonly before: readonly KeptFeatures[]
  /** Changes since the last connection, most severe first. */
  readonly since: readonly Change[]
}

export const featuresBy = (server: ConnectedServer): ServerFeatures | undefined =>
  serverFeaturesOf(server.link, {
    exchanges: server.state(exchanges).current,
    at: (seq) => server.trace.at(seq),
    peer: server.peer,
  })

const jsonOf = (offer: ServerFeatures): JsonObject => ({ ...offer })

/**
 * Compares a server's features with those of its earlier connections.
 *
 * @param earlier latest first
 * @param now ms since the epoch
 * @returns what `Known` has, and what to store
 */
export const compared = (
  offer: ServerFeatures,
  earlier: readonly KeptFeatures[],
  now: number,
): Pick<Known, 'before' | 'since'> & { readonly kept: readonly KeptFeatures[] } => {
  const [last, ...others] = earlier
  const whole = completed(offer, last?.offer)
  if (!last) return { before: [], since: [], kept: [{ from: now, to: now, offer: whole }] }
  // A list that came too late to be stored last time isn't new now.
  const known = completed(last.offer, whole)
  const same = key(jsonOf(known)) === key(jsonOf(whole))
  const before = same ? others : earlier
  const since = same ? [] : changesBetween(known, whole)
  return { before, since, kept: [{ from: same ? last.from : now, to: now, offer: whole }, ...before] }
}

class AllKeptFeatures {
  readonly #store = new FeaturesStore()
  readonly #stops = new Map<string, () => void>()
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe
  /** By the slot of the server. */
  current: ReadonlyMap<string, Known> = new Map()

  /** Stores the server's features, and compares them with those in the last connection. */
  follow(server: ConnectedServer): void {
    this.#stops.get(server.slot)?.()
    let earlier: readonly KeptFeatures[] | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const settle = async (): Promise<void> => {
      const [offer, address] = [featuresBy(server), addressOf(server.link, server.trace)]
      const name = address === undefined ? undefined : await nameOf(address)
      if (!offer || name === undefined) return
      earlier ??= await this.#store.of(name)
      const { before, since, kept } = compared(offer, earlier, Date.now())
      this.#tell(server.slot, { name, before, since })
      await this.#store.put(name, kept)
    }
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void settle(), REST)
    }
    const stop = followServerFeatures(server.trace, server.link, wait)
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

  /** Of how many servers something is stored, and its size in characters of JSON. */
  async amount(): Promise<{ readonly count: number; readonly size: number }> {
    return await this.#store.amount()
  }

  /** Deletes what was stored of all servers. */
  async clear(): Promise<void> {
    for (const [slot, known] of this.current) this.#tell(slot, { ...known, before: [], since: [] })
    await this.#store.clear()
  }

  #tell(slot: string, known: Known): void {
    this.current = new Map([...this.current, [slot, known]])
    this.#changes.emit()
  }
}

export const keptFeatures = new AllKeptFeatures()
