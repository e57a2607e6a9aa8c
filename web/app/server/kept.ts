/** Small things that features remember of a server while its tab lives: no wire data, and never a secret. */
import type { Kept } from '../../features/feature.ts'
import type { Json } from '../../mcp/index.ts'
import type { Store } from '../remembered.ts'

const KEPT = 'periscope.kept'
/** The most servers to store values for, and characters for each. Older or longer values are dropped. */
const MOST_SERVERS = 50
const LONGEST = 20_000

type Book = Record<string, Record<string, Json>>

/** @param key names the server; read each time, because its target may change */
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
    // Written by something else.
    return {}
  }
}
