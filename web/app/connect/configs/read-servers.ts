/**
 * Finds the servers in a parsed configuration, whichever client it is for. An invalid entry never affects the others: it
 * has a problem instead of a target.
 */
import { isObject, type JsonObject } from '../../../mcp/index.ts'
import type { ConfiguredServer, ConfigInput } from '../configured-server.ts'
import { DIALECTS, inputsPlace, type Dialect, type KeyPath } from './dialects.ts'
import { readRegistryEntry } from './registry-entry.ts'
import { describesServer, readServer } from './server-entry.ts'

export interface ReadServers {
  readonly dialect: Dialect
  /** The name of the format; empty if it has none. */
  readonly format: string
  readonly servers: readonly ConfiguredServer[]
}

/** `undefined` if nothing looks like a server. */
export const readServers = (value: unknown): ReadServers | undefined => {
  if (Array.isArray(value)) return readList(value, 'array')
  if (!isObject(value)) return undefined
  const entry = isObject(value.server) ? value.server : value
  if (Array.isArray(entry.packages) || Array.isArray(entry.remotes)) {
    return { dialect: 'server.json', format: 'server.json', servers: readRegistryEntry(entry) }
  }
  return readDialects(value) ?? readBare(value)
}

const readDialects = (value: JsonObject): ReadServers | undefined => {
  for (const { id, format, paths } of DIALECTS) {
    const found = paths.flatMap((path) => mapsAt(value, path).map((map) => ({ ...map, path })))
    const fits = id === 'claude.json' ? found.some(({ project }) => project) : found.length > 0
    if (!fits || (id === 'opencode' && !found.every(({ map }) => holdsServers(map)))) continue
    const servers = found.flatMap(({ map, project, path }) => {
      const inputs = inputsOf(value, path)
      return entriesOf(map).map((each) => withInputs(inProject(each, project), inputs))
    })
    return { dialect: id, format, servers }
  }
  return undefined
}

interface Found {
  /** Servers by name, or an array of them. */
  readonly map: JsonObject | readonly unknown[]
  /** The folder that `*` stood for. */
  readonly project: string | undefined
}

const mapsAt = (value: unknown, [key, ...rest]: readonly string[], project?: string): Found[] => {
  if (key === undefined) return isObject(value) || Array.isArray(value) ? [{ map: value, project }] : []
  if (!isObject(value)) return []
  if (key === '*') {
    return Object.entries(value).flatMap(([name, item]) =>
      // Claude Code writes an empty map for each project it was started in.
      mapsAt(item, rest, name).filter(({ map }) => Object.keys(map).length > 0),
    )
  }
  return Object.hasOwn(value, key) ? mapsAt(value[key], rest, project) : []
}

const entriesOf = (map: Found['map']): ConfiguredServer[] =>
  Array.isArray(map)
    ? map.map((item: unknown) => readServer(isObject(item) ? nameIn(item) : '', item))
    : Object.entries(map).map(([name, value]) => readServer(name, value))

const nameIn = ({ name, id, title }: JsonObject): string =>
  [name, id, title].find((text): text is string => typeof text === 'string') ?? ''

const holdsServers = (map: Found['map']): boolean => {
  const entries = Object.values(map)
  return entries.length > 0 && entries.every((item) => isObject(item) && (describesServer(item) || 'enabled' in item))
}

/** Claude Code starts the servers of a project in its folder. */
const inProject = (server: ConfiguredServer, project: string | undefined): ConfiguredServer => {
  if (project === undefined) return server
  const { target, notes } = server
  return {
    ...server,
    ...(target?.kind === 'command' ? { target: { ...target, cwd: target.cwd ?? project } } : {}),
    notes: [{ kind: 'project', names: [project] }, ...notes],
  }
}

const readBare = (value: JsonObject): ReadServers | undefined => {
  if (describesServer(value)) return { dialect: 'single', format: '', servers: [readServer(nameIn(value), value)] }
  const entries = Object.values(value)
  if (entries.length > 0 && entries.every((item) => isObject(item) && describesServer(item))) {
    return { dialect: 'mcpServers', format: 'mcpServers', servers: entriesOf(value) }
  }
  return undefined
}

const readList = (list: readonly unknown[], dialect: Dialect): ReadServers | undefined =>
  list.length > 0 && list.every((item) => isObject(item) && describesServer(item))
    ? { dialect, format: '', servers: entriesOf(list) }
    : undefined

/** VS Code keeps them beside its servers. A file may have several lists, and those beside the servers count first. */
const inputsOf = (value: JsonObject, path: KeyPath): ConfigInput[] => {
  const places = [path, ...DIALECTS.flatMap(({ paths }): readonly KeyPath[] => paths)].map(inputsPlace)
  return places.flatMap((place) => {
    const list = place.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value)
    return Array.isArray(list) ? list.filter(isObject).flatMap(inputOf) : []
  })
}

const inputOf = ({ id, description, default: preset, options, password, type }: JsonObject): ConfigInput[] => {
  if (typeof id !== 'string') return []
  const values = (Array.isArray(options) ? options : []).flatMap((option: unknown) => {
    const value = isObject(option) ? option.value : option
    return typeof value === 'string' ? [value] : []
  })
  return [
    {
      text: `\${input:${id}}`,
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof preset === 'string' ? { default: preset } : {}),
      ...(values.length > 0 ? { options: values } : {}),
      // Without a type it can't be known, and VS Code hides nothing unless `password` says so.
      ...(password !== true && typeof type === 'string' ? { isPublic: true } : {}),
    },
  ]
}

const withInputs = (server: ConfiguredServer, inputs: readonly ConfigInput[]): ConfiguredServer => {
  const names = server.notes.flatMap((note) => (note.kind === 'fill-in' ? note.names : []))
  const own = [...new Set(names)].flatMap((name) => inputs.find(({ text }) => text === name) ?? [])
  return own.length > 0 ? { ...server, inputs: own } : server
}
