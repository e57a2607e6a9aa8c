/** Turns the command line into the options of one command. Reads no files, so usage errors appear before anything starts. */
import {
  asCommand,
  type CommandName,
  COMMANDS,
  CONFIG_EXAMPLE,
  DEFAULT_HOST,
  DEFAULT_PORT,
  isCommand,
  ownFor,
  parseOptions,
  splitAtCommand,
  UsageError,
  usageOf,
  type NamedCommand,
} from './commands/options.ts'
import type { ClientCertificateFiles } from './client-certificate.ts'
import { parsedUrl } from './public-address.ts'
import { isSocketTarget } from './socket-target.ts'
import type { Hello } from './wire.ts'

export interface ServeOptions {
  readonly kind: 'serve'
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** The user named the port, so no other port will do. */
  readonly portRequired: boolean
  readonly open: boolean
  readonly launch?: Hello['launch']
  /** The file of a recording to open. */
  readonly recording?: string
  /** The modules of the user's own transports. */
  readonly transports?: readonly string[]
  /** Globs of files; the server on the command line restarts when one changes. */
  readonly watch?: readonly string[]
  /** Files of a certificate for the server on the command line. */
  readonly clientCertificate?: ClientCertificateFiles
  /** A configuration for the form, and the only one of its servers to show. */
  readonly config?: { readonly file: string; readonly server?: string }
}

/** Report only the names of headers and variables, never their values, which may be secrets. */
export type Target =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }

export interface VerifyOptions {
  readonly kind: 'verify'
  readonly file: string
  /** Defaults to the server that the recording names. */
  readonly target?: Target | { readonly kind: 'custom'; readonly url: string }
  /** The modules of the user's own transports. */
  readonly transports: readonly string[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly variables: Readonly<Record<string, unknown>>
  readonly rules?: string
  readonly junit?: string
  readonly sarif?: string
  readonly update: boolean
  /** Repeat safe requests whose response differs, to learn what varies. */
  readonly calibrate: boolean
  /** Pass although the recording is cut off or damaged. */
  readonly partial: boolean
  readonly json: boolean
  /** Run the command that the recording names. */
  readonly trustTarget: boolean
  /** Only the steps of this connection. */
  readonly link?: string
}

export interface RecordOptions {
  readonly kind: 'record'
  readonly out: string
  readonly overwrite: boolean
  /** `port` is where the client connects instead of to the URL; 0 for any free port. */
  readonly from: Extract<Target, { kind: 'command' }> | (Extract<Target, { kind: 'url' }> & { readonly port: number })
}

export interface PlayOptions {
  readonly kind: 'play'
  readonly file: string
  /** Streamable HTTP on this port; stdio without it. */
  readonly port?: number
  /** Respond with the recorded delays. */
  readonly delays: boolean
  /** Respond to unknown arguments as to the most similar recorded ones. */
  readonly nearest: boolean
  readonly link?: string
}

export type CommandOptions = VerifyOptions | RecordOptions | PlayOptions

/** `usage-error`: goes to stderr, with exit code 2. */
export type CommandLine =
  | ServeOptions
  | CommandOptions
  | { readonly kind: 'help' | 'version' }
  | { readonly kind: 'usage-error'; readonly message: string }

/**
 * @param argv without the program's own name
 * @param own what precedes them when the user types them (`ownCommand`)
 */
export function readCommandLine(argv: readonly string[], own = 'periscope'): CommandLine {
  const [first, ...rest] = argv
  if (isCommand(first)) return readCommand(first, rest, own)
  return withUsage('serve', own, () => {
    const serving = readServing('serve', argv)
    if ('kind' in serving) return serving
    const launch = launchOf(serving, argv)
    const config = configOf(serving)
    if (config && launch) throw new UsageError('Both --config and a server were given. Give only one.')
    const { transports, watch, clientCertificate } = serving
    if (clientCertificate && !(launch && 'url' in launch && /^https:/i.test(launch.url))) {
      throw new UsageError(
        '--client-cert works only with the https URL of a server, which alone gets it. Add that URL.',
      )
    }
    if (watch && !serving.serverCommand) {
      throw new UsageError('--watch works only with a command, which Periscope can restart. Add -- COMMAND ARGS…')
    }
    return {
      ...serving.page,
      launch,
      ...(config ? { config } : {}),
      ...(transports ? { transports } : {}),
      ...(watch ? { watch } : {}),
      ...(clientCertificate ? { clientCertificate } : {}),
    }
  })
}

/** @param argv what follows the command's name */
export function readCommand(name: NamedCommand, argv: readonly string[], own = 'periscope'): CommandLine {
  const options = splitAtCommand(argv).own
  if (options.includes('--help') || options.includes('-h')) return { kind: 'help' }
  return withUsage(name, own, () => READERS[name](argv))
}

const READERS: Readonly<Record<NamedCommand, (argv: readonly string[]) => CommandLine>> = {
  open: readOpen,
  verify: readVerify,
  record: readRecord,
  play: readPlay,
}

function withUsage(name: CommandName, own: string, read: () => CommandLine): CommandLine {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const program = name === 'serve' ? 'periscope' : `periscope ${name}`
    const usage = name === 'serve' ? '' : `${usageOf(name, own)}\n`
    const example = error.example === undefined ? '' : ` ${ownFor(name, own)} ${error.example}`
    return { kind: 'usage-error', message: `${program}: ${error.message}${example}\n${usage}See \`${own} --help\`.` }
  }
}

