/** Reads the first line of a session file, which is untrusted. */
import { isObject } from '../mcp/index.ts'
import type { Json, JsonObject } from '../mcp/index.ts'
import { FORMAT, LONGEST_NOTE, SessionFileError } from './file.ts'
import { isReferences, variablesIn } from '../secrets/index.ts'
import type {
  Bookmark,
  Part,
  RecordedReferences,
  RecordedServer,
  RecordedTarget,
  Removal,
  SessionHead,
  SharedView,
} from './file.ts'

/** In a later major version, lines may mean anything. */
const NEWEST_READABLE = 99
const MOST = 10_000
const LONGEST_NAME = 200
const LONGEST_NOTES = 100_000

const KNOWN = new Set([
  'format',
  'version',
  'begunAt',
  'tool',
  'servers',
  'part',
  'name',
  'notes',
  'bookmarks',
  'view',
  'removed',
  'omittedAbove',
  'more',
])

/** @throws {SessionFileError} it isn't a session file's head */
export const headFrom = (value: Json): SessionHead => {
  if (!isObject(value) || value.format !== FORMAT) {
    throw new SessionFileError('not-a-session', `The first line doesn't contain "format":"${FORMAT}"`)
  }
  const { version } = value
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1 || version > NEWEST_READABLE) {
    const why =
      typeof version === 'number' && version > NEWEST_READABLE
        ? `The file has format version ${version}, and only versions up to ${NEWEST_READABLE} can be read`
        : 'The first line has no format version'
    throw new SessionFileError('unknown-version', why, {
      version: typeof version === 'number' ? version : null,
    })
  }
  const begun = typeof value.begunAt === 'string' ? Date.parse(value.begunAt) : Number.NaN
  const tool = isObject(value.tool) ? value.tool : {}
  const part = PARTS.find((known) => known === value.part)
  const more = Object.fromEntries(Object.entries(value).filter(([key]) => !KNOWN.has(key)))
  const kept = { ...(isObject(value.more) ? value.more : {}), ...more }
  return {
    format: FORMAT,
    version,
    begunAt: new Date(Number.isFinite(begun) ? begun : 0).toISOString(),
    tool: { name: textOf(tool.name, LONGEST_NAME) ?? '', version: textOf(tool.version, LONGEST_NAME) ?? '' },
    servers: listOf(value.servers, serverFrom),
    ...(part ? { part } : {}),
    ...optional('name', textOf(value.name, LONGEST_NAME)),
    ...optional('notes', textOf(value.notes, LONGEST_NOTES)),
    ...(Array.isArray(value.bookmarks) ? { bookmarks: listOf(value.bookmarks, bookmarkFrom) } : {}),
    ...viewFrom(value.view),
    ...(Array.isArray(value.removed) ? { removed: listOf(value.removed, removalFrom) } : {}),
    ...(typeof value.omittedAbove === 'number' ? { omittedAbove: value.omittedAbove } : {}),
    ...(Object.keys(kept).length > 0 ? { more: kept } : {}),
  }
}

const PARTS: readonly Part[] = ['session', 'exchange', 'steps']

const optional = <Name extends string>(name: Name, value: string | undefined): { readonly [N in Name]?: string } =>
  value === undefined ? {} : ({ [name]: value } as { [N in Name]: string })

const textOf = (value: Json | undefined, most: number): string | undefined =>
  typeof value === 'string' ? value.slice(0, most) : undefined

const textsOf = (value: Json | undefined): string[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter((one) => typeof one === 'string').slice(0, MOST) : []

const listOf = <Item>(value: Json | undefined, from: (value: JsonObject) => Item | undefined): Item[] =>
  (Array.isArray(value) ? (value as readonly Json[]).slice(0, MOST) : []).flatMap((one) => {
    const item = isObject(one) ? from(one) : undefined
    return item === undefined ? [] : [item]
  })

const serverFrom = (value: JsonObject): RecordedServer | undefined => {
  if (typeof value.link !== 'string') return undefined
  const target = isObject(value.target) ? targetFrom(value.target) : undefined
  return {
    link: value.link,
    name: textOf(value.name, LONGEST_NAME) ?? value.link,
    ...optional('transport', textOf(value.transport, LONGEST_NAME)),
    ...(target ? { target } : {}),
  }
}

const targetFrom = (value: JsonObject): RecordedTarget | undefined => {
  switch (value.kind) {
    case 'url':
      return typeof value.url === 'string'
        ? { kind: 'url', url: value.url, headers: textsOf(value.headers), ...referencesFrom(value.references) }
        : undefined
    case 'command':
      return typeof value.command === 'string'
        ? {
            kind: 'command',
            command: value.command,
            args: textsOf(value.args),
            ...optional('cwd', textOf(value.cwd, MOST)),
            env: textsOf(value.env),
            ...referencesFrom(value.references),
          }
        : undefined
    case 'custom':
      return typeof value.url === 'string' ? { kind: 'custom', url: value.url } : undefined
    case 'sample':
      return { kind: 'sample' }
    default:
      return undefined
  }
}

/** Literal values would be secrets, so they are left out. */
const referencesFrom = (value: Json | undefined): { readonly references?: RecordedReferences } => {
  if (!isObject(value)) return {}
  const names = textsOf(value.names).filter((name) => variablesIn(`\${env:${name}}`).length === 1)
  const entries = Object.entries(isObject(value.values) ? value.values : {}).slice(0, MOST)
  const values = entries.filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && isReferences(entry[1]),
  )
  // `fromEntries` also defines `__proto__` as a property.
  return names.length > 0 ? { references: { names, values: Object.fromEntries(values) } } : {}
}

const isPlace = (value: Json | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const bookmarkFrom = ({ seq, text }: JsonObject): Bookmark | undefined =>
  isPlace(seq) ? { seq, text: textOf(text, LONGEST_NOTE) ?? '' } : undefined

/** The place may come from a server, so it stays untrusted text. */
const viewFrom = (value: Json | undefined): { readonly view?: SharedView } => {
  if (!isObject(value)) return {}
  const { link, feature, place, seq } = value
  if (typeof link !== 'string' || typeof feature !== 'string' || !/^[a-z][a-z-]{0,40}$/.test(feature)) return {}
  const view = { link, feature, place: textOf(place, MOST) ?? '' }
  return { view: isPlace(seq) ? { ...view, seq } : view }
}

const removalFrom = ({ seq, pointer, rule }: JsonObject): Removal | undefined =>
  typeof pointer === 'string' && typeof rule === 'string'
    ? { ...(isPlace(seq) ? { seq } : {}), pointer, rule: rule.slice(0, LONGEST_NAME) }
    : undefined
