/**
 * The options of every command in one table. `node:util`'s `parseArgs` reads the command line by it, and `--help` prints it,
 * so an option can't work without being documented.
 */
import { parseArgs } from 'node:util'
import { shellWord, silent } from '../own-command.ts'

export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 6275

interface OptionSpec {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: boolean
  /** The value's placeholder in `--help`. */
  readonly value?: string
  /** Shown when the value is missing. */
  readonly example?: string
  readonly help: string
}

interface CommandSpec {
  /** Without the leading `periscope`. */
  readonly usage: readonly string[]
  /** What `--help` shows before the options. */
  readonly heading?: readonly [name: string, summary: string]
  /** Arguments that aren't options. */
  readonly operands?: readonly (readonly [name: string, help: string])[]
  readonly options: Readonly<Record<string, OptionSpec>>
  readonly notes?: readonly string[]
  /** Whether `-- COMMAND ARGS…` may follow. */
  readonly takesCommand: boolean
}

const PAGE_OPTIONS = {
  port: {
    type: 'string',
    value: 'N',
    example: '--port 8080',
    help: `listen on this port (default: ${DEFAULT_PORT}, or a free port if it is in use)`,
  },
  host: {
    type: 'string',
    value: 'ADDR',
    example: '--host 127.0.0.1',
    help: `listen on this address (default: ${DEFAULT_HOST}, this machine only)`,
  },
  'no-open': { type: 'boolean', help: "don't open a browser" },
  help: { type: 'boolean', short: 'h', help: 'show this help and exit' },
  version: { type: 'boolean', short: 'v', help: 'show the version and exit' },
} as const satisfies CommandSpec['options']

export const CONFIG_EXAMPLE = '--config mcp.json'

const SERVE_OPTIONS = {
  config: {
    type: 'string',
    value: 'FILE',
    example: CONFIG_EXAMPLE,
    help: 'put the servers of this configuration into the form; nothing connects before you do',
  },
  server: {
    type: 'string',
    value: 'NAME',
    example: '--server everything',
    help: 'only this server of the configuration',
  },
  watch: {
    type: 'string',
    multiple: true,
    value: 'GLOB',
    example: "--watch 'src/**/*.ts'",
    help: 'restart COMMAND when a file in its working directory changes; quote the glob (repeatable)',
  },
  'client-cert': {
    type: 'string',
    value: 'FILE',
    example: '--client-cert client.pem',
    help: 'the certificate that the relay sends to URL if it requires one (mutual TLS), in PEM format',
  },
  'client-key': {
    type: 'string',
    value: 'FILE',
    example: '--client-key client.key',
    help: 'its private key; default: in the file of --client-cert',
  },
  transport: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    example: '--transport tcp.mjs',
    help: 'offer the transport of this module, for servers named name:rest (repeatable)',
  },
  ...PAGE_OPTIONS,
} as const satisfies CommandSpec['options']

const LINK = { type: 'string', value: 'LINK', example: '--link s1' } as const

