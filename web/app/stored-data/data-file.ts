/**
 * The file with stored data: what `localStorage` holds without secrets, and, if the user chooses so, the remembered
 * values of headers and variables.
 *
 *     {"format":"periscope-data","version":1,"at":"…","local":{"periscope.recent":"[…]"},"values":[{"server":"…","pairs":[…]}]}
 *
 * A file is untrusted input: only names that the page knows are read from it, and the readers of their values validate
 * them as they do with stored data.
 */
import { environmentsFrom, storableEnvironments, type Environment } from '../../environments/index.ts'
import { isObject } from '../../mcp/index.ts'
import type { TypedEntry } from '../../oauth/index.ts'
import { storedJson, type Store } from '../../ui/index.ts'
import { withoutSecrets } from '../connect/index.ts'
import { ENVIRONMENTS } from '../environments/index.ts'
import { keyOf, loadRecent, RECENT, saveRecent, type Recent } from '../remembered.ts'
import { bounded } from '../recent-bounds.ts'
import { KINDS, kindOf, type KindId } from './kinds.ts'

const FORMAT = 'periscope-data'
const VERSION = 1
/** Maximum characters of a file, and of one of its values. */
export const LARGEST_FILE = 20_000_000
const LARGEST_VALUE = 2_000_000
const MOST_NAMES = 200
const MOST_VALUES = 500

export type ValuesOf = Pick<TypedEntry, 'server' | 'pairs'>

export interface DataFile {
  readonly local: Readonly<Record<string, string>>
  readonly values: readonly ValuesOf[]
}

const isExported = (id: KindId | undefined): boolean => KINDS.some((kind) => kind.id === id && kind.exported)

/** @param values remembered values; empty unless the user chose to include them */
export const dataText = (store: Store, keys: readonly string[], values: readonly ValuesOf[], at: Date): string => {
  const names = keys.filter((key) => isExported(kindOf('local', key))).toSorted()
  const local = Object.fromEntries(names.map((name) => [name, store.getItem(name) ?? '']))
  const secrets = values.length > 0 ? { values: values.map(({ server, pairs }) => ({ server, pairs })) } : {}
  return `${JSON.stringify({ format: FORMAT, version: VERSION, at: at.toISOString(), local, ...secrets }, undefined, 2)}\n`
}

/** Why a file can't be imported. */
export type DataFault = 'too-large' | 'not-data' | 'newer' | 'empty'

export const readDataFile = (text: string): DataFile | DataFault => {
  if (text.length > LARGEST_FILE) return 'too-large'
  const file = storedJson(holding(text), '')
  if (!isObject(file) || file.format !== FORMAT || typeof file.version !== 'number') return 'not-data'
  if (file.version > VERSION) return 'newer'
  const local: Record<string, string> = {}
  for (const [name, value] of Object.entries(isObject(file.local) ? file.local : {}).slice(0, MOST_NAMES))
    if (isExported(kindOf('local', name)) && typeof value === 'string' && value.length <= LARGEST_VALUE)
      local[name] = value
  const values = (Array.isArray(file.values) ? file.values : []).slice(0, MOST_VALUES).flatMap(valuesFrom)
  return Object.keys(local).length + values.length === 0 ? 'empty' : { local, values }
}

const valuesFrom = (value: unknown): ValuesOf[] => {
  if (!isObject(value) || typeof value.server !== 'string' || !Array.isArray(value.pairs)) return []
  const pairs = value.pairs.filter(
    (pair): pair is [string, string] =>
      Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string'),
  )
  return pairs.length > 0 ? [{ server: value.server, pairs }] : []
}

/** What an import of one kind would do. */
export interface Change {
  readonly id: KindId
  readonly added: number
  readonly replaced: number
}

/** What an import would change, before it does. Servers are added to those that are stored; all else replaces them. */
export const changesOf = (file: DataFile, store: Store, storedValues: readonly string[]): readonly Change[] => {
  const found = new Map<KindId, { added: number; replaced: number }>()
  const count = (id: KindId, known: boolean) => {
    const change = found.get(id) ?? { added: 0, replaced: 0 }
    change[known ? 'replaced' : 'added']++
    found.set(id, change)
  }
  for (const [name, text] of Object.entries(file.local)) {
    const before = store.getItem(name)
    if (name === RECENT) {
      const known = new Set(loadRecent(store).map(({ target }) => keyOf(target)))
      for (const { target } of recentsIn(text)) count('servers', known.has(keyOf(target)))
    } else if (before !== text) count(kindOf('local', name) ?? 'other', before !== null)
  }
  for (const { server } of file.values) count('credentials', storedValues.includes(server))
  return KINDS.flatMap(({ id }) => {
    const change = found.get(id)
    return change ? [{ id, ...change }] : []
  })
}

/** Writes the chosen kinds of a file into the storage of the page. Remembered values are left to the caller. */
export const importLocal = (file: DataFile, kinds: ReadonlySet<KindId>, store: Store): void => {
  for (const [name, text] of Object.entries(file.local)) {
    const id = kindOf('local', name)
    if (!id || !kinds.has(id)) continue
    if (name === RECENT) saveRecent(store, bounded(merged(loadRecent(store), recentsIn(text))))
    else if (name === ENVIRONMENTS) store.setItem(name, JSON.stringify(environmentsIn(text)))
    else store.setItem(name, text)
  }
}

/** A store for the functions that read from one. */
const holding = (text: string): Store => ({ getItem: () => text, setItem: () => {}, removeItem: () => {} })

/** Without values of secrets, which a file written by hand may contain. */
const environmentsIn = (text: string): readonly Environment[] =>
  storableEnvironments(environmentsFrom(storedJson(holding(text), ENVIRONMENTS)))

/**
 * A file written by hand may contain secrets, which are never stored in clear. Certificates are trusted only by the user
 * who saw them: a file of someone else could make the page accept that person's.
 */
const recentsIn = (text: string): readonly Recent[] =>
  loadRecent(holding(text)).map((recent) => {
    const { target, dropped } = withoutSecrets(recent.target)
    const { certificates: _, ...settings } = recent.settings
    return { ...recent, target, settings, dropped: [...new Set([...recent.dropped, ...dropped])] }
  })

const merged = (before: readonly Recent[], read: readonly Recent[]): readonly Recent[] => {
  const byKey = new Map(read.map((recent) => [keyOf(recent.target), recent]))
  const known = new Set(before.map(({ target }) => keyOf(target)))
  return [
    ...before.map((recent) => {
      const read = byKey.get(keyOf(recent.target))
      // What the user trusts here stays so.
      const { certificates } = recent.settings
      return read && certificates ? { ...read, settings: { ...read.settings, certificates } } : (read ?? recent)
    }),
    ...read.filter(({ target }) => !known.has(keyOf(target))),
  ]
}
