/**
 * The roots of one server, as entered by the user: stored per server (SEC-16) while the browser tab lives, and only
 * sent when that server requests them: `index.ts` responds to `roots/list`. An edit in the tab ends with `list_changed`.
 */
import {
  getOrInsert,
  isObject,
  type Json,
  type JsonObject,
  type Link,
  type Session,
  type Trace,
  Signal,
} from '../../mcp/index.ts'
import type { Kept, ServerView } from '../feature.ts'
import { LONGEST_URI } from './root-uri.ts'

export interface Root {
  readonly uri: string
  /** If '', it isn't sent. */
  readonly name: string
}

export interface RootSettings {
  readonly roots: readonly Root[]
  /**
   * `list`: respond to the server's requests with the list. It contains only what the user entered, so this can't
   * surprise the user; if empty, an empty list is sent.
   */
  readonly answer: 'list' | 'ask'
  /**
   * `notifications/roots/list_changed` (CF-ROOT-03): sent automatically (`itself`), or when the user chooses
   * (`by-hand`).
   */
  readonly tell: 'itself' | 'by-hand'
}

const NO_ROOTS: RootSettings = { roots: [], answer: 'list', tell: 'itself' }

/** Most roots per server, and most characters of all together: storage per server is limited. */
export const MOST_ROOTS = 60
const MOST_CHARACTERS = 12_000
const LONGEST_NAME = 200
const NAME = 'roots'

/** `ListRootsResult`. */
export const resultOf = (roots: readonly Root[]): JsonObject => ({
  roots: roots.map(({ uri, name }): JsonObject => (name === '' ? { uri } : { uri, name })),
})

/** Whether all roots fit into the storage. */
const fits = (roots: readonly Root[]): boolean =>
  roots.length <= MOST_ROOTS &&
  JSON.stringify(roots).length <= MOST_CHARACTERS &&
  roots.every(({ uri, name }) => uri.length <= 2 * LONGEST_URI && name.length <= LONGEST_NAME)

/** The stored settings, validated. */
export const settingsFrom = (kept: unknown): RootSettings => {
  const value = kept as Json
  if (!isObject(value)) return NO_ROOTS
  const roots = (Array.isArray(value.roots) ? (value.roots as readonly Json[]) : []).flatMap((root): Root[] =>
    isObject(root) && typeof root.uri === 'string'
      ? [
          {
            uri: root.uri.slice(0, 2 * LONGEST_URI),
            name: typeof root.name === 'string' ? root.name.slice(0, LONGEST_NAME) : '',
          },
        ]
      : [],
  )
  return {
    roots: roots.slice(0, MOST_ROOTS),
    answer: value.answer === 'ask' ? 'ask' : 'list',
    tell: value.tell === 'by-hand' ? 'by-hand' : 'itself',
  }
}

/** The roots of one server; components read them with `live()`. */
export class RootList {
  #settings: RootSettings = NO_ROOTS
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe

  get current(): RootSettings {
    return this.#settings
  }

  /** Reads the stored settings: the same connection may now lead to another server. */
  load(kept: Kept | undefined): RootSettings {
    if (kept) this.#put(settingsFrom(kept.get(NAME)))
    return this.#settings
  }

  /** @returns false if the list is too large to store; it is unchanged then */
  change(part: Partial<RootSettings>, kept: Kept | undefined): boolean {
    const settings = { ...this.#settings, ...part }
    if (!fits(settings.roots)) return false
    const { roots, answer, tell } = settings
    kept?.set(NAME, { roots: roots.map(({ uri, name }) => ({ uri, name })), answer, tell })
    this.#put(settings)
    return true
  }

  #put(settings: RootSettings): void {
    if (JSON.stringify(settings) === JSON.stringify(this.#settings)) return
    this.#settings = settings
    this.#changes.emit()
  }
}

const LISTS = new WeakMap<Trace, Map<Link, RootList>>()

/** One RootList per connection. */
export const rootListOf = ({ trace, link }: Pick<ServerView, 'trace' | 'link'>): RootList =>
  getOrInsert(
    getOrInsert(LISTS, trace, () => new Map<Link, RootList>()),
    link,
    () => new RootList(),
  )

const LIST_CHANGED = 'notifications/roots/list_changed'

/** CF-ROOT-07: since 2026-07-28 there is no notification of changes. */
export const hasListChanged = (revision: string | undefined): boolean => (revision ?? '') < '2026-07-28'

/** CF-ROOT-03: whether changes are notified, which `roots.listChanged` has to declare. */
export const notifiesOf = ({ peer, withheld = [] }: Pick<ServerView, 'peer' | 'withheld'>): boolean =>
  hasListChanged(peer?.revision) && !withheld.includes('roots') && !withheld.includes('roots.listChanged')

/**
 * @throws {TransportError} the notification could not be sent
 * @throws {UsageError} `not-open`
 */
export const notifyListChanged = async (session: Session): Promise<void> => await session.notify(LIST_CHANGED)

/** Edits of a list in the Roots tab. The server is notified when an edit ends, not with each letter. */
export class RootEdits {
  readonly #list: RootList
  /** The list as of the last notification, or before the first edit. */
  #committed: string | undefined

  constructor(list: RootList) {
    this.#list = list
  }

  /** @returns false if the list is too large to store; it is unchanged then */
  edit(roots: readonly Root[], kept: Kept | undefined): boolean {
    this.#committed ??= JSON.stringify(this.#list.current.roots)
    return this.#list.change({ roots }, kept)
  }

  /**
   * Ends an edit.
   * @returns whether to notify the server: the list has changed, and the user hasn't chosen to notify manually
   */
  commit(server: Pick<ServerView, 'session' | 'peer' | 'withheld'>): boolean {
    const { roots, tell } = this.#list.current
    const now = JSON.stringify(roots)
    if (this.#committed === undefined || this.#committed === now) return false
    this.#committed = now
    return tell === 'itself' && server.session !== undefined && notifiesOf(server)
  }
}