function configOf({ config, server }: Serving): ServeOptions['config'] {
  if (config !== undefined) return { file: config, ...(server === undefined ? {} : { server }) }
  if (server === undefined) return undefined
  throw new UsageError(`--server works only with --config: it names a server of that file. Add ${CONFIG_EXAMPLE}`)
}

interface Serving {
  readonly config?: string
  readonly server?: string
  readonly page: ServeOptions
  readonly transports?: readonly string[]
  readonly watch?: readonly string[]
  readonly clientCertificate?: ClientCertificateFiles
  readonly positionals: readonly string[]
  readonly serverCommand: readonly string[] | undefined
}

/** What `periscope` and `periscope open` share. */
function readServing(name: 'serve' | 'open', argv: readonly string[]): Serving | { readonly kind: 'help' | 'version' } {
  const { values, positionals, serverCommand } = parseOptions(name, argv)
  if (values.help) return { kind: 'help' }
  if (values.version) return { kind: 'version' }
  const page: ServeOptions = {
    kind: 'serve',
    port: values.port === undefined ? DEFAULT_PORT : portOf(values.port, '--port'),
    host: values.host === undefined ? DEFAULT_HOST : hostOf(values.host),
    portRequired: values.port !== undefined,
    open: !values['no-open'],
  }
  const options = values as {
    readonly config?: string
    readonly server?: string
    readonly transport?: readonly string[]
    readonly watch?: readonly string[]
    readonly 'client-cert'?: string
    readonly 'client-key'?: string
  }
  const { config, server, transport, watch, 'client-cert': cert, 'client-key': key } = options
  if (key !== undefined && cert === undefined) {
    throw new UsageError(
      `--client-key works only with --client-cert. Add ${COMMANDS.serve.options['client-cert'].example}`,
    )
  }
  if (watch?.includes('')) throw new UsageError("`--watch` needs a value, for example --watch 'src/**/*.ts'.")
  return {
    page,
    positionals,
    serverCommand,
    config,
    server,
    ...(transport ? { transports: transport } : {}),
    ...(watch ? { watch } : {}),
    ...(cert === undefined ? {} : { clientCertificate: { cert, ...(key === undefined ? {} : { key }) } }),
  }
}

function readOpen(argv: readonly string[]): CommandLine {
  const serving = readServing('open', argv)
  if ('kind' in serving) return serving
  const { page, positionals, serverCommand } = serving
  const [file, ...more] = positionals
  if (file === undefined) throw new UsageError('No recording was given. Name its file:', 'open demo.periscope.jsonl')
  if (serverCommand || more.length > 0) {
    throw new UsageError('Only one recording can be opened, without a server. Connect to servers in the page.')
  }
  return { ...page, recording: file }
}

function launchOf(
  { positionals, serverCommand, transports, watch }: Serving,
  argv: readonly string[],
): Hello['launch'] | undefined {
  const [url, ...more] = positionals
  if (url === undefined) {
    if (!serverCommand) return undefined
    const { command, args } = commandOf(serverCommand)
    return { command, args }
  }
  // The names of the transports are known once their modules are loaded.
  const isOwn = transports && more.length === 0 && isModuleTarget(url)
  const problem = isOwn ? undefined : urlProblem(url, more)
  if (problem) throw problem
  if (!isOwn && !isPageTarget(url)) {
    if (serverCommand && watch) {
      throw new UsageError(
        `\`${url}\` isn't a URL. If it comes from the glob of --watch, quote the glob, for example ${COMMANDS.serve.options.watch.example}.`,
      )
    }
    throw notUrl(url, 'serve', argv)
  }
  if (serverCommand) {
    throw new UsageError(
      `Both the URL \`${url}\` and a command were given. Give only one; the page can connect to more.`,
    )
  }
  return { url }
}

