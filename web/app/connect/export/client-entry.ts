/** Writes one server as the entry of a client's configuration. Values become references, unless the user wants them written. */
import type { ClientId } from '../../../../proxy/wire.ts'
import type { JsonObject } from '../../../mcp/index.ts'
import { secretsInUrl, secretsInWords, withoutPlaces } from '../../../secrets/index.ts'
import { variableIn } from '../placeholders.ts'
import type { Settings } from '../settings.ts'
import type { Target } from '../target.ts'
import { FORMATS } from './client-formats.ts'
import { ABSOLUTE, isRelative, relativePaths } from './relative-paths.ts'

export interface ExportedServer {
  readonly name: string
  readonly target: Target
  readonly settings: Settings
}

/** `references`: no value of a header or variable is written, and no secret of the URL or the arguments. */
export type Values = 'references' | 'written'

/** Something to know before using the entry. */
export type ExportNote =
  /** The client starts processes only, so `npx mcp-remote` connects to the URL. */
  | { readonly kind: 'bridge' }
  | { readonly kind: 'no-sse' }
  | { readonly kind: 'no-directory'; readonly directory: string }
  /** The client looks for these in a folder of its own, and the folder that they are relative to isn't known. */
  | { readonly kind: 'relative'; readonly paths: readonly string[] }
  /** The client's names have fewer characters. */
  | { readonly kind: 'renamed'; readonly name: string; readonly written: string }
  /** Variables that the client reads from its environment. */
  | { readonly kind: 'environment'; readonly names: readonly string[] }
  /** Placeholders that the user replaces in the file. */
  | { readonly kind: 'replace'; readonly names: readonly string[] }
  /** The client asks for these and stores them itself. */
  | { readonly kind: 'asks'; readonly names: readonly string[] }

export interface ClientEntry {
  /** With the paths of the entry, and with the values. */
  readonly target: UrlTarget | CommandTarget
  /** The process that connects to the URL, with the values, if the client starts processes only. */
  readonly bridge?: CommandTarget
  readonly entry: JsonObject
  readonly notes: readonly ExportNote[]
  /** VS Code's `inputs` that the entry refers to. */
  readonly inputs: readonly JsonObject[]
}

/**
 * @param directory that relative paths are relative to; absent: they stay and get a note
 * @param there the server as the file has it: the relative paths in it work there, so they stay
 * @param owners what the variables of the servers before it are
 * @returns `undefined` for the sample server, which exists only in this page, and for transports that other clients lack
 */
export const clientEntry = (
  client: ClientId,
  server: ExportedServer,
  values: Values,
  directory?: string,
  there?: Target,
  owners: Owners = new Map<string, string>(),
): ClientEntry | undefined => {
  const { target } = server
  if (target.kind === 'sample' || target.kind === 'custom') return undefined
  const used = new Used(client, server.name, owners)
  if (target.kind === 'url') {
    const entry = remote(client, server, target, values, used)
    const bridge = FORMATS[client].url ? {} : { bridge: bridgeTo(target.url, target, isLegacy(server)) }
    return { target, ...bridge, entry, notes: used.notes(), inputs: used.inputs() }
  }
  const known = there?.kind === 'command' ? there : undefined
  const moved = withoutRelativePaths(client, target, directory, known, used)
  return { target: moved, entry: local(client, moved, values, used), notes: used.notes(), inputs: used.inputs() }
}

/** Of each variable, the value that it is: two servers never refer to one variable for different values. */
export type Owners = Map<string, string>

type UrlTarget = Extract<Target, { kind: 'url' }>
type CommandTarget = Extract<Target, { kind: 'command' }>

const isLegacy = ({ settings }: ExportedServer): boolean => settings.transport === 'http-sse'

