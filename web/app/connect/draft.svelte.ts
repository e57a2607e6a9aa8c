/* eslint-disable svelte/prefer-svelte-reactivity -- no Set or URL here is read by the screen */
/** The contents of the connect form: the field and its rows, including text that can't be used yet. */
import { understand, type ConfigFile, type Understood } from './connect-input.ts'
import { environments } from '../environments/index.svelte.ts'
import { missingIn } from './references.ts'
import { loadConfigReader } from './lazy.ts'
import { projectOf, type ConfigInput, type ConfiguredServer } from './configured-server.ts'
import { patched, readSettings, type Settings, type SettingsPatch } from './settings.ts'
import { customTransport, isFor, lineOf, parsedTarget, type Target } from './target.ts'

/** Why values that should be remembered are only in memory. `address`: the URL or the command contains a secret. */
export type Unkept = 'address' | 'refused' | 'insecure'

export interface Row {
  name: string
  value: string
  /** The line of the only target that may get it. Absent: the one in the field. */
  only?: string
}

type ConfigReader = Awaited<ReturnType<typeof loadConfigReader>>

let reader = $state.raw<ConfigReader>()

/**
 * The parser of configurations, loaded when something that looks like one is entered first. `undefined` while it is
 * loading; what is derived from it is updated then.
 */
export const configReader = (): ConfigReader | undefined => {
  if (!reader) void loadConfigReader().then((loaded) => (reader = loaded))
  return reader
}

let moduleTransports = $state.raw<readonly string[]>([])

/** Tells all forms which transports the local proxy has modules for. */
export const offerTransports = (names: readonly string[]): void => void (moduleTransports = names)

export class Draft {
  text = $state('')
  /** The user's name for the connection. Empty: use the configuration's or the server's. */
  name = $state('')
  /** Values entered for placeholders: by the line of the target, since no other may get them. In memory only. */
  readonly #entered = $state<Record<string, Record<string, string>>>({})
  /** Placeholders that the user confirmed as literal text. */
  asIs = $state.raw<readonly string[]>([])
  headers = $state<Row[]>([])
  env = $state<Row[]>([])
  cwd = $state('')
  /** Whether the rows are shown. */
  more = $state(false)
  /** Names of the values that were lost by a reload. */
  dropped = $state.raw<readonly string[]>([])
  /** Values of headers and variables are stored when it connects. */
  remember = $state(false)
  unkept = $state.raw<Unkept>()
  /** Calls of its tools never ask, from the next connection to the target with this line on. Absent: as before. */
  trusted = $state.raw<{ readonly line: string; readonly on: boolean }>()
  /** Where its values were stored last. */
  keptAs: string | undefined
  /** The settings chosen by the user; the text may contain more. */
  settings = $state.raw<Settings>({})
  /** Of the entry that it was made from, as the project is. */
  givenInputs = $state.raw<readonly ConfigInput[]>([])
  givenProject = $state<string>()
  /** Takes the place of the text, which it doesn't become because it may contain secrets. */
  file = $state.raw<ConfigFile>()
  /** Filled in by a link, which anyone may have written. */
  isFromLink = $state(false)
  /** The transport of the module that the target names, which the local proxy may no longer have. */
  #transport = $state.raw<readonly string[]>([])
  /** The form is for the sample server, which has no text. */
  sample = $state(false)

  readonly understood: Understood = $derived(
    this.file
      ? (configReader()?.understandFile(this.file) ?? { kind: 'reading' })
      : understand(
          this.text,
          {
            protocol: typeof location === 'undefined' ? 'http:' : location.protocol,
            transports: [...moduleTransports, ...this.#transport],
          },
          () => configReader()?.readConfig,
        ),
  )

  /** The target of the Connect button. */
  readonly target: Target | undefined = $derived.by(() => {
    const { understood } = this
    switch (understood.kind) {
      case 'url':
        return this.#complete({ kind: 'url', url: understood.url, headers: [] })
      case 'custom':
        return { kind: 'custom', url: understood.url }
      case 'command':
        return this.#complete(understood)
      case 'servers': {
        const [only, ...others] = understood.servers
        return others.length === 0 && only?.target ? this.#complete(only.target) : undefined
      }
      default:
        return undefined
    }
  })

  /** The server of a configuration that has only one. */
  get #only(): ConfiguredServer | undefined {
    const { understood } = this
    return understood.kind === 'servers' && understood.servers.length === 1 ? understood.servers[0] : undefined
  }

