/**
 * The file with stored data: what `localStorage` holds without secrets, and, if the user chooses so, the remembered
 * values of headers and variables, the tests, and the recordings, each as the text of its session file.
 *
 *     {"format":"periscope-data","version":1,"at":"…","local":{"periscope.recent":"[…]"},"values":[{"server":"…","pairs":[…]}],
 *      "tests":[{"id":"…","name":"…","changed":…,"steps":[…]}],"recordings":[{"id":"…","text":"{…}\n{…}\n"}]}
 *
 * A file is untrusted input: only names that the page knows are read from it, and the readers of their values validate
 * them as they do with stored data.
 */
import { environmentsFrom, storableEnvironments, type Environment } from '../../environments/index.ts'
import { keptFrom, type KeptCollection } from '../../features/saved-calls/index.ts'
import { isDeep, isObject } from '../../mcp/index.ts'
import { randomUuid } from '../../mcp/web-crypto.ts'
import type { TypedEntry } from '../../oauth/index.ts'
import { storedJson, type Store } from '../../ui/index.ts'
import { withoutSecrets } from '../connect/index.ts'
import { ENVIRONMENTS } from '../environments/index.ts'
import { keyOf, loadRecent, RECENT, saveRecent, type Recent } from '../remembered.ts'
import { bounded } from '../recent-bounds.ts'
import { KINDS, kindOf, type KindId } from './kinds.ts'

const FORMAT = 'periscope-data'
const VERSION = 1
/** Maximum characters of a file, of one of its values, and of all recordings that an export includes. */
export const LARGEST_FILE = 200_000_000
const LARGEST_VALUE = 2_000_000
export const LARGEST_RECORDINGS = 100_000_000
const MOST_NAMES = 200
const MOST_VALUES = 500
const MOST_TESTS = 200
const MOST_RECORDINGS = 2_000
const LONGEST_ID = 64
/** Of a recording or a collection. */
const ID = /^[\w-]+$/
const isId = (id: string): boolean => id.length <= LONGEST_ID && ID.test(id)
/** Before the ID of a recording whose copy it is. */
const COPY = 'copy-'

export type ValuesOf = Pick<TypedEntry, 'server' | 'pairs'>

export interface StoredRecording {
  /** In the store: the same recording isn't imported twice. */
  readonly id: string
  /** Of a session file. Of one that was read from a file, nothing is known yet. */
  readonly text: string
}

/** What is stored outside `localStorage`, as far as the user includes it. */
interface Included {
  readonly values: readonly ValuesOf[]
  readonly tests: readonly KeptCollection[]
  readonly recordings: readonly StoredRecording[]
}

export interface DataFile extends Included {
  readonly local: Readonly<Record<string, string>>
}

const isExported = (id: KindId | undefined): boolean => KINDS.some((kind) => kind.id === id && kind.exported)

export const dataText = (store: Store, keys: readonly string[], included: Partial<Included>, at: Date): string => {
  const { values = [], tests = [], recordings = [] } = included
  const names = keys.filter((key) => isExported(kindOf('local', key))).toSorted()
  const local = Object.fromEntries(names.map((name) => [name, store.getItem(name) ?? '']))
  const more = {
    ...(values.length > 0 ? { values: values.map(({ server, pairs }) => ({ server, pairs })) } : {}),
    ...(tests.length > 0 ? { tests } : {}),
    ...(recordings.length > 0 ? { recordings } : {}),
  }
  return `${JSON.stringify({ format: FORMAT, version: VERSION, at: at.toISOString(), local, ...more }, undefined, 2)}\n`
}

/** Why a file can't be imported. */
export type DataFault = 'too-large' | 'not-data' | 'newer' | 'empty'

