/** Writes one server as the entry of a client's configuration. Values become references, unless the user wants them written. */
import type { ClientId } from '../../../../proxy/wire.ts'
import type { JsonObject } from '../../../mcp/index.ts'
import { secretsInUrl, secretsInWords, type SecretPlace } from '../../../secrets/index.ts'
import type { ConfigInput } from '../configured-server.ts'
import type { Settings } from '../settings.ts'
import type { Target } from '../target.ts'
import { FORMATS } from './client-formats.ts'
import {
  headerPlace,
  isReadBy,
  onlyReference,
  References,
  referencesAt,
  respelled,
  variablePlace,
  type Reference,
  type Referent,
  type Wanted,
} from './references.ts'
import { ABSOLUTE, isRelative, relativePaths } from './relative-paths.ts'

export interface ExportedServer {
  readonly name: string
  readonly target: Target
  readonly settings: Settings
  /** The project that its configuration has it for. */
  readonly project?: string
  /** What its configuration declares of its placeholders. */
  readonly inputs?: readonly ConfigInput[]
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

/** Where the entry is written. */
interface Within {
  /** The server as the file has it: the relative paths in it work there, so they stay, and so do its references. */
  readonly there?: Target | undefined
  /** The place in the file. Absent: the name of the server. */
  readonly at?: string
  /** Those of the servers before it. */
  readonly references?: References
}

/**
 * @param directory that relative paths are relative to; absent: they stay and get a note
 * @returns `undefined` for the sample server, which exists only in this page, and for transports that other clients lack
 */
export const clientEntry = (
  client: ClientId,
  server: ExportedServer,
  values: Values,
  directory?: string,
  within: Within = {},
): ClientEntry | undefined => {
  const { target } = server
  if (target.kind === 'sample' || target.kind === 'custom') return undefined
  const used = new Used(client, server, within)
  if (target.kind === 'url') {
    const single = { ...target, headers: combined(target.headers) }
    const entry = remote(client, server, single, values, used)
    const bridge = FORMATS[client].url ? {} : { bridge: bridgeTo(target.url, single.headers, isLegacy(server)) }
    return { target: single, ...bridge, entry, notes: used.notes(), inputs: used.inputs() }
  }
  const known = within.there?.kind === 'command' ? within.there : undefined
  const moved = withoutRelativePaths(client, target, directory, known, used)
  return { target: moved, entry: local(client, moved, values, used), notes: used.notes(), inputs: used.inputs() }
}

type UrlTarget = Extract<Target, { kind: 'url' }>
type CommandTarget = Extract<Target, { kind: 'command' }>
type Headers = UrlTarget['headers']

/** A file has each header once, so values of one name become a list, as in RFC 9110, section 5.3. */
const combined = (headers: Headers): Headers => {
  const all = new Map<string, readonly [name: string, value: string]>()
  for (const [name, value] of headers) {
    const [first, before] = all.get(name.toLowerCase()) ?? [name, '']
    all.set(name.toLowerCase(), [first, [before, value].filter(Boolean).join(', ')])
  }
  return [...all.values()]
}

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
  const place = format.url ? 'url' : 'argument'
  const url = used.url(target.url, values === 'written' ? [] : secretsInUrl(target.url), place)
  if (!format.url) return bridged(url, target.headers, isSse, values, used)
  const headers: Record<string, string> = {}
  const fromEnvironment: Record<string, string> = {}
  let bearer: string | undefined
  for (const [name, value] of target.headers) {
    const found = used.header(name, value, values)
    if (found.variable === undefined) headers[name] = found.text
    else if (found.isBearer) bearer = found.variable
    else fromEnvironment[name] = found.variable
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

const bridged = (url: string, headers: Headers, isSse: boolean, values: Values, used: Used): JsonObject => {
  used.note({ kind: 'bridge' })
  const variables = bridgeVariables(headers)
  const written = headers.map(
    ([name, value], at) => [name, used.header(name, value, values, variablePlace(variables[at]!)).text] as const,
  )
  const { command, args, env } = bridgeTo(url, written, isSse)
  return { command, args: [...args], ...(Object.keys(env).length > 0 ? { env: { ...env } } : {}) }
}

/** @see https://modelcontextprotocol.io/docs/develop/connect-remote-servers */
const bridgeTo = (url: string, headers: Headers, isSse: boolean): CommandTarget => {
  const variables = bridgeVariables(headers)
  // Without a space: some systems split the argument there.
  const words = headers.flatMap(([name], at) => ['--header', `${name}:\${${variables[at]!}}`])
  const transport = isSse ? ['--transport', 'sse-only'] : []
  // Otherwise it refuses http: URLs, except those with these two hosts.
  const allowed = /^http:\/\/(?!(?:localhost|127\.0\.0\.1)(?:[:/?#]|$))/i.test(url) ? ['--allow-http'] : []
  return {
    kind: 'command',
    command: 'npx',
    args: ['-y', 'mcp-remote', url, ...transport, ...allowed, ...words],
    env: Object.fromEntries(headers.map(([, value], at) => [variables[at]!, value])),
  }
}

/** `X-A` and `X_A` are two headers, so they need two variables. */
const bridgeVariables = (headers: Headers): readonly string[] => {
  const names: string[] = []
  for (const [header] of headers) {
    const wanted = header.toUpperCase().replaceAll(/\W+/g, '_')
    let [name, number] = [wanted, 1]
    while (names.includes(name)) name = `${wanted}_${++number}`
    names.push(name)
  }
  return names
}

const local = (client: ClientId, target: CommandTarget, values: Values, used: Used): JsonObject => {
  const format = FORMATS[client]
  const words = [target.command, ...target.args]
  const places = values === 'written' ? [] : secretsInWords(words)
  const [command = '', ...args] = words.map((word, index) =>
    used.word(
      word,
      index,
      places.filter((place) => place.word === index),
    ),
  )
  const env: Record<string, string> = {}
  const passedOn: string[] = []
  for (const [name, value] of Object.entries(target.env)) {
    const found = used.variable(name, value, values)
    if (found.variable === undefined) env[name] = found.text
    else passedOn.push(found.variable)
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
  /** The environment variable that Codex reads itself. */
  readonly variable?: string
  /** It is a bearer token. */
  readonly isBearer?: boolean
}

/** What an entry refers to. */
class Used {
  readonly #client: ClientId
  readonly #server: ExportedServer
  readonly #there: Target | undefined
  readonly #at: string
  readonly #references: References
  readonly #notes: ExportNote[] = []
  readonly #variables = new Set<string>()
  readonly #placeholders = new Set<string>()
  readonly #inputs = new Map<string, JsonObject>()

  constructor(client: ClientId, server: ExportedServer, { there, at, references }: Within) {
    this.#client = client
    this.#server = server
    this.#there = there
    this.#at = at ?? server.name
    this.#references = references ?? References.of(client, [server.target])
  }

  get #style() {
    return FORMATS[this.#client].references
  }

  note(note: ExportNote): void {
    this.#notes.push(note)
  }

  notes(): ExportNote[] {
    const asks = Array.from(this.#inputs.values(), ({ description }) => description as string)
    const lists = [
      ['environment', this.#variables],
      ['replace', this.#placeholders],
      ['asks', new Set(asks)],
    ] as const
    return [
      ...this.#notes,
      ...lists.flatMap(([kind, names]): ExportNote[] => (names.size > 0 ? [{ kind, names: [...names] }] : [])),
    ]
  }

  inputs(): JsonObject[] {
    return [...this.#inputs.values()]
  }

  /** @param place where the value is in the entry, if not in a header */
  header(name: string, text: string, values: Values, place = headerPlace(name)): WrittenValue {
    const there =
      this.#there?.kind === 'command'
        ? this.#there.env[place.replace(/^variable /, '')]
        : this.#there?.kind === 'url'
          ? this.#there.headers.find(([other]) => headerPlace(other) === place)?.[1]
          : undefined
    const own = this.#ownName(name)
    const canRead = (_: string, scheme: string) =>
      scheme === '' || (scheme === 'Bearer ' && /^authorization$/i.test(name))
    return this.#value(text, values, { id: `${own[1]}=${text}`, place, wanted: [own] }, there, canRead)
  }

  variable(name: string, text: string, values: Values): WrittenValue {
    const there = this.#there?.kind === 'command' ? this.#there.env[name] : undefined
    const own = this.#ownName(name)
    // Several processes may get one value, if it is known to be the same.
    const id = text === '' ? own[1] : `${name}=${text}`
    const referent = { id, place: variablePlace(name), wanted: [[variableName(name), name], own] } as const
    return this.#value(text, values, referent, there, (variable, scheme) => scheme === '' && variable === name)
  }

  #ownName(name: string): Wanted {
    return [variableName(`${this.#server.name} ${name}`), `${this.#server.name}: ${name}`]
  }

  /** @param canRead whether Codex reads a value itself that is in this variable, after this scheme */
  #value(
    text: string,
    values: Values,
    referent: Referent,
    there: string | undefined,
    canRead: (variable: string, scheme: string) => boolean,
  ): WrittenValue {
    const [, scheme = '', rest = ''] = /^((?:Bearer|Basic|Token) )?(.*)$/is.exec(text) ?? []
    const own = this.#ownIn(there)
    const known = onlyReference(text)
    const isVariable = known?.kind === 'environment' || known?.kind === 'page'
    if (this.#style === 'codex' && isVariable) {
      const variable = this.#variableOf(known, own)
      if (canRead(variable, scheme)) return this.#read(variable, scheme)
    } else if (isVariable || (text !== '' && (values === 'written' || isPlaceholder(rest)))) {
      return { text: this.#spelled(text, own) }
    }
    const [name, description] = this.#nameOf({ ...referent, ...own })
    if (this.#style === 'codex' && !isVariable && canRead(name, scheme)) return this.#read(name, scheme)
    return { text: scheme + this.#referenceTo(name, description) }
  }

  #read(variable: string, scheme: string): WrittenValue {
    this.#variables.add(variable)
    return { text: '', variable, isBearer: scheme !== '' }
  }

  url(text: string, secrets: readonly SecretPlace[], place: 'url' | 'argument'): string {
    const there = this.#there
    if (there?.kind === 'url') return this.#text(text, secrets, place, there.url)
    // A process that connects has it among its arguments.
    const word = there?.kind === 'command' ? there.args.find((one) => /^https?:/i.test(one)) : undefined
    return this.#text(text, secrets, place, word ?? '')
  }

  /** The command or an argument. @param index the command is 0 */
  word(text: string, index: number, secrets: readonly SecretPlace[]): string {
    const there = this.#there?.kind === 'command' ? [this.#there.command, ...this.#there.args] : []
    return this.#text(text, secrets, 'argument', there[index] ?? '')
  }

  /** @param secrets in it, in order */
  #text(text: string, secrets: readonly SecretPlace[], place: 'url' | 'argument', there: string): string {
    const parts: string[] = []
    const known = referencesAt(there, text, secrets)
    let done = 0
    for (const [index, { from, to, name }] of secrets.entries()) {
      const own = this.#ownName(name)
      const wanted = name === '' || place === 'url' ? own : ([variableName(name), own[1]] as const)
      const id = `${own[1]}=${text.slice(from, to)}`
      parts.push(
        this.#spelled(text.slice(done, from)),
        this.#referenceTo(...this.#nameOf({ id, place, wanted: [wanted], ...this.#ownIn(known[index]?.text) })),
      )
      done = to
    }
    return [...parts, this.#spelled(text.slice(done))].join('')
  }

  /** The references within a text, in the client's spelling. @param own what the file has there instead */
  #spelled(text: string, own: Own = {}): string {
    const isWhole = onlyReference(text) !== undefined
    return respelled(text, (reference) => {
      const { kind, name } = reference
      // The user replaces it, wherever it is.
      if (kind === 'placeholder') return reference.text
      if (kind === 'input') return this.#inputOf(reference, isWhole ? own : {})
      // With its default.
      if (this.#style === 'shell' && reference.text.includes(':-')) return reference.text.replace('${env:', '${')
      return this.#referenceTo(this.#variableOf(reference, isWhole ? own : {}), variableName(name))
    })
  }

  /** The name of the variable that a reference of the user means. */
  #variableOf(reference: Reference, own: Own): string {
    // Codex has references only as whole values.
    if (isReadBy(this.#client, reference)) return reference.name
    const variable = variableName(reference.name)
    const [name] = this.#nameOf({ id: `${reference.kind} ${reference.name}`, wanted: [[variable, variable]], isShared: true, ...own }) // prettier-ignore
    return name
  }

  /** IDs belong to a file: the same one of another server may ask for another value. */
  #inputOf({ name, text }: Reference, own: Own): string {
    const declared = this.#server.inputs?.find((input) => input.text === text)
    const [variable, description] = this.#ownName(name)
    const shown = declared?.description ?? description
    const [id] = this.#references.nameOf(
      {
        id: `${description} ${text}`,
        wanted: [
          [this.#style === 'input' ? name : variableName(name), shown],
          [this.#style === 'input' ? inputId(variable) : variable, shown],
        ],
        ...own,
      },
      this.#at,
    )
    if (this.#style === 'input' && declared) this.#inputs.set(id, declaration(id, shown, declared))
    return this.#referenceTo(id, shown)
  }

  #ownIn(there: string | undefined): Own {
    const reference = onlyReference(there ?? '')
    return reference && isReadBy(this.#client, reference) ? { own: reference.name } : {}
  }

  #nameOf(referent: Referent): Wanted {
    const isInput = this.#style === 'input'
    const wanted = isInput ? referent.wanted.map(([name, shown]) => [inputId(name), shown] as const) : referent.wanted
    return this.#references.nameOf({ ...referent, wanted }, this.#at)
  }

  #referenceTo(name: string, description: string): string {
    switch (this.#style) {
      case 'env':
        this.#variables.add(name)
        return `\${env:${name}}`
      case 'shell':
        this.#variables.add(name)
        return `\${${name}}`
      case 'input': {
        if (!this.#inputs.has(name)) this.#inputs.set(name, declaration(name, description))
        return `\${input:${name}}`
      }
      default: {
        const text = `<${name}>`
        this.#placeholders.add(text)
        return text
      }
    }
  }
}

type Own = Pick<Referent, 'own'>

const inputId = (variable: string): string => variable.toLowerCase().replaceAll('_', '-')

/** An element of VS Code's `inputs`. */
const declaration = (
  id: string,
  description: string,
  { default: preset, options, isPublic }: Partial<ConfigInput> = {},
): JsonObject => ({
  type: options ? 'pickString' : 'promptString',
  id,
  description,
  ...(preset === undefined ? {} : { default: preset }),
  ...(options ? { options: [...options] } : {}),
  ...(isPublic || options ? {} : { password: true }),
})

/** It is filled in by the user, so it isn't a secret. */
const isPlaceholder = (text: string): boolean =>
  /^(?:\$\{[^{}]+\}|<[^<>]+>|\{\{[^{}]+\}\}|YOUR[_-][A-Z\d_-]+)$/.test(text)

const variableName = (text: string): string => {
  const name = text.normalize('NFKD').toUpperCase().replaceAll(/[^A-Z\d]+/g, '_').replaceAll(/^_+|_+$/g, '') // prettier-ignore
  return /^[A-Z]/.test(name) ? name : `MCP_${name}`.replace(/_$/, '')
}
