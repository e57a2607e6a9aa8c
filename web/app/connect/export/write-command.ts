/** Writes the command line with which a client adds a server itself. */
import type { ClientId } from '../../../../proxy/wire.ts'
import { isObject, type JsonObject } from '../../../mcp/index.ts'
import { quote } from '../target.ts'
import { clientEntry, freeName, writtenName, type ExportedServer, type Values } from './client-entry.ts'
import { FORMATS } from './client-formats.ts'
import { References } from './references.ts'

/**
 * A client replaces a server, or refuses the command, if it has one of that name: each gets a name of its own, the same
 * as in a new file.
 *
 * @param directory that relative paths are relative to, if it is known
 * @returns none if the client has no such command, and none for a server of which the command can't say everything
 */
export const addCommands = (
  client: ClientId,
  servers: readonly ExportedServer[],
  values: Values,
  directory?: string,
): readonly string[] => {
  const { command } = FORMATS[client]
  if (!command) return []
  const taken = new Set<string>()
  const targets = servers.map(({ target }) => target)
  const references = References.of(client, targets)
  return servers.flatMap((server) => {
    const wanted = writtenName(client, server.name)
    const name = freeName(client, wanted, (one) => taken.has(one))
    const named = name === wanted ? server : { ...server, name }
    const made = clientEntry(client, named, values, directory, { references })
    if (!made) return []
    taken.add(name)
    if (made.notes.some(({ kind }) => kind === 'no-sse')) return []
    const words = command === 'code' ? codeWords(name, made.entry, made.inputs) : WORDS[command](name, made.entry)
    return words ? [words.map(quote).join(' ')] : []
  })
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

const textsIn = (value: unknown): [name: string, text: string][] =>
  isObject(value) ? Object.entries(value).map(([name, text]) => [name, textIn(text)]) : []

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textIn) : [])

const processOf = ({ command, args }: JsonObject): string[] => ['--', textIn(command), ...listOf(args)]

const claude = (name: string, entry: JsonObject): string[] => {
  const add = ['claude', 'mcp', 'add']
  if ('command' in entry) {
    // After the name, because the option takes several values.
    return [
      ...add,
      name,
      ...textsIn(entry.env).flatMap(([key, text]) => ['--env', `${key}=${text}`]),
      ...processOf(entry),
    ]
  }
  const headers = textsIn(entry.headers).flatMap(([key, text]) => ['--header', `${key}: ${text}`])
  return [...add, '--transport', textIn(entry.type), name, textIn(entry.url), ...headers]
}

const gemini = (name: string, entry: JsonObject): string[] | undefined => {
  const add = ['gemini', 'mcp', 'add']
  if ('command' in entry) {
    if ('cwd' in entry) return undefined
    const env = textsIn(entry.env).flatMap(([key, text]) => ['--env', `${key}=${text}`])
    return [...add, ...env, name, textIn(entry.command), ...listOf(entry.args)]
  }
  const transport = 'httpUrl' in entry ? 'http' : 'sse'
  const headers = textsIn(entry.headers).flatMap(([key, text]) => ['--header', `${key}: ${text}`])
  return [...add, '--transport', transport, ...headers, name, textIn(entry.httpUrl ?? entry.url)]
}

const codex = (name: string, entry: JsonObject): string[] | undefined => {
  const add = ['codex', 'mcp', 'add', name]
  // Only the file can say these.
  if (['env_vars', 'http_headers', 'env_http_headers', 'cwd'].some((key) => key in entry)) return undefined
  if ('command' in entry) {
    return [...add, ...textsIn(entry.env).flatMap(([key, text]) => ['--env', `${key}=${text}`]), ...processOf(entry)]
  }
  const bearer = entry.bearer_token_env_var
  return [...add, '--url', textIn(entry.url), ...(typeof bearer === 'string' ? ['--bearer-token-env-var', bearer] : [])]
}

const WORDS = { claude, gemini, codex } as const

/** It takes no inputs, so entries that refer to one belong into the file. */
const codeWords = (name: string, entry: JsonObject, inputs: readonly JsonObject[]): string[] | undefined =>
  inputs.length > 0 ? undefined : ['code', '--add-mcp', JSON.stringify({ name, ...entry })]
