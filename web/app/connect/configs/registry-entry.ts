/** Reads an entry of the MCP registry (`server.json`). */
import { isObject, type JsonObject } from '../../../mcp/index.ts'
import { parsedUrl } from '../../../mcp/url.ts'
import type { ConfiguredServer, ConfigNote } from '../configured-server.ts'
import { configured, transportOf } from './server-entry.ts'

type Fields = JsonObject

/**
 * All options of an entry of the MCP registry, packages first. Older entries use underscores in their keys.
 * @see https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md
 */
export const readRegistryEntry = (entry: Fields): ConfiguredServer[] => {
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
