/**
 * Everything that the page stores in this browser, as data: `kinds.test.ts` fails if a key or a database in the sources
 * is missing here.
 */
import type { Store } from '../../ui/index.ts'

export type KindId =
  | 'servers'
  | 'environments'
  | 'credentials'
  | 'recordings'
  | 'tests'
  | 'history'
  | 'pins'
  | 'tools'
  | 'filters'
  | 'settings'
  | 'tab'
  | 'other'

export interface Kind {
  readonly id: KindId
  /** Names in `localStorage`. One that ends in a period is the beginning of names. */
  readonly local: readonly string[]
  /** Names in `sessionStorage`, which ends with the tab. */
  readonly session?: readonly string[]
  /** Names of databases. */
  readonly databases?: readonly string[]
  /** Its names in `localStorage` go into a file, and are read from one. They never contain secrets. */
  readonly exported?: true
}

/** In the order of the list. */
export const KINDS: readonly Kind[] = [
  { id: 'servers', local: ['periscope.recent', 'periscope.recent.collapsed'], exported: true },
  { id: 'environments', local: ['periscope.environments'], exported: true },
  {
    id: 'credentials',
    local: ['periscope.credentials.', 'periscope.oauth.'],
    databases: ['periscope-keys', 'periscope-replaced-tokens'],
  },
  { id: 'recordings', local: ['periscope.sessions.some'], databases: ['periscope-sessions'] },
  { id: 'tests', local: [], databases: ['periscope.collections'] },
  { id: 'history', local: [], databases: ['periscope.offers'] },
  { id: 'pins', local: ['periscope.pins'], exported: true },
  { id: 'tools', local: ['periscope.tool-safety', 'periscope.tool-policy'], exported: true },
  { id: 'filters', local: ['periscope.trace-filters'], exported: true },
  {
    id: 'settings',
    local: [
      'periscope.language',
      'periscope.theme',
      'periscope.sessions',
      'periscope.dock',
      'periscope.dockSide',
      'periscope.environment',
      'periscope.panel',
      'periscope.trace-view',
      'periscope.trace-columns',
      'periscope.split.',
    ],
    exported: true,
  },
  {
    id: 'tab',
    local: [],
    session: [
      'periscope.servers',
      'periscope.environment',
      'periscope.draft',
      'periscope.kept',
      'periscope.launched',
      'periscope.links',
      'periscope.token',
      'periscope.oauth.',
    ],
  },
  { id: 'other', local: [] },
]

const holds = (names: readonly string[], key: string): boolean =>
  names.some((name) => (name.endsWith('.') ? key.startsWith(name) : key === name))

/** The kind of a name in the storage of the page; `undefined` if another page of this origin stored it. */
export const kindOf = (which: 'local' | 'session', key: string): KindId | undefined => {
  if (!key.startsWith('periscope')) return undefined
  return KINDS.find((kind) => holds(kind[which] ?? [], key))?.id ?? 'other'
}

export interface Amount {
  readonly count: number
  /** Characters, or bytes in a database. */
  readonly size: number
}

/** What is stored of each kind in `localStorage` and `sessionStorage`. */
export const amountsIn = (
  which: 'local' | 'session',
  store: Store,
  keys: readonly string[],
): ReadonlyMap<KindId, Amount> => {
  const found = new Map<KindId, Amount>()
  for (const key of keys) {
    const id = kindOf(which, key)
    const text = store.getItem(key)
    if (!id || text === null) continue
    const { count, size } = found.get(id) ?? { count: 0, size: 0 }
    found.set(id, { count: count + countIn(text), size: size + key.length + text.length })
  }
  return found
}

/** A list counts its items, anything else one. */
const countIn = (text: string): number => {
  try {
    const value = JSON.parse(text) as unknown
    return Array.isArray(value) ? value.length : 1
  } catch {
    return 1
  }
}

/** The names of a kind that are stored. */
export const keysOf = (id: KindId, keys: readonly string[], which: 'local' | 'session' = 'local'): readonly string[] =>
  keys.filter((key) => kindOf(which, key) === id)

/** The access token of the local proxy isn't cleared: only the terminal has another one. It ends with the tab. */
export const STAYS = 'periscope.token'