export const readDataFile = (text: string): DataFile | DataFault => {
  if (text.length > LARGEST_FILE) return 'too-large'
  // Too deep for what walks through it later.
  if (isDeep(text)) return 'not-data'
  const file = storedJson(holding(text), '')
  if (!isObject(file) || file.format !== FORMAT || typeof file.version !== 'number') return 'not-data'
  if (file.version > VERSION) return 'newer'
  const local: Record<string, string> = {}
  for (const [name, value] of Object.entries(isObject(file.local) ? file.local : {}).slice(0, MOST_NAMES))
    if (isExported(kindOf('local', name)) && typeof value === 'string' && value.length <= LARGEST_VALUE)
      local[name] = value
  const values = listIn(file.values, MOST_VALUES).flatMap(valuesFrom)
  const tests = once(listIn(file.tests, MOST_TESTS).flatMap(testFrom))
  const recordings = once(listIn(file.recordings, MOST_RECORDINGS).flatMap(recordingFrom))
  const isEmpty = [Object.keys(local), values, tests, recordings].every(({ length }) => length === 0)
  return isEmpty ? 'empty' : { local, values, tests, recordings }
}

const listIn = (value: unknown, most: number): readonly unknown[] => (Array.isArray(value) ? value.slice(0, most) : [])

const once = <Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
]

const testFrom = (value: unknown): KeptCollection[] => {
  const collection = keptFrom(value)
  return collection && isId(collection.id) ? [collection] : []
}

const recordingFrom = (value: unknown): StoredRecording[] => {
  if (!isObject(value)) return []
  const { id, text } = value
  if (typeof id !== 'string' || typeof text !== 'string') return []
  // A copy has the whole ID: cut to the same length, two of them could have one.
  return isId(id.startsWith(COPY) && id !== COPY ? id.slice(COPY.length) : id) ? [{ id, text }] : []
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

/** What is stored outside `localStorage`. */
export interface Known {
  /** The servers whose values are remembered. */
  readonly values: readonly string[]
  readonly tests: readonly KeptCollection[]
  /** The ids of the recordings. */
  readonly recordings: readonly string[]
}

/**
 * What an import would change, before it does. Servers and recordings are added to those that are stored; all else
 * replaces them.
 */
export const changesOf = (file: DataFile, store: Store, stored: Known): readonly Change[] => {
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
  for (const { server } of file.values) count('credentials', stored.values.includes(server))
  for (const { id } of changedTests(file, stored))
    count(
      'tests',
      stored.tests.some((test) => test.id === id),
    )
  for (const _ of newRecordings(file, stored)) count('recordings', false)
  return KINDS.flatMap(({ id }) => {
    const change = found.get(id)
    return change ? [{ id, ...change }] : []
  })
}

/** Those that aren't stored as they are in the file. */
export const changedTests = (
  { tests }: Pick<DataFile, 'tests'>,
  stored: Pick<Known, 'tests'>,
): readonly KeptCollection[] => {
  const known = new Map(stored.tests.map((test) => [test.id, contentOf(test)]))
  return tests.filter((test) => known.get(test.id) !== contentOf(test))
}

/** Without the time of its last change. */
const contentOf = ({ name, steps, rules }: KeptCollection): string => JSON.stringify([name, steps, rules])

/** The ID of an imported recording whose own ID an open page uses. Always the same, so it isn't imported twice. */
export const copyOf = (id: string): string => COPY + id

export const newRecordings = (
  { recordings }: Pick<DataFile, 'recordings'>,
  stored: Pick<Known, 'recordings'>,
): readonly StoredRecording[] =>
  recordings.filter(({ id }) => !stored.recordings.includes(id) && !stored.recordings.includes(copyOf(id)))

/**
 * A page that is still open goes on writing under the ID of its own recording. The file may also have a copy that was
 * made for that reason before: neither replaces the other.
 */
export const withFreeIds = (
  recordings: readonly StoredRecording[],
  isLiving: (id: string) => boolean,
): readonly StoredRecording[] => {
  const taken = new Set(recordings.map(({ id }) => id))
  return recordings.map((recording) => {
    if (!isLiving(recording.id)) return recording
    const id = taken.has(copyOf(recording.id)) ? randomUuid() : copyOf(recording.id)
    taken.add(id)
    return { ...recording, id }
  })
}

/** Writes the chosen kinds of a file into the storage of the page. What isn't in it is left to the caller. */
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
      const own = read && recent.linked ? { ...read, linked: recent.linked } : (read ?? recent)
      return read && certificates ? { ...own, settings: { ...own.settings, certificates } } : own
    }),
    ...read.filter(({ target }) => !known.has(keyOf(target))),
  ]
}
