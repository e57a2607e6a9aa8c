/**
 * Puts servers into a client's configuration file. Only what differs is changed: comments, order and unknown keys stay,
 * and so do the values of headers and variables that are the same. The result is parsed and compared with what was meant.
 */
import { getNodeValue, parse, parseTree, type ParseError } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import type { ClientId } from '../../../../proxy/wire.ts'
import { isObject, type Json, type JsonObject } from '../../../mcp/index.ts'
import { DIALECTS, inputsPlace } from '../configs/dialects.ts'
import { readServer } from '../configs/server-entry.ts'
import type { Target } from '../target.ts'
import {
  clientEntry,
  freeName,
  writtenName,
  type ClientEntry,
  type ExportedServer,
  type ExportNote,
  type Values,
} from './client-entry.ts'
import { FORMATS, type ClientFormat } from './client-formats.ts'
import { editJson } from './json-edit.ts'
import { References, type WrittenServer } from './references.ts'
import { editToml } from './toml-edit.ts'

export interface Merged {
  readonly text: string
  readonly notes: readonly ExportNote[]
}

/** `broken`: the file can't be read. `unsafe`: it can't be changed without changing more than was meant. */
export class MergeError extends Error {
  readonly code: 'broken' | 'unsafe'

  constructor(code: MergeError['code'], options?: ErrorOptions) {
    super(`The file is ${code}`, options)
    this.name = 'MergeError'
    this.code = code
  }
}

interface Edit {
  readonly path: readonly (string | number)[]
  /** `undefined` removes it. */
  readonly value: Json | undefined
}

/**
 * @param text of the file; empty for a new one
 * @param directory that relative paths of new entries are relative to, if it is known
 * @throws {MergeError}
 */
export const mergeInto = (
  client: ClientId,
  text: string,
  servers: readonly ExportedServer[],
  values: Values,
  directory?: string,
): Merged => {
  const format = FORMATS[client]
  const before = parsed(text, format)
  const path = placeOf(before, format)
  const notes: ExportNote[] = []
  const edits: Edit[] = []
  const inputs: JsonObject[] = []
  const taken = new Set<string>()
  const targets = servers.map(({ target }) => target)
  const references = References.of(client, targets, serversOf(before, path), inputsAt(before, path))
  const placeIn = (name: string) => (hasAt(before, [...path, name]) ? path : projectOf(before, name))
  const own = new Set(servers.flatMap(({ name }) => (placeIn(name) ? [name] : [])))
  const makeAt = (name: string, server: ExportedServer, of: References) => {
    const keys = [...(placeIn(name) ?? path), name]
    const existing = valueAt(before, keys)
    const there = isObject(existing) ? readServer('', existing).target : undefined
    const made = clientEntry(client, server, values, directory, { there, at: placeKey(keys), references: of })
    // A process that connects to the URL is compared with the process that would be written.
    return {
      existing,
      made: made?.bridge && there?.kind === 'command' ? { ...made, target: made.bridge } : made,
      there,
    }
  }
  for (const server of servers) {
    // The name of a server that the file has works there.
    const isPlain = format.plainNames && (!own.has(server.name) || taken.has(server.name))
    const wanted = isPlain ? writtenName(client, server.name) : server.name || 'server'
    const isAt = (name: string, one: ExportedServer): boolean => {
      const { existing, made, there } = makeAt(name, one, references.copy())
      return existing !== undefined && made !== undefined && isSameServer(there, made.target)
    }
    // The names of its variables contain that of the server.
    const namedAs = (name: string) => (name === wanted ? server : { ...server, name })
    const name = freeName(client, wanted, (one) => {
      if (taken.has(one)) return true
      if (one === server.name || !placeIn(one)) return false
      // It may be another server, which happens to have the name that this one is given here.
      if (!isAt(one, namedAs(one))) return true
      // Or this one, which was given the name of another: they have the names of the first export.
      return own.has(one) && servers.some((other) => other.name === one && isAt(one, other))
    })
    const { existing, made } = makeAt(name, namedAs(name), references)
    if (!made) continue
    taken.add(name)
    if (isPlain && server.name !== '' && wanted !== server.name)
      notes.push({ kind: 'renamed', name: server.name, written: name })
    const place = placeIn(name) ?? path
    const changes = isObject(existing)
      ? changesOf(existing, server, made, format)
      : [{ path: [], value: made.entry as Json }]
    edits.push(...changes.map((edit) => ({ path: [...place, name, ...edit.path], value: edit.value })))
    // What is already in the file needs nothing.
    if (!isObject(existing)) notes.push(...made.notes)
    const written = JSON.stringify(changes)
    inputs.push(
      ...made.inputs.filter(({ id }) => written.includes(JSON.stringify(`\${input:${id as string}}`).slice(1, -1))),
    )
  }
  edits.push(...inputEdits(before, path, inputs))
  return { text: checked(text, format, before, edits), notes }
}