export const COMMANDS = {
  serve: {
    usage: ['[URL | -- COMMAND ARGS… | --config FILE [--server NAME]] [options]'],
    operands: [
      ['URL', 'connect to this server: http://…, https://…, ws://…, wss://…, or unix:/path/to.sock'],
      ['-- COMMAND ARGS…', 'start this server and connect to it over stdio'],
    ],
    options: SERVE_OPTIONS,
    takesCommand: true,
  },
  open: {
    usage: ['open FILE [options]'],
    heading: ['open FILE', 'open this recording in the page; takes the options above, except for those about servers'],
    options: PAGE_OPTIONS,
    takesCommand: false,
  },
  verify: {
    usage: ['verify FILE [--server URL | -- COMMAND ARGS…] [options]'],
    heading: ['verify FILE', "resend a recording's requests, also calls that change data, and compare the responses"],
    options: {
      server: {
        type: 'string',
        value: 'URL',
        example: '--server https://example.com/mcp',
        help: 'send them to this server (http, https, ws, wss, unix, npipe); for stdio, use -- COMMAND ARGS…',
      },
      'trust-target': {
        type: 'boolean',
        help: 'run or open what the recording names, and read the environment variables it refers to',
      },
      transport: {
        type: 'string',
        multiple: true,
        value: 'FILE',
        example: '--transport tcp.mjs',
        help: 'use the transport of this module, for servers named name:rest (repeatable)',
      },
      header: {
        type: 'string',
        multiple: true,
        value: "'K: V'",
        example: "--header 'Authorization: Bearer …'",
        help: 'add this header to every request (repeatable)',
      },
      var: {
        type: 'string',
        multiple: true,
        value: 'NAME=TEXT',
        example: '--var folder=/tmp/demo',
        help: 'set {{NAME}} in the steps to a string, or with NAME:=JSON to JSON (repeatable)',
      },
      rules: {
        type: 'string',
        value: 'FILE',
        example: '--rules rules.json',
        help: 'also ignore differences that match these rules: an array of { id, where, method, accept, off }',
      },
      link: { ...LINK, help: 'only the steps of this connection; required for one server if FILE has several' },
      junit: { type: 'string', value: 'OUT', example: '--junit junit.xml', help: 'write a JUnit XML report' },
      sarif: { type: 'string', value: 'OUT', example: '--sarif periscope.sarif', help: 'write a SARIF 2.1.0 report' },
      json: { type: 'boolean', help: 'print the report as JSON' },
      calibrate: {
        type: 'boolean',
        help: 'repeat safe requests whose response differs, and ignore what varies between the repetitions',
      },
      update: { type: 'boolean', help: 'replace the recorded responses in FILE with the new ones' },
      partial: { type: 'boolean', help: 'pass although FILE is cut off or damaged; by default, that fails' },
    },
    notes: [
      'Without --server or COMMAND, the steps of each connection go to the server that FILE names for it.',
      'Exit code: 0 if all steps pass, 1 if something differs, 2 if it could not run.',
    ],
    takesCommand: true,
  },
  record: {
    usage: ['record --out FILE -- COMMAND ARGS…', 'record --out FILE --listen PORT URL'],
    heading: ['record', 'record the traffic between a client and a server'],
    operands: [['-- COMMAND ARGS…', "stdio: replaces the server's command in the client's settings"]],
    options: {
      out: { type: 'string', value: 'FILE', example: '--out session.periscope.jsonl', help: 'the recording to write' },
      listen: {
        type: 'string',
        value: 'PORT URL',
        example: '--listen 8080',
        help: 'HTTP: the client connects to PORT on this machine instead of URL',
      },
      overwrite: { type: 'boolean', help: 'overwrite FILE; by default, an existing FILE gets a numbered sibling' },
    },
    takesCommand: true,
  },
  play: {
    usage: ['play FILE [--listen PORT] [--delays] [--nearest]'],
    heading: ['play FILE', 'act as the recorded server, over stdio'],
    options: {
      listen: {
        type: 'string',
        value: 'PORT',
        example: '--listen 8080',
        help: 'use Streamable HTTP on this port of this machine instead',
      },
      delays: { type: 'boolean', help: 'respond with the recorded delays' },
      nearest: {
        type: 'boolean',
        help: 'respond to unrecorded arguments as to the most similar ones; the result says so in _meta',
      },
      link: { ...LINK, help: 'play the server of this connection' },
    },
    takesCommand: false,
  },
} as const satisfies Readonly<Record<string, CommandSpec>>

export type CommandName = keyof typeof COMMANDS
/** The commands that the user names. */
export type NamedCommand = Exclude<CommandName, 'serve'>

export function isCommand(word: string | undefined): word is NamedCommand {
  return word !== undefined && word !== 'serve' && Object.hasOwn(COMMANDS, word)
}

/** The command line is wrong. The message says how to fix it. */
export class UsageError extends Error {
  /** The arguments that the message ends with. */
  readonly example: string | undefined

  constructor(message: string, example?: string) {
    super(message)
    this.example = example
  }
}

