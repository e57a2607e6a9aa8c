/** Configuration files: the servers in them, and which of several dropped files are configurations. */
import type { ConfiguredServer } from '../configured-server.ts'
import type { ConfigFile, Understood } from '../connect-input.ts'
import { MAX_FILE, textOf } from './file-text.ts'
import { readConfig } from './read-config.ts'

/** The servers in a file, or in several, whatever they look like. */
export const understandFile = (file: ConfigFile): Understood => {
  const all = (file.parts ?? [file]).map((part) => ({ name: part.name, understood: understandOne(part) }))
  const first = all.find(({ understood }) => understood.kind === 'servers')?.understood
  if (all.length === 1 || first?.kind !== 'servers') return all[0]!.understood
  const servers = all.flatMap(({ name, understood }): readonly ConfiguredServer[] =>
    understood.kind === 'servers' ? understood.servers : [{ name, problem: 'unreadable', notes: [] }],
  )
  return { ...first, servers }
}

const understandOne = ({ text, only }: ConfigFile): Understood => {
  if (text.length > MAX_FILE) return { kind: 'problem', as: 'json', cause: 'too-long', thing: `${text.length}` }
  const understood = readConfig(text)
  // The unexpected text may be part of a secret.
  if (understood.kind === 'problem' && understood.cause === 'json' && understood.found !== '') {
    return { ...understood, found: '…' }
  }
  if (understood.kind !== 'servers' || only === undefined) return understood
  const servers = understood.servers.filter(({ name }) => name === only)
  if (servers.length > 0) return { ...understood, servers }
  const names = understood.servers.map(({ name }) => name).join(', ')
  return { kind: 'problem', as: understood.as, cause: 'no-such-server', thing: only, names }
}

/** All files as one. `undefined` if there is none. */
export const configFileOf = async (files: readonly File[]): Promise<ConfigFile | undefined> =>
  joined(await Promise.all(files.map(read)))

const read = async (file: File): Promise<ConfigFile> => ({ name: file.name, text: await textOf(file) })

const joined = (parts: readonly ConfigFile[]): ConfigFile | undefined =>
  parts.length > 1 ? { name: parts.map(({ name }) => name).join(', '), text: '', parts } : parts[0]

/** The configurations among dropped files as one, and the other files. */
export const sortFiles = async (
  files: readonly File[],
): Promise<{ readonly config: ConfigFile | undefined; readonly others: readonly File[] }> => {
  const configs: ConfigFile[] = []
  const others: File[] = []
  for (const file of files) {
    const config = mayBeConfig(file) ? await read(file) : undefined
    if (config && (isConfigName(file.name) || hasServers(config))) configs.push(config)
    else others.push(file)
  }
  return { config: joined(configs), others }
}

const hasServers = ({ text }: ConfigFile): boolean => {
  const content = readConfig(text)
  return content.kind === 'servers' && content.servers.some(({ target }) => target)
}

/** Whether it is one by its name alone, even if its content is broken. */
const isConfigName = (name: string): boolean =>
  /\.(?:jsonc|toml|code-workspace)$|^(?:\.?mcp|mcp_config|claude_desktop_config|cline_mcp_settings|\.claude|settings|server|opencode)\.json$/i.test(
    name,
  )

/** Bytes of a file that is parsed to see what it is. Recordings may be far longer. */
const LARGEST_GUESS = 4_000_000

/** Whether a file may be a configuration: some recordings are JSON as well. */
const mayBeConfig = ({ name, size }: File): boolean =>
  isConfigName(name) || (/\.json5?$/i.test(name) && size <= LARGEST_GUESS)