/** Values that the file refers to aren't compared. */
const isSameServer = (there: Target | undefined, target: ClientEntry['target']): boolean => {
  if (there?.kind === 'url' && target.kind === 'url')
    return there.url.replace(/[?#].*/s, '') === target.url.replace(/[?#].*/s, '')
  if (there?.kind !== 'command' || target.kind !== 'command') return false
  const { args } = target
  return (
    there.command === target.command &&
    there.args.length === args.length &&
    there.args.every(
      (word, at) => word === args[at] || (/[$<]/.test(word) && args[at]!.startsWith(/^[^$<]*/.exec(word)![0])),
    )
  )
}

const parsed = (text: string, { notation }: ClientFormat): JsonObject => {
  if (text.trim() === '') return {}
  try {
    const value: unknown = notation === 'toml' ? parseToml(text) : tolerantJson(text)
    if (isObject(value)) return value
  } catch (error) {
    throw new MergeError('broken', { cause: error })
  }
  throw new MergeError('broken')
}

const tolerantJson = (text: string): unknown => {
  const errors: ParseError[] = []
  const options = { allowTrailingComma: true }
  // `parse` loses a member `__proto__`, but takes half the time.
  const hasPrototype = text.includes('__proto__')
  const root = hasPrototype ? parseTree(text, errors, options) : undefined
  const value: unknown = root ? getNodeValue(root) : parse(text, errors, options)
  if (errors.length > 0) throw new Error('Invalid JSON')
  return value
}

/** Where the file already has servers; otherwise where its client looks for them. */
const placeOf = (value: JsonObject, { path, notation }: ClientFormat): readonly string[] => {
  if (isObject(valueAt(value, path)) || notation === 'toml') return path
  const others = DIALECTS.flatMap(({ paths }): (readonly string[])[] => [...paths])
  return (
    others.find((other) => !other.includes('*') && other.at(-1) === path.at(-1) && isObject(valueAt(value, other))) ??
    flatOr(value, path)
  )
}

/** Settings of VS Code with a flat key. */
const flatOr = (value: JsonObject, path: readonly string[]): readonly string[] =>
  path[0] === 'servers' && isObject(value['mcp.servers']) ? ['mcp.servers'] : path

const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)]
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, value)

const hasAt = (value: unknown, path: readonly string[]): boolean => valueAt(value, path) !== undefined

/** Claude Code also keeps servers by project. */
const projectOf = (before: JsonObject, name: string): readonly string[] | undefined =>
  projectsIn(before).find((path) => hasAt(before, [...path, name]))

const projectsIn = ({ projects }: JsonObject): readonly (readonly string[])[] =>
  isObject(projects) ? Object.keys(projects).map((folder) => ['projects', folder, 'mcpServers']) : []

const placeKey = (keys: readonly string[]): string => JSON.stringify(keys)

const serversOf = (before: JsonObject, path: readonly string[]): WrittenServer[] =>
  [path, ...projectsIn(before)].flatMap((keys) => {
    const map = valueAt(before, keys)
    return isObject(map) ? Object.entries(map).map(([name, entry]) => ({ at: placeKey([...keys, name]), entry })) : []
  })

const first = (entry: JsonObject, names: readonly string[]): string | undefined =>
  names.find((name) => Object.hasOwn(entry, name))

const URLS = ['httpUrl', 'url', 'serverUrl']
const PROCESS = ['command', 'args', 'env', 'environment', 'env_vars', 'cwd']
const REMOTE = [...URLS, 'headers', 'http_headers', 'env_http_headers', 'bearer_token_env_var', 'requestInit']

