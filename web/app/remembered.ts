/**
 * Data that survives a reload: recent servers (for all tabs), this tab's servers, and the
 * draft. Never contains secrets.
 *
 * Loaded data is untrusted input: another version of the page or a user may have written it.
 */
import { isObject, type EraId, type JsonObject } from '../mcp/index.ts'
import { storedJson, type Store } from '../ui/index.ts'
import { commandLine, parsedTarget, readSettings, type Settings, type Target } from './connect/index.ts'

/** A server as stored. */
export interface SavedServer {
  readonly link: string
  readonly name: string
  /** `name` without the number that distinguishes it from others. Absent in data of older versions. */
  readonly base?: string
  /** The name set by the user or the configuration. */
  readonly given?: string
  readonly target: Target
  /** Names of the values that were left out. */
  readonly dropped: readonly string[]
  /** The server was named on the command line at launch, so a reload reconnects it. */
  readonly launch?: true
  readonly settings: Settings
  /** The last result of detection (VN-26). */
  readonly era?: EraId
  /** References to environment variables that are sent literally. */
  readonly asIs?: readonly string[]
  /** A link filled in its form, so it gets no secrets of an environment. */
  readonly linked?: true
}

/** What a visit to a server found. */
export interface Found {
  readonly tools: number
  readonly problems: number
  /** The protocol version. */
  readonly version: string
  /** Changes in what it offers since the visit before. */
  readonly changes?: number
}

/** How the last visit ended, unless the user ended it: `exit 1` and `exit SIGKILL` name what became of a process. */
export type Ended = 'sign-in' | 'failed' | `exit ${string}`

/** The colours that a server can have. */
export const COLOURS = ['red', 'orange', 'green', 'blue', 'purple', 'pink'] as const
export type Colour = (typeof COLOURS)[number]

/** What the user arranged in the list of servers. */
export interface Arranged {
  /** The name of its group. */
  readonly group?: string
  readonly colour?: Colour
  /** The user moved it, so the order of the list is the user's rather than that of the last use. */
  readonly placed?: true
}

export interface Recent extends Arranged {
  readonly name: string
  /** The name set by the user or the configuration. */
  readonly given?: string
  readonly target: Target
  readonly dropped: readonly string[]
  readonly settings: Settings
  /** ms since the epoch. */
  readonly at: number
  /** Absent until its tools were listed. */
  readonly found?: Found
  readonly ended?: Ended
  /** References to environment variables that are sent literally. */
  readonly asIs?: readonly string[]
  /** A link filled in its form, so it gets no secrets of an environment. */
  readonly linked?: true
}

export const RECENT = 'periscope.recent'
export const SERVERS = 'periscope.servers'
/** Collapsed groups. */
export const COLLAPSED = 'periscope.recent.collapsed'
/** Maximum number of recent servers stored, of those that the user arranged and of all others. */
export const ARRANGED_KEPT = 50
export const RECENT_KEPT = 12
/** Maximum characters of the name of a group. */
export const LONGEST_GROUP = 40
const SERVERS_KEPT = 50

export const loadRecent = (store: Store): Recent[] =>
  listIn(store, RECENT)
    .filter((item): item is Recent & JsonObject => typeof item.at === 'number' && hasTarget(item))
    .map(({ name, given, target, dropped, settings, at, found, ended, asIs, linked, group, colour, placed }) => ({
      name,
      ...(typeof given === 'string' && given !== '' ? { given } : {}),
      target,
      dropped,
      settings: readSettings(settings),
      at,
      ...(isFound(found) ? { found } : {}),
      ...(isEnded(ended) ? { ended } : {}),
      ...(isTexts(asIs) ? { asIs } : {}),
      ...(linked === true ? { linked } : {}),
      ...(isGroup(group) ? { group } : {}),
      ...(isColour(colour) ? { colour } : {}),
      ...(placed === true ? { placed } : {}),
    }))
    // A list must not have two rows of one key.
    .filter(({ target }, at, all) => at === all.findIndex((other) => keyOf(other.target) === keyOf(target)))
    .slice(0, ARRANGED_KEPT + RECENT_KEPT)

export const saveRecent = (store: Store, recent: readonly Recent[]): void => write(store, RECENT, recent)

const isColour = (value: unknown): value is Colour => (COLOURS as readonly unknown[]).includes(value)

const isGroup = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_GROUP

export const isCollapsed = (store: Store, group: string): boolean => collapsedIn(store).includes(group)

export const collapsedIn = (store: Store): unknown[] => {
  const value = storedJson(store, COLLAPSED)
  return Array.isArray(value) ? value : []
}

export const loadServers = (store: Store): SavedServer[] =>
  listIn(store, SERVERS)
    .filter(
      (item): item is SavedServer & JsonObject =>
        typeof item.link === 'string' && /^s\d+$/.test(item.link) && hasTarget(item),
    )
    .map(({ link, name, base, given, target, dropped, launch, settings, era, asIs, linked }) => ({
      link,
      name,
      ...(typeof base === 'string' ? { base } : {}),
      ...(typeof given === 'string' && given !== '' ? { given } : {}),
      target,
      dropped,
      ...(launch === true ? { launch } : {}),
      settings: readSettings(settings),
      ...(era === 'handshake' || era === 'stateless' ? { era } : {}),
      ...(isTexts(asIs) ? { asIs } : {}),
      ...(linked === true ? { linked } : {}),
    }))
    .slice(0, SERVERS_KEPT)

/** Targets with the same key are the same server for a user. */
export const keyOf = (target: Target): string => {
  switch (target.kind) {
    case 'url':
    case 'custom':
      return target.url
    case 'command':
      return `${target.cwd ?? ''}\n${commandLine(target.command, target.args)}`
    case 'sample':
      return 'sample'
  }
}

export const write = (store: Store, key: string, value: unknown): void => {
  try {
    store.setItem(key, JSON.stringify(value))
  } catch {
    // Storage is full, or denied in some embeddings; the data is then lost with the page.
  }
}

const listIn = (store: Store, key: string): JsonObject[] => {
  const value = storedJson(store, key)
  return Array.isArray(value) ? value.filter(isObject) : []
}

const isFound = (value: unknown): value is Found & JsonObject =>
  isObject(value) &&
  typeof value.tools === 'number' &&
  typeof value.problems === 'number' &&
  typeof value.version === 'string' &&
  value.version.length < 40 &&
  (value.changes === undefined || typeof value.changes === 'number')

const isEnded = (value: unknown): value is Ended =>
  typeof value === 'string' && /^(sign-in|failed|exit [\w-]{1,12})$/.test(value)

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const hasTarget = (item: JsonObject): boolean =>
  typeof item.name === 'string' && isTexts(item.dropped) && isTarget(item.target)

const isTarget = (value: unknown): value is Target => {
  if (!isObject(value)) return false
  const target: JsonObject = value
  switch (target.kind) {
    case 'sample':
      return true
    case 'url':
      return (
        typeof target.url === 'string' &&
        /^https?:/.test(target.url) &&
        parsedTarget(target.url) !== undefined &&
        Array.isArray(target.headers) &&
        target.headers.every((pair) => isTexts(pair) && pair.length === 2)
      )
    case 'custom':
      return typeof target.url === 'string' && /^[a-z][a-z\d+.-]*:./is.test(target.url)
    case 'command':
      return (
        typeof target.command === 'string' &&
        isTexts(target.args) &&
        isObject(target.env) &&
        isTexts(Object.values(target.env)) &&
        (target.cwd === undefined || typeof target.cwd === 'string')
      )
    default:
      return false
  }
}
