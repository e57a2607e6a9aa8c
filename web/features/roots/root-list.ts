/**
 * The roots of one server, as the user wrote them: kept per server (SEC-16) while the tab lives, and only sent when that
 * server requests them.
 */
import { isObject, type Json, type JsonObject, type Link, type Session, type Trace, Signal } from '../../mcp/index.ts'
import type { Kept, ServerView } from '../feature.ts'
import { LONGEST_URI } from './root-uri.ts'

export interface Root {
  readonly uri: string
  /** '' is left out. */
  readonly name: string
}

export interface RootSettings {
  readonly roots: readonly Root[]
  /**
   * `list`: a server that asks gets the list, whatever stands in it. Nothing but what the user wrote is told, so it is no
   * surprise; with nothing written, that is an empty list.
   */
  readonly answer: 'list' | 'ask'
  /** `notifications/roots/list_changed` (CF-ROOT-03) is sent automatically, or when the user chooses. */
  readonly tell: 'itself' | 'by-hand'
}

const NO_ROOTS: RootSettings = { roots: [], answer: 'list', tell: 'itself' }

/** Roots of one server, and characters of them all: what is kept of a server has a bound. */
export const MOST_ROOTS = 60
const MOST_CHARACTERS = 12_000
const LONGEST_NAME = 200
const NAME = 'roots'

/** `ListRootsResult`. */
export const resultOf = (roots: readonly Root[]): JsonObject => ({
  roots: roots.map(({ uri, name }): JsonObject => (name === '' ? { uri } : { uri, name })),
})

/** Whether all of it can be kept. */
const fits = (roots: readonly Root[]): boolean =>
  roots.length <= MOST_ROOTS &&
  JSON.stringify(roots).length <= MOST_CHARACTERS &&
  roots.every(({ uri, name }) => uri.length <= 2 * LONGEST_URI && name.length <= LONGEST_NAME)

/** What was kept, read without trust. */
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

/** Of one server; `live()` reads it on screen. */
export class RootList {
  #settings: RootSettings = NO_ROOTS
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe

  get current(): RootSettings {
    return this.#settings
  }

  /** What is kept is what counts: the same connection may lead to another server by now. */
  load(kept: Kept | undefined): RootSettings {
    if (kept) this.#put(settingsFrom(kept.get(NAME)))
    return this.#settings
  }

  /** @returns false where it is more than can be kept: nothing has changed then */
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

/** One list for each connection. */
export const rootListOf = ({ trace, link }: Pick<ServerView, 'trace' | 'link'>): RootList => {
  let lists = LISTS.get(trace)
  if (!lists) LISTS.set(trace, (lists = new Map<Link, RootList>()))
  let list = lists.get(link)
  if (!list) lists.set(link, (list = new RootList()))
  return list
}

const LIST_CHANGED = 'notifications/roots/list_changed'

/** CF-ROOT-07: from 2026-07-28 on there is nothing to be told. */
export const hasListChanged = (revision: string | undefined): boolean => (revision ?? '') < '2026-07-28'

/** @throws {TransportError} it could not be handed over; @throws {UsageError} `not-open` */
export const tellChanged = async (session: Session): Promise<void> => await session.notify(LIST_CHANGED)
