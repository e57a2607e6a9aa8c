/**
 * Parses server configurations of other clients: `mcpServers`, VS Code's `servers`, the registry's `server.json`, or a
 * single server. An invalid entry never affects the others: it has a problem instead of a target.
 */
import { parsedUrl } from '../../mcp/url.ts'
import { readCommand } from './command-line.ts'
import { isFields, transportOf } from './configured-server.ts'
import type { ConfigNote, ConfigProblem, ConfiguredServer, Fields } from './configured-server.ts'
import { placeholdersIn } from './placeholders.ts'
import { readRegistryEntry } from './server-json.ts'
import type { Target } from './target.ts'

export type Dialect = 'mcpServers' | 'servers' | 'server.json' | 'single'

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Finds the servers in a parsed configuration; `undefined` if nothing looks like one. */
export const readServers = (value: unknown): { dialect: Dialect; servers: ConfiguredServer[] } | undefined => {
  if (!isFields(value)) return undefined
  for (const key of ['mcpServers', 'context_servers']) {
    const map = value[key]
    if (isFields(map)) return { dialect: 'mcpServers', servers: readMap(map) }
  }
  const entry = isFields(value.server) ? value.server : value
  if (Array.isArray(entry.packages) || Array.isArray(entry.remotes)) {
    return { dialect: 'server.json', servers: readRegistryEntry(entry) }
  }
  // VS Code: `mcp.json` has `servers`; `settings.json` nests them under `mcp`.
  const map = isFields(value.mcp) && isFields(value.mcp.servers) ? value.mcp.servers : value.servers
  if (isFields(map)) return { dialect: 'servers', servers: readMap(map) }
  if (describesServer(value)) {
    const name = typeof value.name === 'string' ? value.name : ''
    return { dialect: 'single', servers: [readServer(name, value)] }
  }
  const entries = Object.values(value)
  if (entries.length > 0 && entries.every((item) => isFields(item) && describesServer(item))) {
    return { dialect: 'mcpServers', servers: readMap(value) }
  }
  return undefined
}

const URL_KEYS = ['url', 'serverUrl', 'httpUrl'] as const

const describesServer = (value: Fields): boolean =>
  'command' in value || URL_KEYS.some((key) => typeof value[key] === 'string')

const readMap = (map: Fields): ConfiguredServer[] => Object.entries(map).map(([name, value]) => readServer(name, value))

const USED = new Set(['name', 'type', 'command', 'args', 'env', 'cwd', 'headers', 'requestInit', ...URL_KEYS])

const readServer = (name: string, value: unknown): ConfiguredServer => {
  if (!isFields(value)) return { name, problem: 'no-object', notes: [] }
  const notes: ConfigNote[] = []
  const ignored = Object.keys(value).filter((key) => !USED.has(key))
  if (ignored.length > 0) notes.push({ kind: 'ignored', names: ignored })
  const url = URL_KEYS.map((key) => value[key]).find((text) => typeof text === 'string')
  const found =
    'command' in value ? readProcess(value) : url === undefined ? 'no-target' : readRemote(url, value, notes)
  if (typeof found === 'string') return { name, problem: found, notes }
  const names = placeholdersIn(found)
  if (names.length > 0) notes.push({ kind: 'fill-in', names })
  const settings = found.kind === 'url' ? transportOf(value.type) : {}
  return { name, target: found, ...(Object.keys(settings).length > 0 ? { settings } : {}), notes }
}

const readProcess = (value: Fields): Target | ConfigProblem => {
  // Some clients use one array for both.
  const [command, ...leading] = isList(value.command) ? value.command : [value.command]
  const args = [...leading, ...(isList(value.args) ? value.args : [])]
  if (value.args != null && !isList(value.args)) return 'bad-args'
  if (typeof command !== 'string' || command.trim() === '') return 'bad-command'
  if (!args.every((item) => typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')) {
    return 'bad-args'
  }
  const env = textsOf(value.env)
  const cwd = typeof value.cwd === 'string' && value.cwd !== '' ? { cwd: value.cwd } : {}
  // If `args` is absent, `command` often contains a whole command line; but it may also be a path with spaces.
  if (
    value.args == null &&
    args.length === 0 &&
    /\s/.test(command.trim()) &&
    !/^(?:[A-Za-z]:)?[\\/]/.test(command.trim())
  ) {
    const read = readCommand(command)
    if ('cause' in read) return 'bad-command'
    return { kind: 'command', ...cwd, ...read, env: { ...read.env, ...env } }
  }
  return { kind: 'command', command, args: args.map(String), env, ...cwd }
}

const readRemote = (url: string, value: Fields, notes: ConfigNote[]): Target | ConfigProblem => {
  if (!/^https?:$/.test(parsedUrl(url)?.protocol ?? '')) return 'bad-url'
  if (value.type === 'sse') notes.push({ kind: 'legacy-sse' })
  const init = isFields(value.requestInit) ? value.requestInit.headers : undefined
  const headers = Object.entries({ ...textsOf(init), ...textsOf(value.headers) })
  return { kind: 'url', url, headers }
}

/** The names and values that are strings or can be converted to strings. */
const textsOf = (value: unknown): Record<string, string> => {
  if (!isFields(value)) return {}
  const told = Object.entries(value).filter(([, item]) => ['string', 'number', 'boolean'].includes(typeof item))
  return Object.fromEntries(told.map(([name, item]) => [name, String(item)]))
}
