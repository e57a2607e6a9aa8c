/** The targets that the page can connect to, and their names. */
import { parsedUrl } from '../../mcp/url.ts'

export interface UrlTarget {
  readonly kind: 'url'
  readonly url: string
  /** Sent with every request. Names may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

export interface CommandTarget {
  readonly kind: 'command'
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
}

/**
 * A custom transport: a WebSocket (`ws:`, `wss:`), a socket (`unix:/path`, `npipe:name`), or one that a module of the
 * local proxy has (`name:rest`).
 */
export interface CustomTarget {
  readonly kind: 'custom'
  readonly url: string
}

/** The server that runs inside this page. */
export interface SampleTarget {
  readonly kind: 'sample'
}

export type Target = UrlTarget | CommandTarget | CustomTarget | SampleTarget

const PLAIN_WORD = /^[\w@%+=:,./^-]+$/

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** Quotes a word for a POSIX shell, if necessary. */
export const quote = (word: string): string => (PLAIN_WORD.test(word) ? word : quoted(word))

const schemeIn = (url: string): string => /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? ''

/** `WebSocket` and `NAME` of a module are names; the others are keys of the catalogue. */
export type CustomTransport = 'WebSocket' | 'unix' | 'npipe' | { readonly module: string }

export const customTransport = (url: string): CustomTransport => {
  const scheme = schemeIn(url)
  if (scheme === 'ws' || scheme === 'wss') return 'WebSocket'
  return scheme === 'unix' || scheme === 'npipe' ? scheme : { module: scheme }
}

/** Whether only the local proxy can reach it. */
export const needsProxy = (target: Target | undefined): boolean =>
  target?.kind === 'command' || (target?.kind === 'custom' && customTransport(target.url) !== 'WebSocket')

/** A command line that `understand` parses back to the same command and arguments. */
export const commandLine = (command: string, args: readonly string[]): string => {
  // A leading NAME=value would be read as an assignment, so such a command is quoted.
  const first = command.includes('=') ? quoted(command) : quote(command)
  return [first, ...args.map(quote)].join(' ')
}

/** The target as one line, as a person would write it; without headers and environment. */
export const lineOf = (target: Target): string => {
  switch (target.kind) {
    case 'url':
    case 'custom':
      return target.url
    case 'command':
      return commandLine(target.command, target.args)
    case 'sample':
      return ''
  }
}

/** Whether a value may go to a target. @param row `only` is the line of the only one that may get it */
export const isFor = ({ only }: { readonly only?: string }, target: Target): boolean =>
  only === undefined || only === lineOf(target)

const RUNNERS = new Set([
  'npx',
  'uvx',
  'bunx',
  'pnpx',
  'pnpm',
  'yarn',
  'npm',
  'node',
  'python',
  'python3',
  'uv',
  'deno',
  'bun',
  'tsx',
  'docker',
  'dnx',
  'sh',
  'bash',
])
const VERBS = new Set(['run', 'exec', 'dlx', 'x', 'tool', 'start', 'run-script', '-c', '-m'])

/** A placeholder for the port, which no URL parser accepts, and what is before it. */
const OPEN_PORT = /^([a-z][a-z\d+.-]*:\/\/[^/?#\s]{1,300}):(\$?\{{1,2}[^{}/?#\s]{1,200}\}{1,2})(?=[/?#]|$)/i

/** The URL of a target whose port may be a placeholder, which the result is without; undefined if it is invalid. */
export const parsedTarget = (url: string): URL | undefined => parsedUrl(url.replace(OPEN_PORT, '$1'))

/** Whether its port is a placeholder. */
export const hasOpenPort = (url: string): boolean => OPEN_PORT.test(url)

/** The host, with the port or its placeholder; empty if the URL is invalid. */
export const hostOf = (url: string): string => {
  const { host = '' } = parsedTarget(url) ?? {}
  const port = OPEN_PORT.exec(url)?.[2]
  return port === undefined ? host : `${host}:${port}`
}

/** A short name to use until the server's own is known. */
export const nameOf = (target: Target): string => {
  switch (target.kind) {
    case 'sample':
      return 'sample'
    case 'url':
      return hostOf(target.url)
    case 'custom': {
      const host = customTransport(target.url) === 'WebSocket' ? hostOf(target.url) : ''
      return host || baseOf(target.url.replace(/^[^:]*:/, '')) || target.url
    }
    case 'command': {
      const words = [target.command, ...target.args]
      const telling = words.find((word, index) => {
        const base = baseOf(word)
        // Part of a script, as after `node -e`, can't be a name.
        return (
          /^[\w@./\\:~^-]+$/.test(word) &&
          !word.startsWith('-') &&
          !(index === 0 && RUNNERS.has(base)) &&
          !VERBS.has(word)
        )
      })
      const name = baseOf(telling ?? target.command)
      return name.replace(/(?<=.)@[\w.^~-]+$/, '').replace(/^(mcp-server-|server-)(?=.)/, '') || target.command
    }
  }
}

const baseOf = (word: string): string =>
  (word.split(/[\\/]/).filter(Boolean).at(-1) ?? word).replace(/\.(exe|cmd|bat|[cm]?[jt]s|py|sh)$/i, '')

/** Two letters for the rail. */
export const initialsOf = (name: string): string => {
  // Servers on the same address differ by port.
  const port = /^(?:\d+(?:\.\d+){3}|localhost):(\d+)$/.exec(name)?.[1]
  if (port) return port.slice(-2)
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const [first, second] = words
  if (!first) return '?'
  const letters = second ? [...first][0]! + [...second][0]! : [...first].slice(0, 2).join('')
  return letters.toLowerCase()
}
