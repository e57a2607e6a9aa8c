/**
 * Where collections of saved calls are kept on the device: IndexedDB, for answers are large. What cannot be kept, because
 * there is no such thing or it is full, lasts as long as the page, and the caller is told.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { openDatabase } from '../../ui/index.ts'
import { isObject } from '../../mcp/index.ts'
import type { Json } from '../../mcp/index.ts'
import { rulesFrom, stepsFrom, type Collection } from '../../replay/index.ts'

export interface KeptCollection extends Collection {
  readonly id: string
  /** ms since the epoch: when it was changed last. */
  readonly changed: number
}

/** `full`: there are as many as are kept. `too-large`: its answers are too long. `refused`: by the browser. */
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

const NAME = 'periscope.collections'
const MOST = 200
/** Characters of JSON of one collection. */
const LARGEST = 16 * 1024 * 1024

export class CollectionStore {
  #database: Promise<IDBPDatabase<Schema> | undefined> | undefined
  /** Where nothing outlives the page. */
  readonly #memory = new Map<string, KeptCollection>()

  /** Whether it outlives the page. */
  async lasts(): Promise<boolean> {
    return (await this.#open()) !== undefined
  }

  /** All, by name. Never throws: what is not readable is left out. */
  async all(): Promise<KeptCollection[]> {
    const database = await this.#open()
    const stored = database ? await database.getAll('collections').catch(() => []) : [...this.#memory.values()]
    return stored.flatMap((value) => keptFrom(value) ?? []).toSorted((one, other) => one.name.localeCompare(other.name))
  }

  /** Puts it in the place of that with its id. @throws {NotKept} */
  async put(collection: KeptCollection): Promise<void> {
    await this.#change(collection.id, () => collection)
  }

  /**
   * Changes what is kept now, whichever tab kept it.
   * @returns what it is now; `undefined`: there is none with this id
   * @throws {NotKept}
   */
  async change(id: string, by: (collection: KeptCollection) => Collection): Promise<KeptCollection | undefined> {
    return await this.#change(id, (known) => known && { ...by(known), id, changed: Date.now() })
  }

  async remove(id: string): Promise<void> {
    this.#memory.delete(id)
    await (await this.#open())?.delete('collections', id)
  }

  /** All of them. */
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

/** Proxies of an interface cannot be stored. */
const plainOf = (collection: KeptCollection): unknown => JSON.parse(JSON.stringify(collection)) as unknown

const keptFrom = (value: unknown): KeptCollection | undefined => {
  const kept = value as Json | undefined
  if (kept === undefined || !isObject(kept) || typeof kept.id !== 'string') return undefined
  return {
    id: kept.id,
    name: typeof kept.name === 'string' ? kept.name : kept.id,
    changed: typeof kept.changed === 'number' ? kept.changed : 0,
    steps: stepsFrom(kept.steps),
    ...('rules' in kept ? { rules: rulesFrom(kept.rules) } : {}),
  }
}
