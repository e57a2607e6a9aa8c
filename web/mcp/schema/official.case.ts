/**
 * The official schemas as an oracle for messages, with the gaps that `../shared/schema/README.md` lists closed by hand.
 * Needs Node: the schemas are files beside the project, and may be absent.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Json, JsonObject } from '../frame.ts'
import { isObject } from '../jsonrpc.ts'
import { REVISIONS, type Revision } from '../revision.ts'
import type { Context } from './verdict.ts'

const folder = join(import.meta.dirname, '../../../../shared/schema')

/** Why there is nothing to compare with; `undefined` if there is. */
export const absent = (): string | undefined =>
  existsSync(join(folder, `${REVISIONS[0]}.json`))
    ? undefined
    : 'the official schemas lie outside the project (../shared/schema) and are not here'

export interface JsonSchema {
  readonly $ref?: string
  readonly const?: Json
  readonly enum?: readonly Json[]
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

/** A protocol version's names for its definitions. */
export interface Names {
  /** Definitions of the request and of its result, by method. */
  readonly requests: Readonly<Record<string, { readonly request: string; readonly result: string }>>
  readonly notifications: Readonly<Record<string, string>>
}

export interface Official {
  readonly revision: Revision
  readonly definitions: Readonly<Record<string, JsonSchema>>
  readonly names: Names
  /** The verdict of the schema with its gaps closed. */
  readonly valid: (message: Json, context: Context) => boolean
}

export const loadOfficial = (revision: Revision): Official => {
  const schema = JSON.parse(readFileSync(join(folder, `${revision}.json`), 'utf8')) as Record<string, unknown>
  const container = 'definitions' in schema ? 'definitions' : '$defs'
  const definitions = schema[container] as Record<string, JsonSchema>
  mend(definitions)
  const options = { strict: false, validateFormats: false, logger: false } as const
  const ajv = container === '$defs' ? new Ajv2020(options) : new Ajv(options)
  ajv.addSchema(schema, 'mcp')
  const compiled = new Map<string, ValidateFunction>()
  const is = (name: string, value: Json | undefined): boolean => {
    const known = compiled.get(name) ?? ajv.getSchema(`mcp#/${container}/${name}`)
    if (!known) throw new Error(`${revision} defines no ${name}`)
    compiled.set(name, known)
    return known(value) === true
  }
  const names = namesOf(definitions)
  const valid = (message: Json, context: Context): boolean => {
    if (BY_HAND.some(({ broken }) => broken(message, context, names))) return false
    if (!Array.isArray(message)) return judge(message, context, definitions, names, is)
    if (revision !== '2025-03-26') return is('JSONRPCMessage', message as Json)
    const kinds = ['JSONRPCBatchRequest', 'JSONRPCBatchResponse']
    const each = (message as readonly Json[]).every((item) => judge(item, context, definitions, names, is))
    return each && kinds.some((kind) => is(kind, message as Json))
  }
  return { revision, definitions, names, valid }
}

/** Fixes schemas that are narrower than the specification they describe. */
const mend = (definitions: Record<string, JsonSchema>): void => {
  // Numbers in elicitation responses are typed as integers (CF-FORM-08), as the README of the schemas says.
  const answer = definitions['ElicitResult']
  if (answer) replaceType(answer, 'integer', 'number')
  // The same generator error, which also lost `null`. It allows any JSON value.
  if (definitions['JSONValue']) definitions['JSONValue'] = {}
}

const replaceType = (value: unknown, old: string, wanted: string): void => {
  if (typeof value !== 'object' || value === null) return
  const node = value as Record<string, unknown>
  if (node['type'] === old) node['type'] = wanted
  else if (Array.isArray(node['type'])) {
    node['type'] = node['type'].map((type: unknown) => (type === old ? wanted : type))
  }
  for (const child of Object.values(node)) replaceType(child, old, wanted)
}

const UNLIKE: Readonly<Record<string, string>> = { GetTaskPayloadRequest: 'GetTaskPayloadResult' }

const namesOf = (definitions: Readonly<Record<string, JsonSchema>>): Names => {
  const requests: Record<string, { request: string; result: string }> = {}
  const notifications: Record<string, string> = {}
  for (const [name, { properties }] of Object.entries(definitions)) {
    const method = properties?.['method']?.const
    if (typeof method !== 'string') continue
    const result = UNLIKE[name] ?? name.replace(/Request$/, 'Result')
    if (name.endsWith('Request')) {
      requests[method] = { request: name, result: result in definitions ? result : 'EmptyResult' }
    } else notifications[method] = name
  }
  return { requests, notifications }
}

type Is = (name: string, value: Json | undefined) => boolean

/** Selects the definition by method, even for requests, because the unions of open objects accept too much. */
const judge = (
  message: Json,
  context: Context,
  definitions: Official['definitions'],
  names: Names,
  is: Is,
): boolean => {
  if (!isObject(message)) return is('JSONRPCMessage', message)
  const named = (...candidates: string[]) => candidates.find((name) => name in definitions)!
  const { method } = message
  if ('method' in message) {
    const request = typeof method === 'string' && own(names.requests, method)?.request
    const notification = typeof method === 'string' && own(names.notifications, method)
    const isRequest = request || (!notification && 'id' in message)
    // Up to 2025-06-18 the definitions of requests lack `jsonrpc` and `id`.
    const specific = request || notification
    return is(isRequest ? 'JSONRPCRequest' : 'JSONRPCNotification', message) && (!specific || is(specific, message))
  }
  if ('error' in message) {
    const code = isObject(message.error) ? message.error.code : undefined
    const special = BY_CODE.find(([number]) => number === code)?.[1]
    const fits = is(named('JSONRPCErrorResponse', 'JSONRPCError'), message)
    return fits && (!special || !(special in definitions) || is(special, message))
  }
  return (
    is(named('JSONRPCResultResponse', 'JSONRPCResponse'), message) &&
    is(resultName(message.result, context, names), message.result)
  )
}

const BY_CODE: readonly (readonly [code: number, definition: string])[] = [
  [-32042, 'URLElicitationRequiredError'],
  [-32020, 'HeaderMismatchError'],
  [-32021, 'MissingRequiredClientCapabilityError'],
  [-32022, 'UnsupportedProtocolVersionError'],
]

const ASKING = ['tools/call', 'prompts/get', 'resources/read']
const AUGMENTED = ['tools/call', 'sampling/createMessage', 'elicitation/create']

const resultName = (result: Json | undefined, context: Context, names: Names): string => {
  const { method = '', params, original = '', revision } = context
  const plain = own(names.requests, method)?.result ?? 'EmptyResult'
  if (!isObject(result)) return plain
  if (revision === '2026-07-28') return result.resultType === 'input_required' ? 'InputRequiredResult' : plain
  if (revision !== '2025-11-25') return plain
  if (method === 'tasks/result') return own(names.requests, original)?.result ?? plain
  const wished = isObject(params) && 'task' in params
  return AUGMENTED.includes(method) && wished && 'task' in result ? 'CreateTaskResult' : plain
}

interface Gap {
  readonly why: string
  readonly broken: (message: Json, context: Context, names: Names) => boolean
}

const each = (message: Json): readonly JsonObject[] =>
  (Array.isArray(message) ? (message as readonly Json[]) : [message]).filter((item) => isObject(item))
const isAnswer = (item: JsonObject) => !('method' in item) && ('result' in item || 'error' in item)
const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
const completionValues = ({ result }: JsonObject): Json | undefined =>
  isObject(result) && isObject(result.completion) ? result.completion.values : undefined

/** What the schemas accept although the specification forbids it. */
const BY_HAND: readonly Gap[] = [
  {
    why: 'open unions: result and error together pass (BP-07), a request that is an answer too (BP-01)',
    broken: (message) =>
      each(message).some((item) => ['method', 'result', 'error'].filter((key) => key in item).length > 1),
  },
  {
    why: 'open objects: a notification with an id passes (BP-10)',
    broken: (message, _, { notifications }) =>
      each(message).some(
        ({ id, method }) => id !== undefined && typeof method === 'string' && own(notifications, method),
      ),
  },
  {
    why: 'no schema says who may send what: since 2026-07-28 clients answer nothing (BP-11), servers ask nothing (BP-12)',
    broken: (message, { revision, direction }, { notifications }) =>
      revision === '2026-07-28' &&
      each(message).some((item) =>
        direction === 'sent'
          ? isAnswer(item)
          : 'id' in item && 'method' in item && !(typeof item.method === 'string' && own(notifications, item.method)),
      ),
  },
  {
    why: 'an empty batch passes (BP-20), and initialize inside a batch that a client sends (BP-22)',
    broken: (message, { direction }) =>
      Array.isArray(message) &&
      (message.length === 0 || (direction === 'sent' && each(message).some(({ method }) => method === 'initialize'))),
  },
  {
    why: 'resultType is any string (BP-42, BP-43), on any method (MRTR-01)',
    broken: (message, { revision, method = '' }) =>
      revision === '2026-07-28' &&
      each(message).some(({ result }) => {
        const type = isObject(result) ? result.resultType : undefined
        return (
          typeof type === 'string' && type !== 'complete' && !(type === 'input_required' && ASKING.includes(method))
        )
      }),
  },
  {
    why: 'an input_required result that neither asks nor has state passes (MRTR-08)',
    broken: (message, { revision }) =>
      revision === '2026-07-28' &&
      each(message).some(
        ({ result }) =>
          isObject(result) &&
          result.resultType === 'input_required' &&
          !('inputRequests' in result) &&
          !('requestState' in result),
      ),
  },
  {
    why: '101 completion values pass before 2026-07-28 (SF-COMP-04)',
    broken: (message, { method }) =>
      method === 'completion/complete' &&
      each(message).some((item) => {
        const values = completionValues(item)
        return Array.isArray(values) && values.length > 100
      }),
  },
]

/** The official examples of 2026-07-28, each with its definition. */
export const loadExamples = (): readonly {
  readonly definition: string
  readonly name: string
  readonly value: Json
}[] => {
  const root = join(folder, `examples-${REVISIONS.at(-1)}`)
  return readdirSync(root).flatMap((definition) =>
    readdirSync(join(root, definition)).map((name) => ({
      definition,
      name,
      value: JSON.parse(readFileSync(join(root, definition, name), 'utf8')) as Json,
    })),
  )
}
