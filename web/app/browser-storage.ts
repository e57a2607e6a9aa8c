/** What this tab has again after a reload, without secrets. */
import type { Kept } from '../features/feature.ts'
import { isObject, type Json } from '../mcp/index.ts'
import { loadOnce, storedJson, type Store } from '../ui/index.ts'
import type { Target } from './connect/index.ts'

type Storable = typeof import('./storable.ts')

/** What this tab stores to have it again after a reload. Until the rules for secrets have loaded, nothing is written and existing data is kept. */
export class TabStorage {
  #storable: Storable | undefined
  readonly #fetch = loadOnce(() => import('./storable.ts'))

  /** @throws {TypeError} the chunk can't be loaded; calling again retries */
  async load(): Promise<Storable> {
    return (this.#storable ??= await this.#fetch())
  }

  /** Writes synchronously if possible, because an unloading page can't wait. */
  async write(work: (storable: Storable) => void): Promise<void> {
    work(this.#storable ?? (await this.load()))
  }

  /** Whether `keyOf` can be called. */
  get isLoaded(): boolean {
    return this.#storable !== undefined
  }

  /** An identity of the server, without secrets. @throws {Error} before `load` has finished */
  keyOf(target: Target): string {
    if (!this.#storable) throw new Error('The rules for secrets have not loaded yet')
    return this.#storable.storedKeyOf(target)
  }
}

const KEPT = 'periscope.kept'
/**
 * Maximum number of servers to store values for, and maximum characters for each. Older or longer values are dropped.
 */
const MOST_SERVERS = 50
const LONGEST = 20_000

type Book = Record<string, Record<string, Json>>

/**
 * Small values that features store about a server for the lifetime of the tab: never wire data or secrets.
 * @param key identifies the server; called each time, because its target may change
 */
export const keptFor = (store: Store, key: () => string): Kept => ({
  get: (name) => read(store)[key()]?.[name],
  set: (name, value) => {
    const { [key()]: before = {}, ...others } = read(store)
    const mine = { ...before, [name]: value }
    const book = JSON.stringify(mine).length > LONGEST ? others : { ...others, [key()]: mine }
    store.setItem(KEPT, JSON.stringify(Object.fromEntries(Object.entries(book).slice(-MOST_SERVERS))))
  },
})

const read = (store: Store): Book => {
  const book = storedJson(store, KEPT)
  return isObject(book) ? (book as Book) : {}
}