/** @throws {UsageError} */
export function parseOptions<Name extends CommandName>(name: Name, argv: readonly string[]) {
  // Everything after `--` belongs to the server's command, even if it looks like one of our options.
  const { own, serverCommand } = splitAtCommand(argv)
  try {
    const options: (typeof COMMANDS)[Name]['options'] = COMMANDS[name].options
    return { ...parseArgs({ args: [...own], options, strict: true, allowPositionals: true }), serverCommand }
  } catch (error) {
    throw parseError(error as NodeJS.ErrnoException, name, argv)
  }
}

export function splitAtCommand(argv: readonly string[]): {
  readonly own: readonly string[]
  /** Absent without `--`. */
  readonly serverCommand: readonly string[] | undefined
} {
  const end = argv.indexOf('--')
  return end === -1
    ? { own: argv, serverCommand: undefined }
    : { own: argv.slice(0, end), serverCommand: argv.slice(end + 1) }
}

/** Operands that precede a server's command. */
const OPERANDS: Readonly<Partial<Record<CommandName, number>>> = { verify: 1 }

/** The place of the first word of a command that was typed without `--`: neither an option nor the value of one. */
function placeOfCommand(name: CommandName, own: readonly string[]): number | undefined {
  const options: (typeof COMMANDS)[CommandName]['options'] = COMMANDS[name].options
  const { tokens } = parseArgs({ args: [...own], options, strict: false, allowPositionals: true, tokens: true })
  return tokens.filter(({ kind }) => kind === 'positional')[OPERANDS[name] ?? 0]?.index
}

/**
 * What was typed, with `--` before the command, as a shell takes it.
 *
 * @param argv without the command's name
 */
export function asCommand(name: CommandName, argv: readonly string[]): string | undefined {
  const at = placeOfCommand(name, splitAtCommand(argv).own)
  return at === undefined ? undefined : asTyped(name, [...argv.slice(0, at), '--', ...argv.slice(at)])
}

function asTyped(name: CommandName, words: readonly string[]): string {
  const shown = words.map((word, at) => shellWord(withoutSecret(word, words[at - 1])))
  return [...(name === 'serve' ? [] : [name]), ...shown].join(' ')
}

/** Values of headers and variables may be secrets, and messages end up in logs. */
function withoutSecret(word: string, before: string | undefined): string {
  if (before === '--header' || word.startsWith('--header=')) return word.replace(/:.*/s, ': …')
  if (before === '--var' || word.startsWith('--var=')) return word.replace(/^(--var=)?([^=]*=).*/s, '$1$2…')
  return word
}

/** The option of the command that was probably meant. */
function similarOption(name: CommandName, typed: string): string | undefined {
  const word = typed.replace(/^-+|=.*$/gs, '').toLowerCase()
  if (word.length < 3) return undefined
  const most = word.length < 6 ? 1 : 2
  const ranked = Object.keys(COMMANDS[name].options)
    .map((known) => ({ known, far: known.startsWith(word) || word.startsWith(known) ? 1 : distance(word, known) }))
    .toSorted((one, other) => one.far - other.far)
  return ranked[0] && ranked[0].far <= most ? ranked[0].known : undefined
}

/** Letters to add, remove, replace or swap with their neighbour. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1),
        isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
      )
    }
    rows.push(row)
  }
  return rows[one.length]![other.length]!
}

/** An option with a typo, unless it probably belongs to a command that was typed before it. */
function meantOption(name: CommandName, argv: readonly string[], option: string): UsageError | undefined {
  const { own, serverCommand } = splitAtCommand(argv)
  const at = placeOfOption(own, option)
  const typed = own[at]
  const command = placeOfCommand(name, own)
  const isOfCommand = COMMANDS[name].takesCommand && !serverCommand && command !== undefined && command < at
  if (typed === undefined || (isOfCommand && !isTarget(own[command]!))) return undefined
  const meant = similarOption(name, typed)
  if (meant === undefined) return undefined
  const corrected = argv.with(at, typed.replace(/^[^=]*/, `--${meant}`))
  const place = serverCommand ? undefined : placeOfCommand(name, corrected)
  const lacksDashes = COMMANDS[name].takesCommand && place !== undefined && !isTarget(corrected[place]!)
  return new UsageError(
    `Unknown option \`${typed.replace(/=.*/s, '')}\`. Did you mean --${meant}? Run:`,
    (lacksDashes ? asCommand(name, corrected) : undefined) ?? asTyped(name, corrected),
  )
}

