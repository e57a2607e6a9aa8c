/* eslint-disable svelte/prefer-svelte-reactivity -- the Map here is the fallback store, which the screen doesn't read */
/**
 * Collections of saved calls: stored on the device, in IndexedDB because responses are large, and shared by all servers
 * and browser tabs. If storage is unavailable or full, they last until the page closes, and the panel says so.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { randomUuid } from '../../mcp/web-crypto.ts'
import type { Collection, Step } from '../../replay/index.ts'
import { openDatabase } from '../../ui/index.ts'
import { keptFrom, type KeptCollection } from './kept-collection.ts'

/**
 * `full`: the number of collections is at its limit. `too-large`: the collection exceeds its size limit. `refused`: by
 * the browser.
 */
export class NotKept extends Error {
  readonly code: 'full' | 'too-large' | 'refused'
  constructor(code: NotKept['code'], message: string) {
    super(message)
    this.name = 'NotKept'
    this.code = code
  }
}

interface Schema extends DBSchema {
  collections: { key: string; value: unknown }
}

/** Of the database, and of the channel between browser tabs. */
const NAME = 'periscope.collections'
const MOST = 200
/** Largest collection, in characters of JSON. */
const LARGEST = 16 * 1024 * 1024

export class CollectionStore {
  #database: Promise<IDBPDatabase<Schema> | undefined> | undefined
  /** Used if there is no persistent storage. */
  readonly #memory = new Map<string, KeptCollection>()

  /** Whether collections outlive the page. */
  async lasts(): Promise<boolean> {
    return (await this.#open()) !== undefined
  }

  /** All collections, by name. Never throws: unreadable ones are left out. */
  async all(): Promise<KeptCollection[]> {
    const database = await this.#open()
    const stored = database ? await database.getAll('collections').catch(() => []) : [...this.#memory.values()]
    return stored.flatMap((value) => keptFrom(value) ?? []).toSorted((one, other) => one.name.localeCompare(other.name))
  }

  /**
   * Replaces the collection with the same id.
   * @throws {NotKept}
   */
  async put(collection: KeptCollection): Promise<void> {
    await this.#change(collection.id, () => collection)
  }

  /**
   * Changes the stored collection, even if another browser tab stored it.
   * @returns the changed collection; `undefined` if the id doesn't exist
   * @throws {NotKept}
   */
  async change(id: string, by: (collection: KeptCollection) => Collection): Promise<KeptCollection | undefined> {
    return await this.#change(id, (known) => known && { ...by(known), id, changed: Date.now() })
  }

  async remove(id: string): Promise<void> {
    this.#memory.delete(id)
    await (await this.#open())?.delete('collections', id)
  }

  /** Deletes all collections. */
  async clear(): Promise<void> {
    this.#memory.clear()
    await (await this.#open())?.clear('collections')
  }

  async #change(
    id: string,
    by: (known: KeptCollection | undefined) => KeptCollection | undefined,
  ): Promise<KeptCollection | undefined> {
    const database = await this.#open()
    if (!database) {
      const next = by(this.#memory.get(id))
      if (next) this.#memory.set(id, bounded(next, this.#memory.has(id) ? 0 : this.#memory.size))
      return next
    }
    const transaction = database.transaction('collections', 'readwrite')
    try {
      const known = keptFrom(await transaction.store.get(id))
      const next = by(known)
      if (next) await transaction.store.put(plainOf(bounded(next, known ? 0 : await transaction.store.count())), id)
      await transaction.done
      return next
    } catch (error) {
      if (error instanceof NotKept) {
        transaction.abort()
        await transaction.done.catch(() => {})
        throw error
      }
      throw new NotKept('refused', error instanceof Error ? error.message : String(error))
    }
  }

  #open(): Promise<IDBPDatabase<Schema> | undefined> {
    this.#database ??= openDatabase<Schema>(NAME, 1, (made) => void made.createObjectStore('collections')).catch(
      () => undefined,
    )
    return this.#database
  }
}

const bounded = (collection: KeptCollection, others: number): KeptCollection => {
  if (others >= MOST) throw new NotKept('full', `The limit is ${MOST} collections. Delete one first`)
  if (JSON.stringify(collection).length > LARGEST) {
    throw new NotKept(
      'too-large',
      `The collection exceeds ${LARGEST / 1024 / 1024} MB. Delete steps or recorded responses`,
    )
  }
  return collection
}

/** Svelte's state proxies can't be cloned into IndexedDB. */
const plainOf = (collection: KeptCollection): unknown => JSON.parse(JSON.stringify(collection)) as unknown

class Shelf {
  readonly #store = new CollectionStore()
  #all = $state.raw<readonly KeptCollection[]>([])
  #lasts = $state(true)
  #fault = $state.raw<NotKept>()
  #channel: BroadcastChannel | undefined

  get all(): readonly KeptCollection[] {
    return this.#all
  }
  /** Whether they outlive the page. */
  get lasts(): boolean {
    return this.#lasts
  }
  /** Why the last write failed. */
  get fault(): NotKept | undefined {
    return this.#fault
  }

  of(id: string): KeptCollection | undefined {
    return this.#all.find((one) => one.id === id)
  }

  /** Reads them, and then follows changes by other browser tabs. */
  async load(): Promise<void> {
    if (!this.#channel && typeof BroadcastChannel !== 'undefined') {
      try {
        this.#channel = new BroadcastChannel(NAME)
        this.#channel.onmessage = () => void this.#read()
      } catch {
        // Not available in a frame with an opaque origin; there are no other tabs to follow then.
      }
    }
    await this.#read()
  }

  /** @returns its id; `undefined` if it could not be stored: `fault` says why */
  async add(collection: Collection): Promise<string | undefined> {
    const id = randomUuid()
    const kept = await this.#try(async () => {
      await this.#store.put({ ...collection, id, changed: Date.now() })
      return true
    })
    return kept ? id : undefined
  }

  /** Replaces the collection with the same id. @returns whether it is stored; `fault` says why it isn't */
  async put(collection: KeptCollection): Promise<boolean> {
    return await this.#try(async () => {
      await this.#store.put(collection)
      return true
    })
  }

  async change(id: string, by: (collection: Collection) => Collection): Promise<boolean> {
    return await this.#try(async () => (await this.#store.change(id, by)) !== undefined)
  }

  /** Appends a call, with a new id if its own is already used. */
  async addStep(id: string, step: Step): Promise<boolean> {
    return await this.change(id, (known) => ({ ...known, steps: [...known.steps, step] }))
  }

  async remove(id: string): Promise<void> {
    await this.#try(async () => {
      await this.#store.remove(id)
      return true
    })
  }

  /** Deletes all collections. */
  async clear(): Promise<void> {
    await this.#try(async () => {
      await this.#store.clear()
      return true
    })
  }

  async #try(work: () => Promise<boolean>): Promise<boolean> {
    this.#fault = undefined
    try {
      const done = await work()
      this.#channel?.postMessage('changed')
      await this.#read()
      return done
    } catch (error) {
      this.#fault = error instanceof NotKept ? error : new NotKept('refused', String(error))
      return false
    }
  }

  async #read(): Promise<void> {
    this.#all = await this.#store.all()
    this.#lasts = await this.#store.lasts()
  }
}

export const shelf = new Shelf()