const remote = (
  client: ClientId,
  server: ExportedServer,
  target: UrlTarget,
  values: Values,
  used: Used,
): JsonObject => {
  const format = FORMATS[client]
  const isSse = isLegacy(server)
  if (isSse && format.noSse) used.note({ kind: 'no-sse' })
  const places = values === 'written' ? [] : secretsInUrl(target.url)
  const url = used.spelled(withoutPlaces(target.url, places, ({ name }) => used.reference(name)))
  if (!format.url) return bridged(url, target, isSse, values, used)
  const headers: Record<string, string> = {}
  const fromEnvironment: Record<string, string> = {}
  let bearer: string | undefined
  for (const [name, value] of target.headers) {
    const found = used.value(name, value, values, 'header')
    if (format.references !== 'codex' || found.variable === undefined) headers[name] = found.text
    else if (/^authorization$/i.test(name) && found.scheme === 'Bearer ') bearer = found.variable
    else if (found.scheme === '') fromEnvironment[name] = found.variable
    else headers[name] = used.placeholder(name)
  }
  const type = format.types?.[isSse ? 'sse' : 'http']
  return {
    ...(type === undefined ? {} : { type }),
    [isSse ? format.url.sse : format.url.http]: url,
    ...(bearer === undefined ? {} : { bearer_token_env_var: bearer }),
    ...(Object.keys(headers).length > 0 ? { [format.headers]: headers } : {}),
    ...(Object.keys(fromEnvironment).length > 0 ? { env_http_headers: fromEnvironment } : {}),
  }
}

const bridged = (url: string, target: UrlTarget, isSse: boolean, values: Values, used: Used): JsonObject => {
  used.note({ kind: 'bridge' })
  const headers = target.headers.map(([name, value]) => [name, used.value(name, value, values, 'header').text] as const)
  const { command, args, env } = bridgeTo(url, { headers }, isSse)
  return { command, args: [...args], ...(Object.keys(env).length > 0 ? { env: { ...env } } : {}) }
}

/** @see https://modelcontextprotocol.io/docs/develop/connect-remote-servers */
const bridgeTo = (url: string, { headers }: Pick<UrlTarget, 'headers'>, isSse: boolean): CommandTarget => {
  const pairs = headers.map(([name, value]) => [name, name.toUpperCase().replaceAll(/\W+/g, '_'), value] as const)
  // Without a space: some systems split the argument there.
  const words = pairs.flatMap(([name, variable]) => ['--header', `${name}:\${${variable}}`])
  return {
    kind: 'command',
    command: 'npx',
    args: ['-y', 'mcp-remote', url, ...(isSse ? ['--transport', 'sse-only'] : []), ...words],
    env: Object.fromEntries(pairs.map(([, variable, value]) => [variable, value])),
  }
}

const local = (client: ClientId, target: CommandTarget, values: Values, used: Used): JsonObject => {
  const format = FORMATS[client]
  const words = [target.command, ...target.args]
  const places = values === 'written' ? [] : secretsInWords(words)
  const [command = '', ...args] = words.map((word, index) =>
    used.spelled(
      withoutPlaces(
        word,
        places.filter((place) => place.word === index),
        ({ name }) => used.reference(name, 'argument'),
      ),
    ),
  )
  const env: Record<string, string> = {}
  const passedOn: string[] = []
  for (const [name, value] of Object.entries(target.env)) {
    const found = used.value(name, value, values, 'variable')
    if (format.references !== 'codex' || found.variable === undefined) env[name] = found.text
    else if (found.variable === name && found.scheme === '') passedOn.push(name)
    else env[name] = used.placeholder(name)
  }
  if (target.cwd !== undefined && !format.cwd) used.note({ kind: 'no-directory', directory: target.cwd })
  return {
    ...(format.types?.stdio ? { type: format.types.stdio } : {}),
    command,
    args,
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(passedOn.length > 0 ? { env_vars: passedOn } : {}),
    ...(target.cwd !== undefined && format.cwd ? { cwd: target.cwd } : {}),
  }
}

