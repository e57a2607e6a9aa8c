/**
 * A client that explores a server: it requests all lists and calls some tools that seem to have no side effects, with
 * arguments generated from their schemas. Everything goes through a recorder in place of the server.
 */
import { ChildTransport } from '../../proxy/commands/destinations.ts'
import type { Child } from '../../proxy/stdio-child.ts'
import { isObject, Session, StreamableHttpTransport, Trace } from '../../web/mcp/index.ts'
import type { Json, JsonObject } from '../../web/mcp/index.ts'

export interface Run {
  /** A command, or the URL of a recorder. */
  readonly command: readonly string[] | string
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

const MOST_CALLS = 8
const HARMLESS =
  /^(?:\w+[_-])?(?:get|list|read|search|find|show|describe|echo|count|current|convert|relative|status|directory|open_nodes|sequentialthinking)/i
/** Tools that leave this machine, take long, or wait for a person. */
const UNWANTED =
  /trigger|long|sampling|elicit|simulate|screenshot|browser|navigate|install|fetch|http|download|random|env/i
const LISTS = [
  ['tools/list', 'tools', 'tools'],
  ['resources/list', 'resources', 'resources'],
  ['resources/templates/list', 'resources', 'resourceTemplates'],
  ['prompts/list', 'prompts', 'prompts'],
] as const
const LIMITS = { idle: 15_000, total: 20_000 }

/** @throws {Error} if the server can't be connected to */
export const recordSession = async ({ command, env, cwd }: Run): Promise<void> => {
  const children: Child[] = []
  const started = ([program, ...args]: readonly string[]) =>
    new ChildTransport({ command: program!, args, env, cwd }, (child) => children.push(child))
  const transport = typeof command === 'string' ? new StreamableHttpTransport({ url: command }) : started(command)
  const session = new Session({
    trace: new Trace(),
    link: 's1',
    transport,
    clientInfo: { name: 'periscope-corpus', version: '0' },
    capabilities: () => ({ roots: {} }),
    answers: { 'roots/list': () => ({ roots: [{ uri: `file://${cwd}`, name: 'scratch' }] }) },
    limits: LIMITS,
  })
  try {
    const { capabilities } = await session.open()
    const found: Record<string, readonly JsonObject[]> = {}
    for (const [method, capability, key] of LISTS) {
      if (isObject(capabilities[capability])) found[key] = await listed(session, method, key)
    }
    const ask = async (method: string, params: JsonObject) =>
      void (await session.request(method, params).catch(() => {}))
    const tools = found['tools'] ?? []
    for (const { name, inputSchema } of tools.filter(isHarmless).slice(0, MOST_CALLS)) {
      await ask('tools/call', { name: name!, arguments: argumentsFor(inputSchema, cwd) })
    }
    await ask('tools/call', { name: 'no_such_tool', arguments: {} })
    const [resource] = found['resources'] ?? []
    if (resource) await ask('resources/read', { uri: resource['uri']! })
    const [prompt] = found['prompts'] ?? []
    if (prompt) {
      const given = Array.isArray(prompt['arguments']) ? (prompt['arguments'] as readonly Json[]) : []
      const entries = given.filter(isObject).map(({ name }) => [typeof name === 'string' ? name : '', 'demo'] as const)
      await ask('prompts/get', { name: prompt['name']!, arguments: Object.fromEntries(entries) })
    }
  } finally {
    await session.close()
    await Promise.all(children.map((child) => child.end()))
  }
}

const listed = async (session: Session, method: string, key: string): Promise<readonly JsonObject[]> => {
  const items: JsonObject[] = []
  let cursor: Json | undefined
  for (let page = 0; page < 10; page++) {
    const result = await session.request(method, cursor === undefined ? undefined : { cursor }).catch(() => undefined)
    const some = result?.[key]
    if (Array.isArray(some)) items.push(...(some as readonly Json[]).filter(isObject))
    cursor = result?.nextCursor
    if (typeof cursor !== 'string') break
  }
  return items
}

const isHarmless = ({ name, annotations }: JsonObject): boolean => {
  if (typeof name !== 'string' || UNWANTED.test(name)) return false
  const hints = isObject(annotations) ? annotations : {}
  return hints.readOnlyHint === true || (hints.readOnlyHint !== false && HARMLESS.test(name))
}

const argumentsFor = (schema: Json | undefined, folder: string): JsonObject => {
  if (!isObject(schema) || !isObject(schema.properties)) return {}
  const required = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : []
  const named = Object.entries(schema.properties).filter(([name]) => required.includes(name))
  return Object.fromEntries(named.map(([name, each]) => [name, valueFor(name, each, folder)]))
}

const valueFor = (name: string, schema: Json, folder: string): Json => {
  if (!isObject(schema)) return 'demo'
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  for (const known of [schema.enum, schema.examples]) {
    const [first] = Array.isArray(known) ? (known as readonly Json[]) : []
    if (first !== undefined) return first
  }
  const [either] = [schema.anyOf, schema.oneOf].filter(Array.isArray) as (readonly Json[])[]
  if (schema.type === undefined && either?.[0] !== undefined) return valueFor(name, either[0], folder)
  switch (Array.isArray(schema.type) ? (schema.type as readonly Json[])[0] : schema.type) {
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return false
    case 'array':
      return [valueFor(name, schema.items ?? {}, folder)]
    case 'object':
      return argumentsFor(schema, folder)
    default:
      if (/file|^paths?$/i.test(name)) return `${folder}/demo.txt`
      if (/path|dir|folder/i.test(name)) return folder
      if (/time_?zone|^tz$/i.test(name)) return 'Europe/Berlin'
      if (/date|time/i.test(name)) return '2026-01-02 03:04:05'
      return 'demo'
  }
}