  /** The user's settings, which override those in the text. */
  readonly allSettings: Settings = $derived({ ...this.#only?.settings, ...this.settings })

  /** The name set by the user or the configuration; empty if neither sets one. */
  readonly givenName: string = $derived(this.name.trim() || (this.#only?.name.trim() ?? ''))

  /** What a configuration declares of its placeholders. */
  readonly inputs: readonly ConfigInput[] = $derived(this.#only?.inputs ?? this.givenInputs)

  /** The project that a configuration has it for. */
  readonly project: string | undefined = $derived(this.#only ? projectOf(this.#only) : this.givenProject)

  /** The values of placeholders: as entered, otherwise those of the active environment, or the configuration's defaults. */
  readonly values: Readonly<Record<string, string>> = $derived(this.valuesFor(this.target))

  /** The same for a target that may no longer be the one in the field. */
  valuesFor(target: Target | undefined): Readonly<Record<string, string>> {
    // A link can't take secrets: they have to be entered.
    return this.#valuesWith(this.isFromLink ? environments.store?.publicValues : environments.store?.values, target)
  }

  /** What was entered for the placeholders of a target. */
  filledFor(target: Target | undefined): Readonly<Record<string, string>> {
    return this.#entered[target ? lineOf(target) : ''] ?? {}
  }

  /** By placeholder text, for the target in the field. */
  get filled(): Readonly<Record<string, string>> {
    return this.filledFor(this.target)
  }

  fill(values: Readonly<Record<string, string>>): void {
    this.#entered[this.target ? lineOf(this.target) : ''] = { ...this.filled, ...values }
  }

  /** The same, but references to secret variables stay: it may be shown. */
  readonly shownValues: Readonly<Record<string, string>> = $derived(this.#valuesWith(environments.store?.publicValues))

  /** Variables of the environment that aren't secret, and nothing that was typed: for names in storage. */
  get namedValues(): Readonly<Record<string, string>> {
    const values = Object.entries(environments.store?.publicValues ?? {})
    return Object.fromEntries(values.filter(([text]) => !this.asIs.includes(text)))
  }

  /** The same without the environment, whose values aren't stored with a server. */
  get ownValues(): Readonly<Record<string, string>> {
    return this.#valuesWith()
  }

  #valuesWith(
    environment: Readonly<Record<string, string>> = {},
    target = this.target,
  ): Readonly<Record<string, string>> {
    const isMeant = ([text, value]: readonly [string, string]) => value !== '' && !this.asIs.includes(text)
    return {
      ...Object.fromEntries(this.inputs.flatMap(({ text, default: preset }) => (preset ? [[text, preset]] : []))),
      ...Object.fromEntries(Object.entries(environment).filter(isMeant)),
      ...Object.fromEntries(Object.entries(this.filledFor(target)).filter(([, value]) => value !== '')),
    }
  }

  /** Placeholders without a value: while there are any, nothing may be sent to a server. */
  missingIn(target: Target | undefined): string[] {
    return target ? missingIn(target, { filled: this.valuesFor(target), asIs: this.asIs }, this.allSettings) : []
  }

  set(patch: SettingsPatch): void {
    this.settings = patched(this.settings, patch)
  }

  /** Nothing was entered or filled in. */
  get isEmpty(): boolean {
    return this.text === '' && !this.file && !this.sample
  }

  static ofFile(file: ConfigFile): Draft {
    const draft = new Draft()
    draft.file = file
    return draft
  }

  static of(
    target: Target,
    dropped: readonly string[] = [],
    settings: Settings = {},
    name = '',
    asIs: readonly string[] = [],
    linked = false,
  ): Draft {
    const draft = new Draft()
    draft.isFromLink = linked
    draft.asIs = asIs
    draft.name = name
    draft.settings = settings
    draft.text = lineOf(target)
    draft.dropped = dropped
    draft.sample = target.kind === 'sample'
    if (target.kind === 'custom') {
      const transport = customTransport(target.url)
      if (typeof transport === 'object') draft.#transport = [transport.module]
    }
    if (target.kind === 'url') draft.headers = target.headers.map(([name, value]) => ({ name, value }))
    if (target.kind === 'command') {
      draft.env = Object.entries(target.env).map(([name, value]) => ({ name, value }))
      draft.cwd = target.cwd ?? ''
    }
    draft.more = dropped.length > 0
    return draft
  }

  static fromStored(stored: string | null): Draft {
    const draft = new Draft()
    try {
      const value = JSON.parse(stored ?? '{}') as Partial<Record<string, unknown>>
      const rows = (list: unknown): Row[] => (Array.isArray(list) ? list.flatMap(rowFrom) : [])
      if (typeof value.text === 'string') draft.text = value.text
      if (typeof value.cwd === 'string') draft.cwd = value.cwd
      if (typeof value.name === 'string') draft.name = value.name
      draft.settings = readSettings(value.settings)
      draft.headers = rows(value.headers)
      draft.env = rows(value.env)
      draft.asIs = textsIn(value.asIs)
      draft.isFromLink = value.isFromLink === true
      const empty = [...draft.headers, ...draft.env].filter(({ value }) => value === '')
      draft.dropped = empty.map(({ name }) => name).filter(Boolean)
      draft.more = draft.dropped.length > 0
    } catch {
      // Written by other code: start with an empty form.
    }
    return draft
  }

  /** Rows override the text; rows without a name are ignored. */
  #complete(target: Target): Target {
    if (target.kind === 'url') {
      const rows = named(this.headers, target)
      const names = rows.map(([name]) => name.toLowerCase())
      const others = target.headers.filter(([name]) => !names.includes(name.toLowerCase()))
      return { ...target, headers: [...others, ...rows] }
    }
    if (target.kind === 'command') {
      const cwd = this.cwd.trim() || target.cwd
      const { command, args } = target
      return {
        kind: 'command',
        command,
        args,
        env: { ...target.env, ...Object.fromEntries(named(this.env, target)) },
        ...(cwd ? { cwd } : {}),
      }
    }
    return target
  }
}

const rowFrom = (stored: unknown): Row[] => {
  const [name, value = ''] = textsIn(Array.isArray(stored) ? stored : [stored])
  return name === undefined ? [] : [{ name, value }]
}

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []

const named = (rows: readonly Row[], target: Target) =>
  rows
    .filter((row) => row.name.trim() !== '' && isFor(row, target))
    .map(({ name, value }) => [name.trim(), value] as const)

/** A header or variable that can't be sent as typed. */
export interface RowFault {
  readonly fault: 'header-name' | 'header-value' | 'header-forbidden' | 'variable-name' | 'url'
  readonly name: string
}

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/
/** The values that `Headers` accepts: no line breaks, no NUL, nothing beyond Latin-1. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** https://fetch.spec.whatwg.org/#forbidden-request-header: browsers silently omit these. */
const FORBIDDEN =
  /^(?:accept-charset|accept-encoding|access-control-request-(?:headers|method|private-network)|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/i

/**
 * @param target with its placeholders filled in
 * @param env rows as typed; a missing name is only a fault if there is a value
 */
export const rowFaults = (target: Target | undefined, env: readonly Row[]): RowFault[] => {
  if (target?.kind === 'url') {
    // A value may have made it unusable.
    if (!parsedTarget(target.url)) return [{ fault: 'url', name: target.url }]
    return target.headers.flatMap(([name, value]): RowFault[] => {
      if (!TOKEN.test(name)) return [{ fault: 'header-name', name }]
      if (FORBIDDEN.test(name)) return [{ fault: 'header-forbidden', name }]
      return VALUE.test(value) ? [] : [{ fault: 'header-value', name }]
    })
  }
  if (target?.kind !== 'command') return []
  const names = new Set([
    ...env.filter(({ name, value }) => name || value).map(({ name }) => name.trim()),
    ...Object.keys(target.env),
  ])
  return [...names]
    .filter((name) => name === '' || /[=\0]/.test(name))
    .map((name) => ({ fault: 'variable-name', name }))
}