const changesOf = (
  existing: JsonObject,
  server: ExportedServer,
  { entry, target }: ClientEntry,
  format: ClientFormat,
): Edit[] => {
  const { target: was, settings = {} } = readServer('', existing)
  const type = (): Edit[] =>
    entry.type === undefined || entry.type === existing.type ? [] : [{ path: ['type'], value: entry.type }]
  if (was?.kind === 'url' && target.kind === 'url') {
    const key = first(existing, URLS)!
    const sameTransport = settings.transport === server.settings.transport || server.settings.transport === undefined
    const wanted = sameTransport ? key : format.url![server.settings.transport === 'http-sse' ? 'sse' : 'http']
    const url = wanted !== key || was.url !== target.url ? entry[first(entry, URLS) ?? ''] : undefined
    return [
      ...(wanted === key ? [] : [{ path: [key], value: undefined }]),
      ...(url === undefined ? [] : [{ path: [wanted], value: url }]),
      ...(sameTransport ? [] : type()),
      ...pairEdits(existing, entry, was.headers, target.headers, ['headers', 'http_headers', 'env_http_headers'], true),
    ]
  }
  if (was?.kind === 'command' && target.kind === 'command') return processEdits(existing, entry, was, target)
  // Another kind of server: its keys go, and all others stay.
  const gone = (target.kind === 'url' ? PROCESS : REMOTE).filter((key) => Object.hasOwn(existing, key))
  return [
    ...gone.map((key) => ({ path: [key], value: undefined })),
    ...(entry.type === undefined && typeof existing.type === 'string' ? [{ path: ['type'], value: undefined }] : []),
    ...Object.entries(entry).flatMap(([key, value]) => (value === undefined ? [] : [{ path: [key], value }])),
  ]
}

type Process = Extract<ExportedServer['target'], { kind: 'command' }>

const processEdits = (existing: JsonObject, entry: JsonObject, was: Process, target: Process): Edit[] => {
  // Zed once had all of it in `command`.
  const nested = isObject(existing.command) ? existing.command : undefined
  const at = nested ? ['command'] : []
  const own = nested ?? existing
  const written = (Array.isArray(entry.args) ? entry.args : []) as Json[]
  const edits: Edit[] = []
  const sameCommand = was.command === target.command
  const sameArgs = isEqual(was.args, target.args)
  // Both in one key: an array, or a whole command line.
  const together = Array.isArray(own.command) || (own.args === undefined && was.args.length > 0)
  if (together && !(sameCommand && sameArgs)) {
    if (Array.isArray(own.command)) edits.push({ path: [...at, 'command'], value: [entry.command!, ...written] })
    else edits.push({ path: [...at, 'command'], value: entry.command! }, { path: [...at, 'args'], value: written })
  } else if (!together) {
    if (!sameCommand) edits.push({ path: [...at, nested ? 'path' : 'command'], value: entry.command! })
    if (!sameArgs) edits.push(...listEdits([...at, 'args'], was.args, target.args, written))
  }
  if (was.cwd !== target.cwd && (target.cwd === undefined || entry.cwd !== undefined)) {
    edits.push({ path: ['cwd'], value: entry.cwd })
  }
  const pairs = pairEdits(
    own,
    entry,
    Object.entries(was.env),
    Object.entries(target.env),
    ['env', 'environment'],
    false,
  )
  return [...edits, ...pairs.map(({ path, value }) => ({ path: [...at, ...path], value }))]
}

/** Arguments of the same number change one by one, so that comments between them stay. */
const listEdits = (path: string[], was: readonly string[], now: readonly string[], written: readonly Json[]): Edit[] =>
  was.length !== now.length
    ? [{ path, value: [...written] }]
    : now.flatMap((word, index) => (word === was[index] ? [] : [{ path: [...path, index], value: written[index]! }]))

type Pairs = readonly (readonly [name: string, value: string])[]

/** @param keys of the maps that may contain a pair */
const pairEdits = (
  existing: JsonObject,
  entry: JsonObject,
  was: Pairs,
  now: Pairs,
  keys: readonly string[],
  headers: boolean,
): Edit[] => {
  const folded = (name: string) => (headers ? name.toLowerCase() : name)
  const find = (pairs: Pairs, name: string) => pairs.find(([other]) => folded(other) === folded(name))
  const edits: Edit[] = []
  const single = headers ? 'bearer_token_env_var' : 'env_vars'
  let passedOn: readonly Json[] = Array.isArray(existing.env_vars) ? (existing.env_vars as Json[]) : []
  const remove = (name: string) => {
    for (const key of keys) {
      const map = existing[key]
      if (!isObject(map)) continue
      const own = Object.keys(map).find((other) => folded(other) === folded(name))
      if (own !== undefined) edits.push({ path: [key, own], value: undefined })
    }
    if (headers && folded(name) === 'authorization' && Object.hasOwn(existing, single))
      edits.push({ path: [single], value: undefined })
    passedOn = passedOn.filter((item) => item !== name && !(isObject(item) && item.name === name))
  }
  for (const [name] of was) if (!find(now, name)) remove(name)
  for (const [name, value] of now) {
    const before = find(was, name)
    // A value that isn't known here stays.
    if (before && (before[1] === value || value === '')) continue
    const key = keys.find((each) => isObject(entry[each]) && Object.hasOwn(entry[each], name))
    const place = key && (headers ? key : (first(existing, keys) ?? key))
    const own =
      place !== undefined && isObject(existing[place])
        ? Object.keys(existing[place]).find((other) => folded(other) === folded(name))
        : undefined
    const isThere = headers ? existing[single] === entry[single] : passedOn.includes(name)
    if (key === undefined && isThere) continue
    if (before && own === undefined) remove(name)
    if (key !== undefined && place !== undefined)
      edits.push({ path: [place, own ?? name], value: (entry[key] as JsonObject)[name]! })
    else if (headers) edits.push({ path: [single], value: entry[single]! })
    else passedOn = [...passedOn, name]
  }
  if (!headers && !isEqual(passedOn, existing.env_vars ?? [])) {
    edits.push({ path: [single], value: passedOn.length > 0 ? [...passedOn] : undefined })
  }
  return edits
}

