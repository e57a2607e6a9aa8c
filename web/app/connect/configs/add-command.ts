/**
 * Reads the command lines with which clients add a server, as instructions contain them:
 * `claude mcp add --transport http docs https://…`, `codex mcp add docs -- npx -y …`, `code --add-mcp '{…}'`.
 *
 * @see https://code.claude.com/docs/en/mcp
 * @see https://developers.openai.com/codex/mcp
 * @see https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md
 * @see https://code.visualstudio.com/docs/copilot/chat/mcp-servers
 */
import { isObject, type JsonObject } from '../../../mcp/index.ts'
import { parsedUrl } from '../../../mcp/url.ts'
import { readCommand, type CommandProblem } from '../command-line.ts'

interface AddedServer {
  readonly name: string
  /** The entry as a configuration would contain it. */
  readonly entry: unknown
}

/** `usage`: the words don't describe a server. */
type NotAdded = CommandProblem | { readonly cause: 'usage' }

/**
 * What an option's value is. `list`: further values may follow without the option's name. The three clients use the same
 * names for the same things, so one table is enough.
 */
const OPTIONS: Readonly<Record<string, 'transport' | 'env' | 'header' | 'url' | 'bearer' | 'skip' | 'flag'>> = {
  '--transport': 'transport',
  '-t': 'transport',
  '--env': 'env',
  '-e': 'env',
  '--header': 'header',
  '-H': 'header',
  '--url': 'url',
  '--bearer-token-env-var': 'bearer',
  '--scope': 'skip',
  '-s': 'skip',
  '--timeout': 'skip',
  '--description': 'skip',
  '--include-tools': 'skip',
  '--exclude-tools': 'skip',
  '--client-id': 'skip',
  '--callback-port': 'skip',
  '--oauth-client-id': 'skip',
  '--oauth-resource': 'skip',
  '--client-secret': 'flag',
  '--trust': 'flag',
}

/** The value that a further word would be of an option that takes several. */
const FURTHER = { env: /^[A-Za-z_]\w*=/, header: /^[\w-]+:\s/ } as const

export const readAddCommand = (text: string): AddedServer | NotAdded => {
  const read = readCommand(withReferences(text))
  if ('cause' in read) return read
  const words = [read.command, ...read.args].map(unescaped)
  if (/^code(?:-insiders)?$/.test(words[0]!)) return readAddOption(words)
  const verb = words.findIndex((word) => word === 'add' || word === 'add-json')
  const rest = words.slice(verb + 1)
  return words[verb] === 'add-json' ? readAddJson(rest) : readAdd(rest)
}

/** In single quotes, in double quotes, without, and a quotation mark that is none. */
const QUOTED = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"|(?:[^'"\\]|\\[\s\S])+|[\s\S]/g

/** A shell would insert the variable; here it becomes a reference, which the local proxy resolves. */
const withReferences = (text: string): string =>
  text.replaceAll(QUOTED, (part) =>
    part.replaceAll(
      /(\\?)\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
      (whole, escaped: string, braced?: string, bare?: string) =>
        // Claude Code expands `${NAME}` itself, so instructions escape or quote it for the shell.
        bare !== undefined && (escaped || part.startsWith("'")) ? whole : `\${env:${braced ?? bare!}}`,
    ),
  )

const unescaped = (word: string): string => word.replaceAll('\\$', '$')

const readAdd = (words: readonly string[]): AddedServer | NotAdded => {
  const named: string[] = []
  const env: Record<string, string> = {}
  const headers: Record<string, string> = {}
  const found: { transport?: string; url?: string; bearer?: string } = {}
  let command: string[] | undefined
  for (let at = 0; at < words.length && !command; at++) {
    const word = words[at]!
    if (word === '--') {
      command = words.slice(at + 1)
      break
    }
    const [, option = word, attached] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? []
    const meaning = Object.hasOwn(OPTIONS, option) ? OPTIONS[option]! : undefined
    if (meaning === undefined || meaning === 'flag') {
      if (meaning === 'flag') continue
      if (word.startsWith('-')) return { cause: 'usage' }
      named.push(word)
      // The words after a command are its own, including options.
      if (named.length === 2 && !isRemote(found.transport) && !isUrl(word)) command = words.slice(at)
      continue
    }
    const value = attached ?? words[++at]
    if (value === undefined) return { cause: 'usage' }
    if (meaning !== 'env' && meaning !== 'header') {
      if (meaning !== 'skip') found[meaning] = value
      continue
    }
    const take = (text: string) => {
      const [, name, content] = (meaning === 'env' ? /^([^=]+)=(.*)$/s : /^([^:]+):\s*(.*)$/s).exec(text) ?? []
      if (name !== undefined) Object.assign(meaning === 'env' ? env : headers, { [name.trim()]: content })
      return name !== undefined
    }
    if (!take(value)) return { cause: 'usage' }
    while (at + 1 < words.length && FURTHER[meaning].test(words[at + 1]!)) take(words[++at]!)
  }
  const [name, address = found.url] = named
  if (name === undefined) return { cause: 'usage' }
  if (command) {
    const [program, ...args] = command
    return program === undefined ? { cause: 'usage' } : { name, entry: { command: program, args, env } }
  }
  if (address === undefined) return { cause: 'usage' }
  const { transport, bearer } = found
  return {
    name,
    entry: {
      url: address,
      headers,
      ...(transport === undefined ? {} : { type: transport }),
      ...(bearer === undefined ? {} : { bearer_token_env_var: bearer }),
    },
  }
}

const isRemote = (transport: string | undefined): boolean => /^(?:http|sse|ws)$/.test(transport ?? '')

const isUrl = (word: string): boolean => /^(?:https?|wss?):/i.test(word) && parsedUrl(word) !== undefined

/** `claude mcp add-json NAME JSON`. */
const readAddJson = (words: readonly string[]): AddedServer | NotAdded => {
  const json = words.findIndex((word) => word.startsWith('{'))
  const entry = jsonIn(words[json])
  // The name is the word before it, after any options.
  const name = words[json - 1]
  return entry && name !== undefined ? { name, entry } : { cause: 'usage' }
}

/** `code --add-mcp JSON`. */
const readAddOption = (words: readonly string[]): AddedServer | NotAdded => {
  const at = words.findIndex((word) => /^--add-mcp(?:=|$)/.test(word))
  const entry = jsonIn(words[at] === '--add-mcp' ? words[at + 1] : words[at]?.slice('--add-mcp='.length))
  if (!entry) return { cause: 'usage' }
  const { name, ...rest } = entry
  return { name: typeof name === 'string' ? name : '', entry: rest }
}

const jsonIn = (text: string | undefined): JsonObject | undefined => {
  try {
    const value = JSON.parse(text ?? '') as unknown
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
