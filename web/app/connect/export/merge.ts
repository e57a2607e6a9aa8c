/**
 * Puts servers into a client's configuration file. Only what differs is changed: comments, order and unknown keys stay,
 * and so do the values of headers and variables that are the same. The result is parsed and compared with what was meant.
 */
import { getNodeValue, parse, parseTree, type ParseError } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import type { ClientId } from '../../../../proxy/wire.ts'
import { isObject, type Json, type JsonObject } from '../../../mcp/index.ts'
import { inputsPlace } from '../configs/dialects.ts'
import { describesServer, readServer } from '../configs/server-entry.ts'
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
import { assigned, byNames, fileServers, valueAt, type FileServer } from './file-servers.ts'
import { editJson } from './json-edit.ts'
import { References } from './references.ts'
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
  const file = fileServers(before, format)
  const { path } = file
  const notes: ExportNote[] = []
  const edits: Edit[] = []
  const inputs: JsonObject[] = []
  const taken = new Set<string>()
  const claimed = new Set<FileServer>()
  const targets = servers.map(({ target }) => target)
  const references = References.of(client, targets, file.all, inputsAt(before, path))
  const atPath = byNames(file.all.filter(({ project }) => project === undefined))
  const makeAt = (name: string, server: ExportedServer, of: References, own?: FileServer) => {
    const there = own?.there
    const at = own?.at ?? JSON.stringify([...path, name])
    const made = clientEntry(client, server, values, directory, { there, at, references: of })
    // A process that connects to the URL is compared with the process that would be written.
    return made?.bridge && there?.kind === 'command' ? { ...made, target: made.bridge } : made
  }
  const isAt = (own: FileServer, server: ExportedServer): boolean => {
    const made = makeAt(own.name, server, references.copy(), own)
    return made !== undefined && isSameServer(own.there, made.target)
  }
  const planned = assigned(servers, file, (server, other) => isAt(other, server))
  let added = 0
  for (const [index, server] of servers.entries()) {
    const plan = planned.get(index)
    let own = plan && !claimed.has(plan) ? plan : undefined
    // The name of a server that the file has works there.
    const isPlain = format.plainNames && own === undefined
    const wanted = isPlain ? writtenName(client, server.name) : server.name || 'server'
    // The names of its variables contain that of the server.
    const namedAs = (name: string) => (name === wanted ? server : { ...server, name })
    const findFree = () =>
      freeName(client, wanted, (one) => {
        if (taken.has(one)) return true
        const others = atPath.get(one)
        if (!others) return false
        // It may be another server, which happens to have the name that this one is given here.
        own = others.find((other) => !claimed.has(other) && isAt(other, namedAs(one)))
        // Or this one, which was given the name of another: they have the names of the first export.
        if (own && servers.some((other, at) => planned.get(at) === own && isAt(own!, other))) own = undefined
        return own === undefined
      })
    const name = own ? own.name : findFree()
    const made = makeAt(name, own?.name === '' ? server : namedAs(name), references, own)
    if (!made) continue
    if (own) claimed.add(own)
    if (own?.project === undefined) taken.add(name)
    if (isPlain && server.name !== '' && wanted !== server.name)
      notes.push({ kind: 'renamed', name: server.name, written: name })
    const existing = own?.entry
    const changes = isObject(existing)
      ? changesOf(existing, own?.project, server, made, format)
      : [{ path: [], value: (file.isList ? { [file.nameKey]: name, ...made.entry } : made.entry) as Json }]
    const keys = own?.keys ?? [...path, file.isList ? file.count + added++ : name]
    edits.push(...changes.map((edit) => ({ path: [...keys, ...edit.path], value: edit.value })))
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

const parsed = (text: string, { notation }: ClientFormat): Json => {
  if (text.trim() === '') return {}
  try {
    const value: unknown = notation === 'toml' ? parseToml(text) : tolerantJson(text)
    if (isObject(value)) return value
    // Servers without a key around them.
    if (Array.isArray(value) && value.every((one) => isObject(one) && describesServer(one))) return value as Json[]
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

const first = (entry: JsonObject, names: readonly string[]): string | undefined =>
  names.find((name) => Object.hasOwn(entry, name))

const URLS = ['httpUrl', 'url', 'serverUrl']
const PROCESS = ['command', 'args', 'env', 'environment', 'env_vars', 'cwd']
const REMOTE = [...URLS, 'headers', 'http_headers', 'env_http_headers', 'bearer_token_env_var', 'requestInit']

const changesOf = (
  existing: JsonObject,
  project: string | undefined,
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
  if (was?.kind === 'command' && target.kind === 'command') {
    // The folder of a project isn't in its entries.
    const folder = was.cwd ?? project
    return processEdits(existing, entry, folder === undefined ? was : { ...was, cwd: folder }, target)
  }
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

const inputsAt = (before: Json, path: readonly string[]): JsonObject[] => {
  const list = valueAt(before, inputsPlace(path))
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** VS Code's inputs that the file doesn't have yet. */
const inputEdits = (before: Json, path: readonly string[], inputs: readonly JsonObject[]): Edit[] => {
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
const checked = (text: string, format: ClientFormat, before: Json, edits: readonly Edit[]): string => {
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
