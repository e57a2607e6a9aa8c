/** Access to the browser's storage: it may be denied in embeddings, full, or missing in Node, and gets no secrets. */
import type { Kept } from '../features/feature.ts'
import type { Json } from '../mcp/index.ts'
import { loadOnce } from '../ui/index.ts'
import type { Target } from './connect/index.ts'
import type { Store } from './remembered.ts'

/**
 * `local` is shared by all tabs, `session` belongs to this one. Never throws: values that can't be stored are kept
 * until the page is closed.
 */
export const browserStorage = (which: 'local' | 'session'): Store => {
  // If storage is blocked by a setting, even reading the property throws; in some browsers only its methods do.
  const ask = <Result>(act: (store: Storage) => Result): Result | undefined => {
    try {
      const found = (globalThis as unknown as Record<string, Storage | undefined>)[`${which}Storage`]
      return found && act(found)
    } catch {
      return undefined
    }
  }
  return {
    getItem: (key) => ask((store) => store.getItem(key)) ?? null,
    setItem: (key, value) => ask((store) => store.setItem(key, value)),
    removeItem: (key) => ask((store) => store.removeItem(key)),
  }
}

/** Names of all stored values. Never throws. */
export const browserStorageKeys = (which: 'local' | 'session'): string[] => {
  try {
    return Object.keys((globalThis as unknown as Record<string, object | undefined>)[`${which}Storage`] ?? {})
  } catch {
    return []
  }
}

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
  try {
    const book = JSON.parse(store.getItem(KEPT) ?? '{}') as unknown
    return typeof book === 'object' && book !== null && !Array.isArray(book) ? (book as Book) : {}
  } catch {
    // Written by other code.
    return {}
  }
}
