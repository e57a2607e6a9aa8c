/** What the command lines of `verify`, `record`, `play` and `open` ask for. Reads no file and opens nothing. */
import { parseArgs } from 'node:util'
import { parsedUrl } from '../../web/mcp/url.ts'

/** Names are told, and never values: `--header` and `--var` may hold secrets. */
export type Target =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }

export interface VerifyWish {
  readonly kind: 'verify'
  readonly file: string
  /** Absent: what the file itself says. */
  readonly target?: Target
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly variables: Readonly<Record<string, unknown>>
  readonly rules?: string
  readonly junit?: string
  readonly sarif?: string
  readonly update: boolean
  readonly json: boolean
  /** Run the command that the file names. */
  readonly trustTarget: boolean
  /** Only the steps of this connection. */
  readonly link?: string
}

export interface RecordWish {
  readonly kind: 'record'
  readonly out: string
  readonly overwrite: boolean
  /** `port`: where a client reaches the server of a URL; 0 for any free one. */
  readonly from: Extract<Target, { kind: 'command' }> | (Extract<Target, { kind: 'url' }> & { readonly port: number })
}

export interface PlayWish {
  readonly kind: 'play'
  readonly file: string
  /** Over Streamable HTTP on this port; absent: over stdio. */
  readonly port?: number
  /** Answers take as long as they took. */
  readonly delays: boolean
  readonly link?: string
}

/** The rest of an `open` is that of serving. */
export interface OpenFile {
  readonly kind: 'open-file'
  readonly file: string
  readonly rest: readonly string[]
}

export type CommandWish = VerifyWish | RecordWish | PlayWish

export interface Mistake {
  readonly kind: 'mistake'
  readonly message: string
}

const COMMANDS = ['verify', 'record', 'play', 'open'] as const
type Command = (typeof COMMANDS)[number]

const USAGE: Readonly<Record<Command, string>> = {
  verify: 'periscope verify FILE [--server URL | -- COMMAND ARGS…]',
  record: 'periscope record --out FILE (-- COMMAND ARGS… | --listen PORT URL)',
  play: 'periscope play FILE [--listen PORT]',
  open: 'periscope open FILE',
}

const OPTIONS = {
  verify: {
    server: { type: 'string' },
    header: { type: 'string', multiple: true },
    var: { type: 'string', multiple: true },
    rules: { type: 'string' },
    junit: { type: 'string' },
    sarif: { type: 'string' },
    link: { type: 'string' },
    update: { type: 'boolean' },
    json: { type: 'boolean' },
    'trust-target': { type: 'boolean' },
  },
  record: { out: { type: 'string' }, listen: { type: 'string' }, overwrite: { type: 'boolean' } },
  play: { listen: { type: 'string' }, link: { type: 'string' }, delays: { type: 'boolean' } },
} as const

const VALUE: Readonly<Record<string, string>> = {
  server: '--server https://example.com/mcp',
  header: "--header 'Authorization: Bearer …'",
  var: '--var folder=/tmp/demo',
  rules: '--rules rules.json',
  junit: '--junit junit.xml',
  sarif: '--sarif periscope.sarif',
  link: '--link s1',
  out: '--out session.periscope.jsonl',
  listen: '--listen 8080',
}

export function isCommand(word: string | undefined): word is Command {
  return COMMANDS.some((name) => name === word)
}

/** Thrown while reading a command line; it never leaves this file. */
class Wrong extends Error {}

/** @param argv what stands behind the command's name */
export function readCommand(
  command: Command,
  argv: readonly string[],
): CommandWish | OpenFile | Mistake | { readonly kind: 'help' } {
  try {
    if (command === 'open') return readOpen(argv)
    const end = argv.indexOf('--')
    const own = end === -1 ? argv : argv.slice(0, end)
    const behind = end === -1 ? undefined : argv.slice(end + 1)
    if (own.includes('--help') || own.includes('-h')) return { kind: 'help' }
    if (command === 'verify') return readVerify(own, behind)
    return command === 'record' ? readRecord(own, behind) : readPlay(own, behind)
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    return {
      kind: 'mistake',
      message: `periscope ${command}: ${error.message}\nUsage: ${USAGE[command]}\nSee \`periscope --help\`.`,
    }
  }
}

function readOpen(argv: readonly string[]): OpenFile | { readonly kind: 'help' } {
  if (argv.includes('--help') || argv.includes('-h')) return { kind: 'help' }
  // Options of serving with a value are the only words beside the file's that begin without a dash.
  const at = argv.findIndex((word, index) => !word.startsWith('-') && !/^--(port|host)$/.test(argv[index - 1] ?? ''))
  const file = argv[at]
  if (file === undefined) throw new Wrong('No recording is named. Write its file: periscope open demo.periscope.jsonl')
  return { kind: 'open-file', file, rest: [...argv.slice(0, at), ...argv.slice(at + 1)] }
}

