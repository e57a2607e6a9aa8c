/** Small values that features store about a server for the lifetime of the tab: never wire data or secrets. */
import type { Kept } from '../../features/feature.ts'
import type { Json } from '../../mcp/index.ts'
import type { Store } from '../remembered.ts'

const KEPT = 'periscope.kept'
/**
 * Maximum number of servers to store values for, and maximum characters for each. Older or longer values are dropped.
 */
const MOST_SERVERS = 50
const LONGEST = 20_000

type Book = Record<string, Record<string, Json>>

/** @param key identifies the server; called each time, because its target may change */
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