/** Other clients start processes in a folder of their own, so paths relative to the one here become absolute. */
const withoutRelativePaths = (
  client: ClientId,
  target: CommandTarget,
  directory: string | undefined,
  there: CommandTarget | undefined,
  used: Used,
): CommandTarget => {
  const keepsFolder = target.cwd === undefined || (there?.cwd !== undefined && isRelative(there.cwd))
  const cwd = keepsFolder ? target.cwd : absolute(target.cwd, directory)
  const own = cwd === undefined ? target : { ...target, cwd }
  const isKept = there && relativePaths([there.command, ...there.args]).some((at) => at !== undefined)
  const words = [target.command, ...target.args]
  const places = isKept ? [] : relativePaths(words)
  const found = words.filter((_, at) => places[at] !== undefined)
  // The client starts it there, so its words can stay.
  if (found.length === 0 || (cwd !== undefined && FORMATS[client].cwd && ABSOLUTE.test(cwd))) return own
  const base = cwd ?? directory
  if (base === undefined || !ABSOLUTE.test(base)) {
    used.note({ kind: 'relative', paths: found })
    return own
  }
  const [command = '', ...args] = words.map((word, at) =>
    places[at] === undefined ? word : word.slice(0, places[at]) + absolute(word.slice(places[at]), base),
  )
  return { ...own, command, args }
}