const inputsAt = (before: JsonObject, path: readonly string[]): JsonObject[] => {
  const list = valueAt(before, inputsPlace(path))
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** VS Code's inputs that the file doesn't have yet. */
const inputEdits = (before: JsonObject, path: readonly string[], inputs: readonly JsonObject[]): Edit[] => {
  const place = inputsPlace(path)
  const known = valueAt(before, place)
  const list: unknown[] = Array.isArray(known) ? known : []
  const ids = new Set(inputsAt(before, path).map(({ id }) => id))
  const missing = inputs.filter(({ id }, at) => !ids.has(id) && inputs.findIndex((other) => other.id === id) === at)
  if (missing.length === 0) return []
  if (!Array.isArray(known)) return [{ path: place, value: missing }]
  return missing.map((input, at) => ({ path: [...place, list.length + at], value: input }))
}

/** @throws {MergeError} the result isn't what was meant */
const checked = (text: string, format: ClientFormat, before: JsonObject, edits: readonly Edit[]): string => {
  let expected: Json = structuredClone(before)
  for (const { path, value } of edits) expected = applied(expected, path, value)
  try {
    const edited = format.notation === 'toml' ? editedToml(text, edits) : editedJson(text, edits)
    if (isEqual(parsed(edited, format), expected)) return edited
  } catch (error) {
    throw new MergeError('unsafe', { cause: error })
  }
  throw new MergeError('unsafe')
}

const editedJson = (text: string, edits: readonly Edit[]): string => {
  if (text.trim() === '') {
    let whole: Json = {}
    for (const { path, value } of edits) whole = applied(whole, path, value)
    return `${JSON.stringify(whole, null, 2)}\n`
  }
  return edits.reduce((current, { path, value }) => editJson(current, path, value), text)
}

const editedToml = (text: string, edits: readonly Edit[]): string =>
  edits.reduce((current, { path, value }) => {
    const last = path.at(-1)
    if (typeof last !== 'number') return editToml(current, path.map(String), value)
    // TOML arrays are written as a whole.
    const keys = path.slice(0, -1).map(String)
    const list = valueAt(parseToml(current), keys) as Json[]
    return editToml(current, keys, list.with(last, value ?? null))
  }, text)

const applied = (whole: Json, [key, ...rest]: readonly (string | number)[], value: Json | undefined): Json => {
  if (key === undefined) return value ?? null
  if (Array.isArray(whole)) {
    const list = [...(whole as Json[])]
    list[Number(key)] = applied(list[Number(key)] ?? {}, rest, value)
    return list
  }
  const map = isObject(whole) ? whole : {}
  if (rest.length === 0 && value === undefined) {
    return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key))
  }
  return { ...map, [key]: applied((Object.hasOwn(map, key) ? map[key] : undefined) ?? {}, rest, value) }
}

/** Without regard to the order of keys. */
const isEqual = (one: unknown, two: unknown): boolean => {
  if (one === two) return true
  if (Array.isArray(one)) {
    return Array.isArray(two) && one.length === two.length && one.every((item, at) => isEqual(item, two[at]))
  }
  if (one instanceof Date) return two instanceof Date && one.getTime() === two.getTime()
  if (!isObject(one) || !isObject(two)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(two).length &&
    keys.every((key) => Object.hasOwn(two, key) && isEqual(one[key], two[key]))
  )
}
