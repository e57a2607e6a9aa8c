/**
 * The servers of a session as configuration for other clients: `mcpServers`, VS Code's `servers`, and the registry's
 * `server.json`. A session contains no values of headers or variables, so each is a placeholder for its reader to fill
 * in.
 * @see https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
 * @see https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md
 */
import type { RecordedServer, RecordedTarget } from '../file.ts'

type Named = { readonly name: string; readonly target: Connectable; readonly legacy: boolean }
type Connectable = Extract<RecordedTarget, { kind: 'url' | 'command' }>

/** Servers that another client could connect to, each with a unique name. */
const named = (servers: readonly RecordedServer[]): Named[] => {
  const taken = new Set<string>()
  return servers.flatMap(({ name, target, transport }) => {
    if (target?.kind !== 'url' && target?.kind !== 'command') return []
    const base = name.replace(/[^\p{L}\p{N}._@/-]+/gu, '-').replace(/^-+|-+$/g, '') || 'server'
    let unique = base
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = `${base}-${count}`
    taken.add(unique.toLowerCase())
    return [{ name: unique, target, legacy: transport === 'HTTP+SSE' }]
  })
}

export const connectable = (servers: readonly RecordedServer[]): boolean => named(servers).length > 0

const variableOf = (name: string): string =>
  name
    .toUpperCase()
    .replace(/[^A-Z\d]+/g, '_')
    .replace(/^(?=\d)/, '_')

const filled = (names: readonly string[], value: (name: string) => string): Record<string, string> =>
  // `fromEntries` also defines `__proto__` as a property, where an assignment would set the prototype.
  Object.fromEntries(names.map((name) => [name, value(name)]))

const having = <Value extends object>(key: string, value: Value): { readonly [key: string]: Value } =>
  Object.keys(value).length > 0 ? { [key]: value } : {}

/** Most clients replace `${NAME}` with an environment variable. */
export const mcpServersOf = (servers: readonly RecordedServer[]): object => ({
  mcpServers: Object.fromEntries(
    named(servers).map(({ name, target, legacy }) => {
      const placeholder = (key: string) => `\${${variableOf(key)}}`
      return [name, target.kind === 'url' ? urlOf(target, legacy, placeholder) : commandOf(target, placeholder)]
    }),
  ),
})

type Placeholder = (name: string) => string

const referenceOr =
  ({ references }: Connectable, placeholder: Placeholder): Placeholder =>
  (name) =>
    references && Object.hasOwn(references.values, name) ? references.values[name]! : placeholder(name)

const urlOf = (target: Extract<Connectable, { kind: 'url' }>, legacy: boolean, placeholder: Placeholder) => ({
  type: legacy ? 'sse' : 'http',
  url: target.url,
  ...having('headers', filled(target.headers, referenceOr(target, placeholder))),
})

const commandOf = (target: Extract<Connectable, { kind: 'command' }>, placeholder: Placeholder) => ({
  command: target.command,
  args: target.args,
  cwd: target.cwd,
  ...having('env', filled(target.env, referenceOr(target, placeholder))),
})

/** VS Code asks for each input once and stores it. */
export const vscodeOf = (servers: readonly RecordedServer[]): object => {
  const inputs = new Map<string, object>()
  const entries = named(servers).map(({ name, target, legacy }) => {
    const placeholder = (key: string): string => {
      const id =
        `${name}-${key}`
          .toLowerCase()
          .replace(/[^a-z\d]+/g, '-')
          .replace(/^-|-$/g, '') || 'value'
      let unique = id
      const description = `${key} of ${name}`
      for (let count = 2; inputs.has(unique); count++) unique = `${id}-${count}`
      inputs.set(unique, { type: 'promptString', id: unique, description, password: true })
      return `\${input:${unique}}`
    }
    return [
      name,
      target.kind === 'url' ? urlOf(target, legacy, placeholder) : { type: 'stdio', ...commandOf(target, placeholder) },
    ] as const
  })
  return { ...(inputs.size > 0 ? { inputs: [...inputs.values()] } : {}), servers: Object.fromEntries(entries) }
}

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/**
 * One server, as a publisher would register it: a draft, because the name in reverse DNS notation, the version and the
 * description are up to the publisher.
 * @returns `undefined` for a command that doesn't run a package from a registry
 */