/** With the separators of its folder. */
const absolute = (path: string, directory: string | undefined): string => {
  if (directory === undefined || !isRelative(path)) return path
  const [root = ''] = /^(?:[A-Za-z]:[\\/]|\\\\[^\\]+\\[^\\]+\\?|\/)/.exec(directory) ?? []
  const separator = root.includes('\\') ? '\\' : '/'
  const parts = directory.slice(root.length).split(separator).filter(Boolean)
  for (const part of path.split(separator === '\\' ? /[\\/]/ : '/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  const start = root === '' || root.endsWith(separator) || parts.length === 0 ? root : root + separator
  return start + parts.join(separator)
}

/** Letters, digits, hyphens and underscores. */
const plainName = (name: string): string => name.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'server'

/** The name of a server that the client doesn't have yet. */
export const writtenName = (client: ClientId, name: string): string =>
  FORMATS[client].plainNames ? plainName(name) : name || 'server'

/** The second server of a name gets a number. */
export const freeName = (client: ClientId, name: string, isTaken: (name: string) => boolean): string => {
  const separator = FORMATS[client].plainNames ? '-' : ' '
  let [unique, number] = [name, 1]
  while (isTaken(unique)) unique = `${name}${separator}${++number}`
  return unique
}

interface WrittenValue {
  readonly text: string
  /** The environment variable that it is, after `scheme`. */
  readonly variable?: string
  /** Such as `Bearer `. */
  readonly scheme: string
}

/** What an entry refers to. */
class Used {
  readonly #client: ClientId
  readonly #server: string
  readonly #owners: Owners
  readonly #notes: ExportNote[] = []
  readonly #variables = new Set<string>()
  readonly #placeholders = new Set<string>()
  readonly #inputs = new Map<string, string>()

  constructor(client: ClientId, server: string, owners: Owners) {
    this.#client = client
    this.#server = server
    this.#owners = owners
  }

  note(note: ExportNote): void {
    this.#notes.push(note)
  }

  notes(): ExportNote[] {
    const lists = [
      ['environment', this.#variables],
      ['replace', this.#placeholders],
      ['asks', new Set(this.#inputs.values())],
    ] as const
    return [
      ...this.#notes,
      ...lists.flatMap(([kind, names]): ExportNote[] => (names.size > 0 ? [{ kind, names: [...names] }] : [])),
    ]
  }

  inputs(): JsonObject[] {
    return [...this.#inputs].map(([id, description]) => ({ type: 'promptString', id, description, password: true }))
  }

  /** A header or a variable. References stay references, in the client's spelling. */
  value(name: string, written: string, values: Values, place: 'header' | 'variable'): WrittenValue {
    const value = asEnvironmentReferences(written)
    const [, scheme = '', rest = ''] = /^((?:Bearer|Basic|Token) )?(.*)$/is.exec(value) ?? []
    const known = variableOf(rest)
    if (known !== undefined && FORMATS[this.#client].references === 'shell' && rest.includes(':-')) {
      return { text: value, scheme: '' }
    }
    if (known !== undefined) return this.#refer(scheme, known, known)
    if (value !== '' && (values === 'written' || isPlaceholder(rest))) return { text: this.spelled(value), scheme: '' }
    if (place === 'variable') return this.#refer(scheme, variableName(name), name)
    const own = `${this.#server}: ${name}`
    return this.#refer(scheme, this.#free(variableName(`${this.#server} ${name}`), own), own)
  }

  #refer(scheme: string, variable: string, description: string): WrittenValue {
    if (FORMATS[this.#client].references === 'codex') {
      this.#variables.add(variable)
      return { text: '', variable, scheme: scheme === '' ? '' : 'Bearer ' }
    }
    return { text: scheme + this.#referenceTo(variable, description), variable, scheme }
  }

  /** A reference to a secret within a URL or an argument. */
  reference(name: string, place: 'url' | 'argument' = 'url'): string {
    const own = `${this.#server}: ${name}`
    const wanted = variableName(name === '' || place === 'url' ? `${this.#server} ${name}` : name)
    const variable = this.#free(wanted, own)
    return FORMATS[this.#client].references === 'codex' ? this.placeholder(variable) : this.#referenceTo(variable, own)
  }

  /** Names that differ may be the same as a variable: those of `my docs` and `my-docs`, or of two in Chinese. */
  #free(wanted: string, owner: string): string {
    let [variable, number] = [wanted, 1]
    while ((this.#owners.get(variable) ?? owner) !== owner) variable = `${wanted}_${++number}`
    this.#owners.set(variable, owner)
    return variable
  }

  /** The references within a text, in the client's spelling. */
  spelled(text: string): string {
    return asEnvironmentReferences(text).replaceAll(/\$\{(?:env:)?([A-Za-z_]\w*)\}/g, (_, name: string) =>
      FORMATS[this.#client].references === 'codex' ? this.placeholder(name) : this.#referenceTo(name, name),
    )
  }

  placeholder(name: string): string {
    const text = `<${variableName(name)}>`
    this.#placeholders.add(text)
    return text
  }

  #referenceTo(variable: string, description: string): string {
    switch (FORMATS[this.#client].references) {
      case 'env':
        this.#variables.add(variable)
        return `\${env:${variable}}`
      case 'shell':
        this.#variables.add(variable)
        return `\${${variable}}`
      case 'input': {
        const id = variable.toLowerCase().replaceAll('_', '-')
        this.#inputs.set(id, description)
        return `\${input:${id}}`
      }
      default:
        return this.placeholder(variable)
    }
  }
}

/** `{{api.key}}` is a variable of this page's environments; for another client, one of its process: `API_KEY`. */
const asEnvironmentReferences = (text: string): string =>
  text.replaceAll(/\{\{([A-Za-z_][\w.-]{0,63})\}\}/g, (_, name: string) => `\${env:${variableName(name)}}`)

/** `${env:NAME}`, `${NAME}` or `${NAME:-default}` and nothing else. */
const variableOf = (text: string): string | undefined =>
  /^\$\{env:([A-Za-z_]\w*)\}$/.exec(text)?.[1] ?? variableIn(text)

/** It is filled in by the user, so it isn't a secret. */
const isPlaceholder = (text: string): boolean =>
  /^(?:\$\{[^{}]+\}|<[^<>]+>|\{\{[^{}]+\}\}|YOUR[_-][A-Z\d_-]+)$/.test(text)

const variableName = (text: string): string => {
  const name = text.normalize('NFKD').toUpperCase().replaceAll(/[^A-Z\d]+/g, '_').replaceAll(/^_+|_+$/g, '') // prettier-ignore
  return /^[A-Z]/.test(name) ? name : `MCP_${name}`.replace(/_$/, '')
}