function readVerify(own: readonly string[], behind: readonly string[] | undefined): VerifyWish {
  const { values, positionals } = parsed('verify', own)
  const file = oneFile(positionals, 'the recording to hold a server to: periscope verify demo.periscope.jsonl')
  if (values.server !== undefined && behind) {
    throw new Wrong('Both --server and a command were given. Give one of them.')
  }
  const headers = (values.header ?? []).map(headerOf)
  if (headers.length > 0 && behind) throw new Wrong('--header is for a server with a URL; a command has no headers.')
  const target = values.server === undefined ? behind && commandOf(behind) : urlOf(values.server, '--server')
  return {
    kind: 'verify',
    file,
    ...(target ? { target } : {}),
    headers,
    variables: Object.fromEntries((values.var ?? []).map(variableOf)),
    ...given('rules', values.rules),
    ...given('junit', values.junit),
    ...given('sarif', values.sarif),
    ...given('link', values.link),
    update: values.update ?? false,
    json: values.json ?? false,
    trustTarget: values['trust-target'] ?? false,
  }
}

function readRecord(own: readonly string[], behind: readonly string[] | undefined): RecordWish {
  const { values, positionals } = parsed('record', own)
  const { out, listen } = values
  if (out === undefined) throw new Wrong('Where to write is not said. Give it: --out session.periscope.jsonl')
  const common = { kind: 'record', out, overwrite: values.overwrite ?? false } as const
  if (behind) {
    if (positionals.length > 0) throw new Wrong(`\`${positionals[0]}\` and a command were given. Give one of them.`)
    if (listen !== undefined) throw new Wrong('--listen is for a server with a URL; a command is recorded over stdio.')
    return { ...common, from: commandOf(behind) }
  }
  const [url, ...more] = positionals
  if (url === undefined) {
    throw new Wrong('What to record is not said. Write its command behind `--`, or its URL with --listen PORT.')
  }
  if (more.length > 0) throw new Wrong(`One URL is recorded at a time, but \`${more[0]}\` came too.`)
  const target = urlOf(url, 'URL')
  if (listen === undefined) {
    throw new Wrong(`Where the client shall connect is not said. Give a port: --listen 8080, or 0 for any free one.`)
  }
  return { ...common, from: { ...target, port: portOf(listen) } }
}

function readPlay(own: readonly string[], behind: readonly string[] | undefined): PlayWish {
  if (behind) throw new Wrong('A recording plays by itself: nothing stands behind `--`.')
  const { values, positionals } = parsed('play', own)
  return {
    kind: 'play',
    file: oneFile(positionals, 'the recording that shall answer: periscope play demo.periscope.jsonl'),
    ...(values.listen === undefined ? {} : { port: portOf(values.listen) }),
    delays: values.delays ?? false,
    ...given('link', values.link),
  }
}

function parsed<Name extends keyof typeof OPTIONS>(command: Name, own: readonly string[]) {
  try {
    return parseArgs({ args: [...own], options: OPTIONS[command], strict: true, allowPositionals: true })
  } catch (error) {
    throw new Wrong(wordsOf(error as NodeJS.ErrnoException, command, own))
  }
}

/** Node's own messages speak of its API; ours speak of this command line. */
function wordsOf(error: NodeJS.ErrnoException, command: string, own: readonly string[]): string {
  const option = /'(?:-\w, )?(-[^' ]*)/.exec(error.message)?.[1] ?? own.find((word) => word.startsWith('-')) ?? ''
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const behind = command === 'play' ? '' : ' Options of a server’s command stand behind `--`.'
    return `There is no option \`${option}\`.${behind}`
  }
  const example = VALUE[option.replace(/^--/, '')]
  return example ? `\`${option}\` needs a value: ${example}` : `\`${option}\` takes no value.`
}

function oneFile(positionals: readonly string[], what: string): string {
  const [file, ...more] = positionals
  if (file === undefined) throw new Wrong(`No file is named. Write ${what}`)
  if (more.length > 0) throw new Wrong(`One file is enough, but \`${more[0]}\` came too.`)
  return file
}

function commandOf([command, ...args]: readonly string[]): Extract<Target, { kind: 'command' }> {
  if (!command) throw new Wrong('No command stands behind `--`. Write it there: -- npx -y some-mcp-server')
  return { kind: 'command', command, args }
}

function urlOf(text: string, what: string): Extract<Target, { kind: 'url' }> {
  const url = parsedUrl(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Wrong(`\`${text}\` is no address of a server. Write ${what} as http://localhost:3000/mcp`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new Wrong('A user and a password do not belong into the URL. Give them as a header: --header')
  }
  return { kind: 'url', url: text }
}

function headerOf(text: string): readonly [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(text) ?? []
  // The value may be a secret, so only what stands before it is told.
  if (name === undefined || value === undefined) {
    throw new Wrong(`A --header is not \`Name: value\`. Write it as ${VALUE['header']}`)
  }
  return [name, value]
}

/** `name=text`, or `name:=JSON` for what is no text. */
function variableOf(text: string): readonly [string, unknown] {
  const [, name, json, value] = /^([\w.-]{1,64})(:?)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw new Wrong('A --var is not `name=value`. Write it as --var folder=/tmp/demo, or --var count:=3 for JSON.')
  }
  if (json === '') return [name, value]
  try {
    return [name, JSON.parse(value) as unknown]
  } catch {
    throw new Wrong(`What stands behind \`--var ${name}:=\` is no JSON. A text is written with \`=\` alone.`)
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65535) return port
  throw new Wrong(`\`--listen ${text}\` is not a port. Give a number from 1 to 65535, or 0 for any free one.`)
}

function given<Name extends string>(name: Name, value: string | undefined): { readonly [N in Name]?: string } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]: string })
}
