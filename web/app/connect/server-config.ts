/**
 * Parses server configurations of other clients: `mcpServers`, VS Code's `servers`, the registry's `server.json`, or a
 * single server. An invalid entry never affects the others: it has a problem instead of a target.
 */
import { isObject, type JsonObject } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { readCommand } from './command-line.ts'
import { placeholdersIn } from './placeholders.ts'
import type { Settings } from './settings.ts'
import type { Target } from './target.ts'

export type ConfigProblem =
  | 'no-object'
  | 'no-target'
  | 'bad-command'
  | 'bad-args'
  | 'bad-url'
  | 'unknown-package'
  | 'needs-http'

/** Notes on a configuration entry to read before connecting. Their texts are in the catalogue. */
export type ConfigNote =
  /** It names the transport that preceded Streamable HTTP. */
  | { readonly kind: 'legacy-sse' }
  /** These values must be filled in by the user. */
  | { readonly kind: 'fill-in'; readonly names: readonly string[] }
  /** Keys that Periscope doesn't use. */
  | { readonly kind: 'ignored'; readonly names: readonly string[] }

export interface ConfiguredServer {
  readonly name: string
  readonly target?: Target
  /** The entry's settings for the connection. */
  readonly settings?: Settings
  readonly problem?: ConfigProblem
  readonly notes: readonly ConfigNote[]
}

type Fields = JsonObject

/** Clients write `sse`, or `http`, `streamable-http`, `streamableHttp`. For anything else, the transport isn't set. */
const transportOf = (type: unknown): Settings => {
  if (type === 'sse') return { transport: 'http-sse' }
  return typeof type === 'string' && /^streamable-?http$/i.test(type) ? { transport: 'streamable-http' } : {}
}

