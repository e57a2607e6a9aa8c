/**
 * Reads one server as clients configure it. They share most names; the few that differ are all read here, because a
 * pasted entry rarely says which client it is for.
 */
import { isObject, type JsonObject } from '../../../mcp/index.ts'
import { readCommand } from '../command-line.ts'
import type { ConfiguredServer, ConfigNote, ConfigProblem } from '../configured-server.ts'
import { placeholdersIn } from '../placeholders.ts'
import type { Settings } from '../settings.ts'
import { parsedTarget, type Target } from '../target.ts'

type Fields = JsonObject

/** Gemini CLI means Streamable HTTP by `httpUrl`, so it counts before `url`; Windsurf writes `serverUrl`. */
const URL_KEYS = ['httpUrl', 'url', 'serverUrl'] as const

/** Codex writes `http_headers`, opencode `environment`, and older instructions `requestInit`. */
const USED = new Set([
  ...['name', 'type', 'transport', 'command', 'args', 'env', 'environment', 'cwd', 'headers', 'http_headers'],
  ...['requestInit', 'env_vars', 'bearer_token_env_var', 'env_http_headers', 'disabled', 'enabled', ...URL_KEYS],
])

/** Clients write `sse`, or `http`, `streamable-http`, `streamableHttp`. For anything else, the transport isn't set. */
export const transportOf = (type: unknown): Settings => {
  if (type === 'sse') return { transport: 'http-sse' }
  return typeof type === 'string' && /^streamable-?http$/i.test(type) ? { transport: 'streamable-http' } : {}
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

export const describesServer = (value: Fields): boolean =>
  'command' in value ||
  URL_KEYS.some((key) => typeof value[key] === 'string') ||
  (isObject(value.transport) && describesServer(value.transport))

/** @param wrapped the entry has put its fields into `transport` */
export const readServer = (name: string, value: unknown, wrapped = false): ConfiguredServer => {
  if (!isObject(value)) return { name, problem: 'no-object', notes: [] }
  if (!wrapped && isObject(value.transport) && !('command' in value)) {
    const { transport, ...rest } = value
    return readServer(name, { ...rest, ...transport }, true)
  }
  const notes: ConfigNote[] = []
  if (value.disabled === true || value.enabled === false) notes.push({ kind: 'disabled' })
  const ignored = Object.keys(value).filter((key) => !USED.has(key))
  const url = URL_KEYS.map((key) => value[key]).find((text) => typeof text === 'string')
  const type = typeof value.type === 'string' ? value.type : value.transport
  const found = 'command' in value ? readProcess(value) : url === undefined ? missing(value) : readRemote(url, value)
  // A page can't send headers with a WebSocket.
  if (typeof found === 'object' && found.kind === 'custom' && Object.keys(textsOf(value.headers)).length > 0)
    ignored.push('headers')
  if (ignored.length > 0) notes.push({ kind: 'ignored', names: ignored })
  if (typeof found === 'string') return { name, problem: found, notes }
  const settings = found.kind !== 'url' ? {} : url === value.httpUrl ? STREAMABLE : transportOf(type)
  if (settings.transport === 'http-sse') notes.unshift({ kind: 'legacy-sse' })
  return configured(name, found, notes, settings)
}

const STREAMABLE: Settings = { transport: 'streamable-http' }

/** Zed starts the servers of its extensions itself; its settings don't contain the command. */
const missing = ({ source, settings }: Fields): ConfigProblem =>
  source === 'extension' || isObject(settings) ? 'extension' : 'no-target'

/** A valid entry, with a note if it has values to fill in. */
export const configured = (
  name: string,
  target: Target,
  notes: ConfigNote[],
  settings: Settings = {},
): ConfiguredServer => {
  const names = placeholdersIn(target)
  if (names.length > 0) notes.push({ kind: 'fill-in', names })
  return { name, target, ...(Object.keys(settings).length > 0 ? { settings } : {}), notes }
}

const readProcess = (value: Fields): Target | ConfigProblem => {
  // Zed once put all of it into `command`.
  if (isObject(value.command)) {
    const { path, args, env } = value.command
    return readProcess({
      ...value,
      command: path ?? '',
      args: value.args ?? args ?? null,
      env: value.env ?? env ?? null,
    })
  }
  // Some clients use one array for both.
  const [command, ...leading] = isList(value.command) ? value.command : [value.command]
  const args = [...leading, ...(isList(value.args) ? value.args : [])]
  if (value.args != null && !isList(value.args)) return 'bad-args'
  if (typeof command !== 'string' || command.trim() === '') return 'bad-command'
  if (!args.every((item) => typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')) {
    return 'bad-args'
  }
  const env = { ...passedOn(value.env_vars), ...references({ ...textsOf(value.environment), ...textsOf(value.env) }) }
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

/** Codex passes on the variables that it names, from its own environment. */
const passedOn = (names: unknown): Record<string, string> =>
  Object.fromEntries(
    (isList(names) ? names : []).flatMap((item) => {
      const name = isObject(item) ? item.name : item
      return isVariable(name) ? [[name, `\${env:${name}}`] as const] : []
    }),
  )

const isVariable = (name: unknown): name is string => typeof name === 'string' && /^[A-Za-z_]\w{0,127}$/.test(name)

const readRemote = (written: string, value: Fields): Target | ConfigProblem => {
  // The host is often a default, and without it this isn't a URL. The user sees the URL and may change it.
  const url = written.replaceAll(/\$\{\w+:-([^{}]*)\}/g, '$1')
  const parsed = parsedTarget(url)
  if (/^wss?:$/.test(parsed?.protocol ?? '')) {
    // As when it is typed: a WebSocket of a page has neither credentials nor a fragment.
    return parsed!.username || parsed!.password ? 'bad-url' : { kind: 'custom', url: url.replace(/#.*/s, '') }
  }
  if (!/^https?:$/.test(parsed?.protocol ?? '')) return 'bad-url'
  const init = isObject(value.requestInit) ? value.requestInit.headers : undefined
  const headers = references({ ...textsOf(init), ...textsOf(value.http_headers), ...textsOf(value.headers) })
  for (const [name, variable] of Object.entries(textsOf(value.env_http_headers))) {
    if (isVariable(variable)) headers[name] = `\${env:${variable}}`
  }
  const { bearer_token_env_var: bearer } = value
  if (isVariable(bearer)) headers.Authorization = `Bearer \${env:${bearer}}`
  return { kind: 'url', url, headers: Object.entries(headers) }
}

/**
 * References in other spellings: Gemini CLI also reads `$NAME`, and opencode writes `{env:NAME}`. `$NAME` only counts as a
 * whole value, because scripts in arguments contain it as well.
 */
const references = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      text
        .replace(/^((?:Bearer )?)\$([A-Za-z_]\w*)$/, '$1$${$2}')
        .replaceAll(/(?<!\$)\{env:([A-Za-z_]\w*)\}/g, '$${env:$1}'),
    ]),
  )

/** The names and values that are strings or can be converted to strings. */
const textsOf = (value: unknown): Record<string, string> => {
  if (!isObject(value)) return {}
  const texts = Object.entries(value).flatMap(([name, item]) =>
    item === null || typeof item === 'object' ? [] : [[name, String(item)] as const],
  )
  return Object.fromEntries(texts)
}