function readVerify(argv: readonly string[]): VerifyOptions {
  const { values, positionals, serverCommand } = parseOptions('verify', argv)
  const [, word] = positionals
  if (word !== undefined && values.server === undefined && !serverCommand && !/^https?:|\.jsonl?$/.test(word)) {
    throw new UsageError(
      `Only one file is allowed, but \`${word}\` was also given. ${AS_COMMAND}`,
      asCommand('verify', argv),
    )
  }
  const file = oneFile(positionals, 'verify')
  if (values.server !== undefined && serverCommand) {
    throw new UsageError('Both --server and a command were given. Give only one.')
  }
  const headers = (values.header ?? []).map(headerOf)
  if (headers.length > 0 && serverCommand) {
    throw new UsageError("--header works only with --server: commands don't take headers.")
  }
  const transports = values.transport ?? []
  const target =
    values.server === undefined
      ? serverCommand && commandOf(serverCommand)
      : (customOf(values.server, transports.length > 0) ?? urlOf(values.server, '--server'))
  if (headers.length > 0 && target?.kind === 'custom') {
    throw new UsageError(`--header works only over HTTP: \`${target.url}\` takes no headers.`)
  }
  return {
    kind: 'verify',
    file,
    target,
    transports,
    headers,
    variables: Object.fromEntries((values.var ?? []).map(variableOf)),
    rules: values.rules,
    junit: values.junit,
    sarif: values.sarif,
    link: values.link,
    update: values.update ?? false,
    calibrate: values.calibrate ?? false,
    partial: values.partial ?? false,
    json: values.json ?? false,
    trustTarget: values['trust-target'] ?? false,
  }
}

function readRecord(argv: readonly string[]): RecordOptions {
  const { values, positionals, serverCommand } = parseOptions('record', argv)
  const { out, listen } = values
  if (out === undefined) {
    throw new UsageError(`No output file was given. Add ${COMMANDS.record.options.out.example}`)
  }
  const common = { kind: 'record', out, overwrite: values.overwrite ?? false } as const
  if (serverCommand) {
    if (positionals.length > 0) {
      throw new UsageError(`Both \`${positionals[0]}\` and a command were given. Give only one.`)
    }
    if (listen !== undefined) {
      throw new UsageError('--listen works only with a URL: a command is recorded over stdio.')
    }
    return { ...common, from: commandOf(serverCommand) }
  }
  const [url, ...more] = positionals
  if (url === undefined) {
    throw new UsageError('No server was given. Add its command after `--`, or its URL with --listen PORT.')
  }
  if (listen === undefined && !parsedUrl(url) && !customOf(url, false)) throw notUrl(url, 'record', argv)
  if (more.length > 0) throw new UsageError(`Only one URL can be recorded, but \`${more[0]}\` was also given.`)
  if (customOf(url, false)) {
    throw new UsageError(
      `\`record\` can't sit between a client and \`${url}\`: it records servers over stdio and HTTP. Connect to it in the page, which records every session.`,
    )
  }
  const target = urlOf(url, 'it')
  if (listen === undefined) {
    throw new UsageError('No port was given for the client. Add one: --listen 8080, or 0 for any free port.')
  }
  return { ...common, from: { ...target, port: portOf(listen, '--listen') } }
}

function readPlay(argv: readonly string[]): PlayOptions {
  const { values, positionals, serverCommand } = parseOptions('play', argv)
  if (serverCommand) throw new UsageError('A recording plays without a server. Remove `--` and what follows it.')
  return {
    kind: 'play',
    file: oneFile(positionals, 'play'),
    port: values.listen === undefined ? undefined : portOf(values.listen, '--listen'),
    delays: values.delays ?? false,
    nearest: values.nearest ?? false,
    link: values.link,
  }
}

function oneFile([file, ...more]: readonly string[], command: 'verify' | 'play'): string {
  if (file === undefined) {
    throw new UsageError('No recording was given. Name its file:', `${command} demo.periscope.jsonl`)
  }
  if (more.length > 0) throw new UsageError(`Only one file is allowed, but \`${more[0]}\` was also given.`)
  return file
}