export type Dialect = 'mcpServers' | 'servers' | 'server.json' | 'single'

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Finds the servers in a parsed configuration; `undefined` if nothing looks like one. */
export const readServers = (value: unknown): { dialect: Dialect; servers: ConfiguredServer[] } | undefined => {
  if (!isObject(value)) return undefined
  for (const key of ['mcpServers', 'context_servers']) {
    const map = value[key]
    if (isObject(map)) return { dialect: 'mcpServers', servers: readMap(map) }
  }
  const entry = isObject(value.server) ? value.server : value
  if (Array.isArray(entry.packages) || Array.isArray(entry.remotes)) {
    return { dialect: 'server.json', servers: readRegistryEntry(entry) }
  }
  // VS Code: `mcp.json` has `servers`; `settings.json` nests them under `mcp`.
  const map = isObject(value.mcp) && isObject(value.mcp.servers) ? value.mcp.servers : value.servers
  if (isObject(map)) return { dialect: 'servers', servers: readMap(map) }
  if (describesServer(value)) {
    const name = typeof value.name === 'string' ? value.name : ''
    return { dialect: 'single', servers: [readServer(name, value)] }
  }
  const entries = Object.values(value)
  if (entries.length > 0 && entries.every((item) => isObject(item) && describesServer(item))) {
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
  if (!isObject(value)) return { name, problem: 'no-object', notes: [] }
  const notes: ConfigNote[] = []
  const ignored = Object.keys(value).filter((key) => !USED.has(key))
  if (ignored.length > 0) notes.push({ kind: 'ignored', names: ignored })
  const url = URL_KEYS.map((key) => value[key]).find((text) => typeof text === 'string')
  const found =
    'command' in value ? readProcess(value) : url === undefined ? 'no-target' : readRemote(url, value, notes)
  if (typeof found === 'string') return { name, problem: found, notes }
  return configured(name, found, notes, found.kind === 'url' ? transportOf(value.type) : {})
}

/** A valid entry, with a note if it has values to fill in. */
const configured = (name: string, target: Target, notes: ConfigNote[], settings: Settings = {}): ConfiguredServer => {
  const names = placeholdersIn(target)
  if (names.length > 0) notes.push({ kind: 'fill-in', names })
  return { name, target, ...(Object.keys(settings).length > 0 ? { settings } : {}), notes }
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
  const init = isObject(value.requestInit) ? value.requestInit.headers : undefined
  const headers = Object.entries({ ...textsOf(init), ...textsOf(value.headers) })
  return { kind: 'url', url, headers }
}

/** The names and values that are strings or can be converted to strings. */
const textsOf = (value: unknown): Record<string, string> => {
  if (!isObject(value)) return {}
  const texts = Object.entries(value).flatMap(([name, item]) =>
    item === null || typeof item === 'object' ? [] : [[name, String(item)] as const],
  )
  return Object.fromEntries(texts)
}

/**
 * All options of an entry of the MCP registry, packages first. Older entries use underscores in their keys.
 * @see https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md
 */
const readRegistryEntry = (entry: Fields): ConfiguredServer[] => {
  const name = textAt(entry, 'title') ?? textAt(entry, 'name') ?? ''
  const packages = listAt(entry, 'packages').map((item) => readPackage(name, item))
  const remotes = listAt(entry, 'remotes').map((item) => readRegistryRemote(name, item))
  return [...packages, ...remotes]
}

const readPackage = (name: string, item: Fields): ConfiguredServer => {
  const kind = textAt(item, 'registryType', 'registry_type', 'registry_name')
  const identifier = textAt(item, 'identifier', 'name')
  if (!identifier) return { name, problem: 'unknown-package', notes: [] }
  const transport = isObject(item.transport) ? textAt(item.transport, 'type') : undefined
  // It would start and then wait for HTTP requests at a port that it chooses.
  if (transport !== undefined && transport !== 'stdio') return { name, problem: 'needs-http', notes: [] }
  const version = textAt(item, 'version')
  const runtime = argumentsOf(listAt(item, 'runtimeArguments', 'runtime_arguments'))
  const own = argumentsOf(listAt(item, 'packageArguments', 'package_arguments'))
  const env = Object.fromEntries(pairsOf(listAt(item, 'environmentVariables', 'environment_variables')))
  const words = wordsFor(
    kind,
    identifier,
    version,
    textAt(item, 'runtimeHint', 'runtime_hint'),
    runtime,
    Object.keys(env),
  )
  if (!words) return { name, problem: 'unknown-package', notes: [] }
  const [command, ...args] = [...words, ...own]
  return configured(name, { kind: 'command', command: command!, args, env }, [])
}

const wordsFor = (
  kind: string | undefined,
  identifier: string,
  version: string | undefined,
  hint: string | undefined,
  runtime: readonly string[],
  variables: readonly string[],
): string[] | undefined => {
  const pinned = version && version !== 'latest' ? `${identifier}@${version}` : identifier
  switch (kind) {
    case 'npm': {
      const command = hint ?? 'npx'
      const yes = command === 'npx' && !runtime.includes('-y') && !runtime.includes('--yes') ? ['-y'] : []
      return [command, ...yes, ...runtime, pinned]
    }
    case 'pypi':
      return [hint ?? 'uvx', ...runtime, pinned]
    case 'nuget':
      return [hint ?? 'dnx', pinned, '--yes', ...runtime]
    case 'oci':
    case 'docker': {
      const image = version && !/[:@]/.test(identifier.split('/').at(-1)!) ? `${identifier}:${version}` : identifier
      const passed = variables.filter((name) => !runtime.some((word) => word.startsWith(`${name}=`) || word === name))
      const base = runtime[0] === 'run' ? runtime : ['run', '-i', '--rm', ...runtime]
      return [hint ?? 'docker', ...base, ...passed.flatMap((name) => ['-e', name]), image]
    }
    default:
      return undefined
  }
}

const readRegistryRemote = (name: string, item: Fields): ConfiguredServer => {
  const url = textAt(item, 'url')
  if (!url || !parsedUrl(url) || !/^https?:/i.test(url)) return { name, problem: 'bad-url', notes: [] }
  const settings = transportOf(textAt(item, 'type', 'transport_type'))
  const legacy: ConfigNote[] = settings.transport === 'http-sse' ? [{ kind: 'legacy-sse' }] : []
  return configured(name, { kind: 'url', url, headers: pairsOf(listAt(item, 'headers')) }, legacy, settings)
}

const isRequired = (item: Fields): boolean => item.isRequired === true || item.is_required === true

/** Names with their values; required ones without a value give a placeholder. */
const pairsOf = (items: readonly Fields[]): [name: string, value: string][] =>
  items.flatMap((item) => {
    const name = textAt(item, 'name')
    const value = valueOf(item) ?? (isRequired(item) ? `<${name}>` : undefined)
    return name === undefined || value === undefined ? [] : [[name, value]]
  })

/**
 * Positional arguments give their value, named ones their name and value; required ones without a
 * value give a placeholder.
 */
const argumentsOf = (items: readonly Fields[]): string[] =>
  items.flatMap((item) => {
    const value = valueOf(item)
    const required = isRequired(item)
    const label = textAt(item, 'name', 'valueHint', 'value_hint')
    if (item.type === 'named') {
      if (!label) return []
      if (value !== undefined) return [label, value]
      if (required && item.format === undefined) return [label]
      return required ? [label, `<${label.replace(/^-+/, '')}>`] : []
    }
    if (value !== undefined) return [value]
    return required ? [`<${label ?? 'value'}>`] : []
  })

/** The value with its known variables inserted; a default counts as known. */
const valueOf = (item: Fields): string | undefined => {
  const text = textAt(item, 'value', 'default')
  if (text === undefined || !isObject(item.variables)) return text
  const { variables } = item
  return text.replaceAll(/\{([^{}]+)\}/g, (whole, key: string) => {
    const variable = variables[key]
    return (isObject(variable) ? textAt(variable, 'value', 'default') : undefined) ?? whole
  })
}

const textAt = (fields: Fields, ...keys: string[]): string | undefined => {
  for (const key of keys) {
    const value = fields[key]
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  }
  return undefined
}

const listAt = (fields: Fields, ...keys: string[]): Fields[] => {
  const list = keys.map((key) => fields[key]).find(Array.isArray)
  return (list ?? []).filter(isObject)
}
