/** The servers that a client's configuration file has, and which of the exported ones each of them is. */
import { isObject, type Json, type JsonObject } from '../../../mcp/index.ts'
import { DIALECTS } from '../configs/dialects.ts'
import { readServer } from '../configs/server-entry.ts'
import type { Target } from '../target.ts'
import type { ExportedServer } from './client-entry.ts'
import type { ClientFormat } from './client-formats.ts'

type Keys = readonly (string | number)[]

export interface FileServer {
  readonly keys: Keys
  /** Unique in the file. */
  readonly at: string
  readonly name: string
  readonly entry: unknown
  /** As the client starts it: in the folder of its project, if it has one. */
  readonly there: Target | undefined
  /** The project that it is for. */
  readonly project: string | undefined
}

export interface FileServers {
  /** Where new servers go. */
  readonly path: readonly string[]
  /** They have no keys there, so each has its name within. */
  readonly isList: boolean
  /** How many are there. */
  readonly count: number
  /** The key of the name within an entry, as the other entries have it. */
  readonly nameKey: string
  readonly all: readonly FileServer[]
  /** Claude Code also keeps servers by project. */
  readonly hasProjects: boolean
}

export const fileServers = (value: Json, format: ClientFormat): FileServers => {
  const path = placeOf(value, format)
  const projects = projectsIn(value)
  const own = serversAt(value, path)
  const all = [...own, ...projects.flatMap((folder) => serversAt(value, ['projects', folder, 'mcpServers'], folder))]
  const list = valueAt(value, path)
  const nameKey = NAME_KEYS.find((key) => Array.isArray(list) && list.some((one) => isObject(one) && key in one))
  return {
    path,
    isList: Array.isArray(list),
    count: own.length,
    nameKey: nameKey ?? 'name',
    all,
    hasProjects: projects.length > 0,
  }
}

/** In the order in which they are read. */
const NAME_KEYS = ['name', 'id', 'title'] as const

export const valueAt = (value: unknown, path: Keys): unknown =>
  path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)]
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, value)

/** Where the file already has servers; otherwise where its client looks for them. */
const placeOf = (value: Json, { path, notation }: ClientFormat): readonly string[] => {
  // Servers without a key around them.
  if (Array.isArray(value)) return []
  if (holdsServers(valueAt(value, path)) || notation === 'toml') return path
  const others = DIALECTS.flatMap(({ paths }): (readonly string[])[] => [...paths])
  const other = others.find(
    (one) => !one.includes('*') && one.at(-1) === path.at(-1) && holdsServers(valueAt(value, one)),
  )
  // Settings of VS Code with a flat key.
  const isFlat = path[0] === 'servers' && holdsServers(valueAt(value, ['mcp.servers']))
  return other ?? (isFlat ? ['mcp.servers'] : path)
}

const holdsServers = (value: unknown): boolean => isObject(value) || Array.isArray(value)

const projectsIn = (value: Json): readonly string[] =>
  isObject(value) && isObject(value.projects) ? Object.keys(value.projects) : []

const serversAt = (value: Json, path: readonly string[], project?: string): readonly FileServer[] => {
  const held = valueAt(value, path)
  const named: readonly (readonly [key: string | number, name: string, entry: unknown])[] = Array.isArray(held)
    ? held.map((entry: unknown, index) => [index, isObject(entry) ? nameIn(entry) : '', entry] as const)
    : isObject(held)
      ? Object.entries(held).map(([name, entry]) => [name, name, entry] as const)
      : []
  return named.map(([key, name, entry]) => {
    const keys = [...path, key]
    return { keys, at: JSON.stringify(keys), name, entry, there: inProject(entry, project), project }
  })
}

const nameIn = (entry: JsonObject): string =>
  NAME_KEYS.map((key) => entry[key]).find((text): text is string => typeof text === 'string') ?? ''

const inProject = (entry: unknown, project: string | undefined): Target | undefined => {
  if (!isObject(entry)) return undefined
  const { target } = readServer('', entry)
  return target?.kind === 'command' && project !== undefined ? { ...target, cwd: target.cwd ?? project } : target
}

export const byNames = (all: readonly FileServer[]): ReadonlyMap<string, readonly FileServer[]> => {
  const found = new Map<string, FileServer[]>()
  for (const one of all) {
    const others = found.get(one.name)
    if (others) others.push(one)
    else found.set(one.name, [one])
  }
  return found
}

/**
 * Which server of the file each exported one is, by its index. A name alone doesn't say: the user and each project may
 * have a server of that name, and the elements of an array may share one.
 * @param isSame whether a server would be written as the file has it, apart from its values
 */
export const assigned = (
  servers: readonly ExportedServer[],
  { all, hasProjects }: FileServers,
  isSame: (server: ExportedServer, other: FileServer) => boolean,
): Map<number, FileServer> => {
  const byName = byNames(all)
  const found = new Map<number, FileServer>()
  const claimed = new Set<FileServer>()
  const pairsOf = (server: ExportedServer, index: number) => {
    const named = byName.get(server.name) ?? []
    const unnamed = server.name === '' ? [] : (byName.get('') ?? []).filter((other) => isSame(server, other))
    const isAlone = named.length === 1
    // Folders don't distinguish URLs. In the second round, a URL takes the only entry of its name that is left.
    const isLast = server.target.kind === 'command' ? isAlone : named.filter((one) => !claimed.has(one)).length === 1
    const ranked = named.map((other) => ({ index, other, rank: rankOf(server, other, isLast, hasProjects, isSame) }))
    return [...ranked, ...unnamed.map((other) => ({ index, other, rank: RANK.name }))]
  }
  for (let round = 1; round <= 2; round++) {
    const pairs = servers.flatMap((server, index) => (found.has(index) ? [] : pairsOf(server, index)))
    for (const { index, other, rank } of pairs.toSorted((one, two) => (two.rank ?? 0) - (one.rank ?? 0))) {
      if (rank === undefined || found.has(index) || claimed.has(other)) continue
      found.set(index, other)
      claimed.add(other)
    }
  }
  return found
}

const RANK = { name: 1, same: 2, folder: 3, project: 4 } as const

const rankOf = (
  server: ExportedServer,
  other: FileServer,
  isAlone: boolean,
  hasProjects: boolean,
  isSame: (server: ExportedServer, other: FileServer) => boolean,
): number | undefined => {
  if (server.project !== undefined && (hasProjects || other.project !== undefined))
    return server.project === other.project ? RANK.project : undefined
  const folder = server.target.kind === 'command' ? server.target.cwd : undefined
  if (server.target.kind === 'command' && other.there?.kind === 'command' && hasProjects) {
    if (folder === other.there.cwd) return isSame(server, other) ? RANK.project : RANK.folder
    // Another folder is another project; without one, it may be the same server as typed into the form.
    if (other.project !== undefined) return folder === undefined && isSame(server, other) ? RANK.name : undefined
    return isAlone || folder === undefined ? RANK.name : undefined
  }
  if (!isAlone && isSame(server, other)) return RANK.same
  // The user's own, or the only one of this name.
  return other.project === undefined || isAlone ? RANK.name : undefined
}
