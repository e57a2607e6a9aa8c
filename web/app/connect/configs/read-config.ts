/** Reads a configuration in any notation that clients use. Loaded once something that looks like one was entered. */
import { parse as parseToml, TomlError } from 'smol-toml'
import { isObject } from '../../../mcp/index.ts'
import { parseTolerant } from '../../../forms/index.ts'
import { plain } from '../../../json/index.ts'
import type { ConfiguredServer } from '../configured-server.ts'
import type { ReadConfig } from '../connect-input.ts'
import { readAddCommand } from './add-command.ts'
import { readInstallLink } from './install-link.ts'
import { readServers } from './read-servers.ts'
import { readServer } from './server-entry.ts'

type Read = ReturnType<ReadConfig>

/** Never throws. */
export const readConfig: ReadConfig = (input) => {
  const text = input.trim()
  if (/^(?:cursor|vscode|vscode-insiders|lmstudio|https):/.test(text)) return readLink(text)
  const fenced = /^```[\w-]*\s*\n([\s\S]*?)(?:```\s*)?$/.exec(text)?.[1] ?? text
  if (/^\s*(?:\$\s+)?(?:claude|codex|gemini|code|code-insiders)\s/.test(fenced)) return readAdding(fenced.trim())
  if (looksLikeToml(fenced)) return readToml(fenced)
  // Goose and Continue write YAML.
  if (/^[\w-]+:[ \t]*(?:#.*)?\r?\n\s*(?!["'{[])\S/.test(fenced))
    return { kind: 'problem', as: 'json', cause: 'yaml', thing: 'YAML' }
  return readJson(fenced)
}

/** Where the next command of several begins: in a line of its own, or after `&&`. */
const NEXT_COMMAND =
  /(?:(?<!\\)\r?\n|&&|;)[ \t]*(?=(?:\$\s+)?(?:(?:claude|codex|gemini)(?:\s+-\S+)*\s+mcp\s+add|code(?:-insiders)?\s+--add-mcp))/

/** Blank lines and comments between commands. */
const BETWEEN = /(?:\r?\n[ \t]*(?:#.*)?)+$/

const readAdding = (text: string): Read => {
  const lines = text.split(NEXT_COMMAND).map((line) => line.replace(BETWEEN, '').trim())
  const all = lines.map((line) => ({ line, read: readAddingOne(line) }))
  const readable = all.find(({ read }) => read.kind === 'servers')?.read
  if (all.length === 1 || readable?.kind !== 'servers') return all[0]!.read
  const servers = all.flatMap(({ line, read }): readonly ConfiguredServer[] =>
    read.kind === 'servers'
      ? read.servers
      : [{ name: /^.*?\sadd|^\S+/.exec(line)?.[0] ?? '', problem: 'unreadable', notes: [] }],
  )
  return { ...readable, servers }
}

const readAddingOne = (text: string): Read => {
  const [program = ''] = /[\w-]+/.exec(text) ?? []
  const line = program.startsWith('code') && program !== 'codex' ? `${program} --add-mcp` : `${program} mcp add`
  const added = readAddCommand(text)
  if (!('cause' in added)) {
    return {
      kind: 'servers',
      as: 'command',
      dialect: 'add',
      format: line,
      servers: [readServer(added.name, added.entry)],
    }
  }
  if (added.cause === 'usage') return { kind: 'problem', as: 'command', cause: 'add-usage', thing: line }
  return { kind: 'problem', as: 'command', ...added }
}

const readLink = (text: string): Read => {
  const linked = readInstallLink(text)
  if (!linked) return { kind: 'problem', as: 'url', cause: 'install-link', thing: text.split(':', 1)[0]! }
  return { kind: 'servers', as: 'url', dialect: 'link', format: '', servers: [readServer(linked.name, linked.entry)] }
}

/** A table of the servers, or the header of any table with a bare key, which JSON can't begin with. */
const looksLikeToml = (text: string): boolean =>
  /^[ \t]*(?:\[[ \t]*)?mcp_servers[ \t]*[.\]=]/m.test(text) ||
  /^[ \t]*\[\[?[A-Za-z][\w-]*(?:\.[\w"'-]+)*\]\]?[ \t]*(?:#.*)?$/m.test(text)

const readToml = (text: string): Read => {
  try {
    return found(parseToml(text), 'toml')
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    return { kind: 'problem', as: 'toml', cause: 'toml', thing: 'TOML', line: error.line, column: error.column }
  }
}

/** Comments, trailing commas, single quotes and missing outer braces are accepted, because people paste them. */
const readJson = (text: string): Read => {
  const naked = !/^\s*(?:[{[]|\/[/*])/.test(text)
  const parsed = parseTolerant(naked ? `{${text.trim().replace(/,$/, '')}}` : text)
  if (!parsed.ok) {
    const { line, fault, found: token } = parsed.error
    // Don't count the brace that was added in front.
    const column = Math.max(1, parsed.error.column - (naked && line === 1 ? 1 : 0))
    return { kind: 'problem', as: 'json', cause: 'json', thing: 'JSON', line, column, fault, found: token }
  }
  return found(parsed.value === undefined ? undefined : plain(parsed.value), 'json')
}

/** Keys shown when nothing was recognized. */
const SHOWN_KEYS = 6

const found = (value: unknown, as: 'json' | 'toml'): Read => {
  const read = readServers(value)
  if (read) return { kind: 'servers', as, ...read }
  const keys = isObject(value) ? Object.keys(value).slice(0, SHOWN_KEYS) : []
  return { kind: 'problem', as, cause: 'no-servers', thing: keys.map((key) => key.slice(0, 40)).join(', ') }
}