/** A URL or another transport's target, rather than the name of a program. */
function isTarget(word: string): boolean {
  return /^[a-z][a-z\d+.-]+:./i.test(word)
}

/** Replaces Node's own messages, which explain its API rather than this command line. */
function parseError(error: NodeJS.ErrnoException, name: CommandName, argv: readonly string[]): UsageError {
  const { own, serverCommand } = splitAtCommand(argv)
  const option = /'(?:-\w, )?(-[^' ]*)/.exec(error.message)?.[1] ?? own.find((word) => word.startsWith('-')) ?? ''
  const { options, takesCommand }: CommandSpec = COMMANDS[name]
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const meant = meantOption(name, argv, option)
    if (meant) return meant
    const unknown = `Unknown option \`${option}\`.`
    if (!takesCommand) return new UsageError(unknown)
    const belongs = "Put the options of a server's command after `--`"
    if (serverCommand) return new UsageError(`${unknown} ${belongs}.`)
    const at = placeOfOption(own, option)
    const command = placeOfCommand(name, own) ?? Infinity
    const example =
      command < at ? asCommand(name, argv) : asTyped(name, [...argv.slice(0, at), '--', 'COMMAND', ...argv.slice(at)])
    return new UsageError(`${unknown} ${belongs}:`, example)
  }
  const example = options[option.replace(/^--/, '')]?.example
  return new UsageError(
    example === undefined
      ? `\`${option}\` doesn't take a value.`
      : `\`${option}\` needs a value, for example ${example}.`,
  )
}

/** Also of a letter among others: `-yq`. */
function placeOfOption(own: readonly string[], option: string): number {
  const isIt = (word: string): boolean =>
    word.startsWith('--') ? word.split('=')[0] === option : word.startsWith('-') && word.includes(option.slice(1))
  return own.findIndex(isIt)
}

/** @param own what precedes the arguments (`ownCommand`) */
export function usageOf(name: CommandName, own: string): string {
  return usageLines([name], own)
}

/** What precedes the arguments of this command, whose stdout may be for the result. */
export function ownFor(name: CommandName, own: string): string {
  return name === 'serve' || name === 'open' ? own : silent(own)
}

function usageLines(names: readonly CommandName[], own: string): string {
  const lines = names.flatMap((name) => COMMANDS[name].usage.map((line) => `${ownFor(name, own)} ${line}`))
  return `Usage: ${lines.join('\n       ')}`
}

const COLUMN = 22

function row(name: string, text: string, indent = 2): string {
  return `${' '.repeat(indent)}${name.padEnd(COLUMN - indent)} ${text}\n`
}

function optionRows(options: CommandSpec['options']): string {
  return Object.entries(options)
    .map(([name, { value, help }]) => row(value === undefined ? `--${name}` : `--${name} ${value}`, help))
    .join('')
}

function section({ heading, operands = [], options, notes = [] }: CommandSpec): string {
  return [
    ...(heading ? [row(...heading, 0)] : []),
    ...operands.map((operand) => row(...operand)),
    // Those of the page are listed once.
    ...(options === PAGE_OPTIONS || options === SERVE_OPTIONS ? [] : [optionRows(options)]),
    ...notes.map((note) => `  ${note}\n`),
  ].join('')
}

const { serve, ...named } = COMMANDS

export const helpFor = (own: string): string => `${usageLines(Object.keys(COMMANDS) as CommandName[], own)}

Inspects Model Context Protocol servers in the browser. Without a server, it opens an empty page.
Each URL it prints works once. Press Enter for another, which expires after 60 s.

${section(serve)}
Options:
${optionRows(SERVE_OPTIONS)}
${Object.values(named).map(section).join('\n')}
Examples:
  ${own} https://example.com/mcp
  ${own} -- npx -y @modelcontextprotocol/server-everything
  ${own} --watch 'src/**/*.ts' -- node server.js
  ${ownFor('verify', own)} verify demo.periscope.jsonl --junit junit.xml -- node server.js
`
