/** What the command line asks for. Reads no file, opens nothing, so that every mistake has its message before anything starts. */
import { parseArgs } from 'node:util'
import { isCommand, readCommand, type CommandWish } from './commands/wish.ts'
import { parsedUrl } from './url.ts'
import type { Hello } from './wire.ts'

const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 6275

export const HELP = `Usage: periscope [URL | -- COMMAND ARGS…] [options]
       periscope open FILE [options]
       periscope verify FILE [--server URL | -- COMMAND ARGS…] [options]
       periscope record --out FILE -- COMMAND ARGS…
       periscope record --out FILE --listen PORT URL
       periscope play FILE [--listen PORT] [--delays]

Inspects Model Context Protocol servers in the browser. Without a server it opens an empty page.
The URL it prints works once; Enter prints another.

  URL                  connect to this server: http://… or https://…
  -- COMMAND ARGS…     start this server and talk to it over its stdin and stdout

Options:
  --port N             listen on this port (${DEFAULT_PORT}, or a free one when that is taken)
  --host ADDR          listen on this address (${DEFAULT_HOST}: this machine only)
  --no-open            do not open a browser
  --help               show this and end
  --version            show the version and end

open FILE              open the page with this recording; options as above

verify FILE            send the steps of a recording again, and compare each answer with the recorded one
  --server URL         to this server; or give its command behind \`--\`
  --trust-target       to the command that the recording names
  --header 'K: V'      send this header with each request (again for more)
  --var NAME=TEXT      the value of {{NAME}} in the steps; NAME:=JSON where it is no text (again for more)
  --rules FILE         accept what differs by these rules, too: a list of { id, where, method, accept, off }
  --link LINK          only the steps of this connection
  --junit OUT          write the result as JUnit XML
  --sarif OUT          write the result as SARIF 2.1.0
  --json               print the result as JSON
  --update             take the new answers into FILE
  Ends with 0 when all passed, 1 when something differs, 2 when it could not run.

record --out FILE      record what a client and a server say to each other, while they do
  -- COMMAND ARGS…     in place of the server's command: everything passes through unchanged
  --listen PORT URL    in place of the server's URL: the client connects to PORT on this machine
  --overwrite          write over FILE; else a name with a number is taken where it exists

play FILE              answer as the recorded server did, over stdin and stdout
  --listen PORT        over Streamable HTTP, on this machine
  --delays             let each answer take as long as it took
  --link LINK          the server of this connection

Examples:
  periscope https://example.com/mcp
  periscope -- npx -y @modelcontextprotocol/server-everything
  periscope verify demo.periscope.jsonl --junit junit.xml -- node server.js
`

export interface ServeWish {
  readonly kind: 'serve'
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /** The user named the port, so no other one will do. */
  readonly portAsked: boolean
  readonly open: boolean
  readonly launch?: Hello['launch']
  /** The file of a recording to open. */
  readonly recording?: string
}

/** `mistake`: for stderr, with exit code 2. */
export type Wish =
  | ServeWish
  | CommandWish
  | { readonly kind: 'help' | 'version' }
  | { readonly kind: 'mistake'; readonly message: string }

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  'no-open': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

/** @param argv without the program's own name */
export function readCommandLine(argv: readonly string[]): Wish {
  const [command, ...behind] = argv
  if (!isCommand(command)) return readServing(argv)
  const wish = readCommand(command, behind)
  if (wish.kind !== 'open-file') return wish
  const serving = readServing(wish.rest)
  if (serving.kind !== 'serve') return serving
  if (serving.launch)
    return mistake('A recording and a server were given. Open one of them; the page can do the other.')
  return { ...serving, recording: wish.file }
}

/** What is no command: a server, or nothing. */
function readServing(argv: readonly string[]): Wish {
  // What stands behind `--` belongs to the server: no option of ours is looked for there.
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  const command = end === -1 ? undefined : argv.slice(end + 1)
  let parsed
  try {
    parsed = parseArgs({ args: [...own], options: OPTIONS, strict: true, allowPositionals: true })
  } catch (error) {
    return mistake(parseMessage(error as NodeJS.ErrnoException, own))
  }
  const { values, positionals } = parsed
  if (values.help) return { kind: 'help' }
  if (values.version) return { kind: 'version' }

  const port = values.port === undefined ? DEFAULT_PORT : readPort(values.port)
  if (port === undefined) {
    return mistake(`\`--port ${values.port}\` is not a port. Give a number from 1 to 65535, or 0 for any free one.`)
  }
  const host = values.host === undefined ? DEFAULT_HOST : readHost(values.host)
  if (host === undefined) {
    return mistake(
      `\`--host ${values.host}\` is not an address. Give an IP address or a host name alone, such as 127.0.0.1.`,
    )
  }
  const [url, ...rest] = positionals
  let launch: Hello['launch']
  if (url !== undefined) {
    const problem = urlProblem(url, rest)
    if (problem) return mistake(problem)
    if (command)
      return mistake(
        `Both the URL \`${url}\` and a command were given. Give one of them; the page can connect to more.`,
      )
    launch = { url }
  } else if (command) {
    const [program, ...args] = command
    if (!program) return mistake('No command stands behind `--`. Write it there: periscope -- npx -y some-mcp-server.')
    launch = { command: program, args }
  }
  const open = !values['no-open']
  return { kind: 'serve', host, port, portAsked: values.port !== undefined, open, ...(launch && { launch }) }
}

function mistake(message: string): Wish {
  return { kind: 'mistake', message: `periscope: ${message}\nSee \`periscope --help\`.` }
}

function readPort(text: string): number | undefined {
  const port = Number(text)
  return /^\d{1,5}$/.test(text) && port <= 65535 ? port : undefined
}

function readHost(text: string): string | undefined {
  const bare = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text
  if (/^[0-9a-f:.]*:[0-9a-f:.]*(%\w+)?$/i.test(bare) && bare.split(':').length > 2) return bare
  return /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(bare) ? bare : undefined
}

function urlProblem(text: string, rest: readonly string[]): string | undefined {
  const url = parsedUrl(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    return rest.length > 0 ? `One URL is enough, but \`${rest[0]}\` came too. The page can connect to more.` : undefined
  }
  if (rest.length === 0 && /^(localhost|[\w-]+(\.[\w-]+)+|\[[0-9a-f:]+\])(:\d+)?(\/|$)/i.test(text)) {
    const scheme = /^(localhost|127\.|\[::1\])/i.test(text) ? 'http' : 'https'
    if (text.includes('/') || text.includes(':')) return `\`${text}\` has no scheme. Write ${scheme}://${text}.`
  }
  if (text.includes('://')) {
    return url
      ? `\`${text}\` is no address of an MCP server. It must begin with http:// or https://.`
      : `\`${text}\` is not a whole URL. Write it as http://localhost:3000/mcp.`
  }
  return `\`${text}\` is not a URL. To start it as a command, put \`--\` in front: periscope -- ${[text, ...rest].join(' ')}`
}

/** Node's own messages speak of its API; ours speak of this command line. */
function parseMessage(error: NodeJS.ErrnoException, own: readonly string[]): string {
  const option = /'(-[^' ]*)/.exec(error.message)?.[1] ?? own.find((word) => word.startsWith('-')) ?? ''
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    return `There is no option \`${option}\`. Options of a server's command stand behind \`--\`: periscope -- COMMAND ${option}`
  }
  if (option === '--port' || option === '--host')
    return `\`${option}\` needs a value: ${option === '--port' ? '--port 8080' : '--host 127.0.0.1'}.`
  return `\`${option}\` takes no value.`
}