function commandOf([command, ...args]: readonly string[]): Extract<Target, { kind: 'command' }> {
  if (!command) throw new UsageError('No command follows `--`. Write it there: -- npx -y some-mcp-server')
  return { kind: 'command', command, args }
}

/** A server over another transport than HTTP. @param hasTransports modules were given, whose names aren't known yet */
function customOf(url: string, hasTransports: boolean): { readonly kind: 'custom'; readonly url: string } | undefined {
  const isCustom = /^wss?:\/\/./i.test(url) || isSocketTarget(url) || (hasTransports && isModuleTarget(url))
  return isCustom ? { kind: 'custom', url } : undefined
}

/** Maybe the name of a module's transport, and what follows it. */
function isModuleTarget(text: string): boolean {
  return /^[a-z][a-z\d-]+:(?!\/\/)./.test(text)
}

function urlOf(text: string, name: string): Extract<Target, { kind: 'url' }> {
  const url = parsedUrl(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError(`\`${text}\` isn't a server URL. Write ${name} as http://localhost:3000/mcp`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError("The URL can't contain a user name or password. Send them as a header: --header")
  }
  return { kind: 'url', url: text }
}

/** Protocols of the servers that the page connects to. */
const PAGE_PROTOCOLS = ['http:', 'https:', 'ws:', 'wss:']

const AS_COMMAND = 'To run it as a command, put `--` before it:'

/** What is wrong with a URL; `undefined` if it is right, or no URL at all. */
function urlProblem(text: string, more: readonly string[]): UsageError | undefined {
  const url = parsedUrl(text)
  if (isPageTarget(text)) {
    return more.length > 0
      ? new UsageError(`Only one URL is allowed, but \`${more[0]}\` was also given. The page can connect to more.`)
      : undefined
  }
  if (more.length === 0 && /^(localhost|[\w-]+(\.[\w-]+)+|\[[0-9a-f:]+\])(:\d+)?(\/|$)/i.test(text)) {
    const scheme = /^(localhost|127\.|\[::1\])/i.test(text) ? 'http' : 'https'
    if (text.includes('/') || text.includes(':'))
      return new UsageError(`\`${text}\` has no scheme. Write ${scheme}://${text}.`)
  }
  if (text.includes('://')) {
    return new UsageError(
      url
        ? `\`${text}\` isn't an MCP server URL. It must begin with http://, https://, ws:// or wss://.`
        : `\`${text}\` isn't a complete URL. Write it as http://localhost:3000/mcp.`,
    )
  }
  return undefined
}

function isPageTarget(text: string): boolean {
  return PAGE_PROTOCOLS.includes(parsedUrl(text)?.protocol ?? '') || isSocketTarget(text)
}

/** @param argv without the command's name */
function notUrl(text: string, name: CommandName, argv: readonly string[]): UsageError {
  return new UsageError(`\`${text}\` isn't a URL. ${AS_COMMAND}`, asCommand(name, argv))
}

function portOf(text: string, option: '--port' | '--listen'): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65535) return port
  throw new UsageError(`\`${option} ${text}\` isn't a port. Use a number from 1 to 65535, or 0 for any free port.`)
}

function hostOf(text: string): string {
  const bare = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text
  if (/^[0-9a-f:.]*:[0-9a-f:.]*(%\w+)?$/i.test(bare) && bare.split(':').length > 2) return bare
  if (/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(bare)) return bare
  throw new UsageError(
    `\`--host ${text}\` isn't an address. Use an IP address or a host name without a port, such as 127.0.0.1.`,
  )
}

function headerOf(text: string): readonly [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(text) ?? []
  // The message leaves the text out: it may be a secret.
  if (name === undefined || value === undefined) {
    throw new UsageError(`Invalid --header. Write it as ${COMMANDS.verify.options.header.example}`)
  }
  return [name, value]
}

/** `name=text`, or `name:=JSON` for anything but a string. */
function variableOf(text: string): readonly [string, unknown] {
  const [, name, json, value] = /^([\w.-]{1,64})(:?)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw new UsageError('Invalid --var. Write it as --var folder=/tmp/demo, or --var count:=3 for JSON.')
  }
  if (json === '') return [name, value]
  try {
    return [name, JSON.parse(value) as unknown]
  } catch {
    throw new UsageError(`The value of \`--var ${name}:=\` isn't valid JSON. Use \`=\` for a string.`)
  }
}