export const serverJsonOf = (server: RecordedServer): object | undefined => {
  const [only] = named([server])
  if (!only) return undefined
  const { name, target, legacy } = only
  const common = {
    $schema: SCHEMA,
    name: `com.example/${name.replace(/[^a-zA-Z\d._-]+/g, '-').replace(/^-+|-+$/g, '') || 'server'}`,
    title: name.slice(0, 100),
    description: 'To be written by its publisher.',
  }
  if (target.kind === 'url') {
    const headers = target.headers.map((header) => ({ name: header, isRequired: true, isSecret: true }))
    const type = legacy ? 'sse' : 'streamable-http'
    return {
      ...common,
      version: '0.0.1',
      remotes: [{ type, url: target.url, ...(headers.length > 0 ? { headers } : {}) }],
    }
  }
  const found = packageOf(target)
  if (!found) return undefined
  const { version, ...rest } = found
  const environment = target.env.map((variable) => ({ name: variable, isRequired: true, isSecret: true }))
  return {
    ...common,
    version: version ?? '0.0.1',
    packages: [
      {
        ...rest,
        version,
        transport: { type: 'stdio' },
        ...(environment.length > 0 ? { environmentVariables: environment } : {}),
      },
    ],
  }
}

interface Package {
  readonly registryType: 'npm' | 'pypi' | 'nuget' | 'oci'
  readonly identifier: string
  readonly version?: string
  readonly runtimeHint: string
  readonly runtimeArguments?: readonly object[]
  readonly packageArguments?: readonly object[]
}

const RUNNERS = { npx: 'npm', uvx: 'pypi', dnx: 'nuget', docker: 'oci' } as const
/** Options of `docker run` without a value. */
const DOCKER_FLAGS: ReadonlySet<string> = new Set(['-i', '--rm', '--init', '-t', '-it', '--interactive'])

const positional = (values: readonly string[]): object[] | undefined =>
  values.length > 0 ? values.map((value) => ({ type: 'positional', value })) : undefined

const packageOf = ({ command, args }: Extract<Connectable, { kind: 'command' }>): Package | undefined => {
  const runner = (command.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:cmd|exe)$/i, '')
  if (!Object.hasOwn(RUNNERS, runner)) return undefined
  const runtimeHint = runner as keyof typeof RUNNERS
  const registryType = RUNNERS[runtimeHint]
  if (registryType === 'oci') return imageOf(args)
  const at = args.findIndex((word) => !word.startsWith('-'))
  if (at < 0) return undefined
  const word = args[at]!
  const cut = word.lastIndexOf('@')
  const [identifier, version] = cut > 0 ? [word.slice(0, cut), word.slice(cut + 1)] : [word]
  const before = args.slice(0, at).filter((option) => option !== '-y' && option !== '--yes')
  const after = args
    .slice(at + 1)
    .filter((option, index) => registryType !== 'nuget' || index > 0 || option !== '--yes')
  return {
    registryType,
    identifier,
    version: version || undefined,
    runtimeHint,
    runtimeArguments: positional(before),
    packageArguments: positional(after),
  }
}

/** `docker run -i --rm -e NAME image …`: readers of the file pass the variables themselves. */
const imageOf = (args: readonly string[]): Package | undefined => {
  if (args[0] !== 'run') return undefined
  let at = 1
  for (; at < args.length && args[at]!.startsWith('-'); at++) {
    const word = args[at]!
    if (word === '-e' || word === '--env') at++
    else if (!DOCKER_FLAGS.has(word)) return undefined
  }
  const image = args[at]
  if (image === undefined) return undefined
  const packageArguments = positional(args.slice(at + 1))
  return { registryType: 'oci', identifier: image, runtimeHint: 'docker', packageArguments }
}
