/** The alternatives of a schema (`anyOf`, `oneOf` or several types), and their names. */
import {
  isObject,
  listOf,
  namesOf,
  TYPES,
  typesOf,
  without,
  wordsOf,
  type Json,
  type JsonObject,
} from './json-schema.ts'
import { merge } from './merge.ts'
import type { Schemas } from './schemas.ts'

/** How an alternative is distinguished from the others, in the schema's words. */
export type BranchName =
  | { readonly by: 'title' | 'type'; readonly text: string }
  /** A property whose value identifies this alternative. */
  | { readonly by: 'constant'; readonly key: string; readonly value: Json }
  | { readonly by: 'value'; readonly value: Json }
  | { readonly by: 'keys'; readonly keys: readonly string[] }
  | { readonly by: 'position' }

export interface Alternatives {
  readonly keyword: 'anyOf' | 'oneOf' | 'type'
  /** The alternatives as written in the schema. */
  readonly branches: readonly unknown[]
  /** Each alternative merged with the base. */
  readonly whole: readonly unknown[]
  /** The keywords that apply to all alternatives. */
  readonly base: JsonObject
}

/** Keywords that change which field an alternative needs. */
const SHAPING = [
  '$ref',
  '$dynamicRef',
  'type',
  'properties',
  'enum',
  'const',
  'items',
  'prefixItems',
  'additionalProperties',
  'patternProperties',
  'anyOf',
  'oneOf',
  'allOf',
]

/** `undefined` if there are none, or if they only restrict what the base already shows. */
export const alternativesOf = (schema: JsonObject): Alternatives | undefined => {
  const shaped = ['properties', 'type', 'items', 'prefixItems'].some((keyword) => keyword in schema)
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const branches = listOf(schema[keyword])
    if (branches.length < 2) continue
    const base = without(schema, keyword)
    const shapes = branches.filter((branch) => isObject(branch) && SHAPING.some((each) => each in branch))
    if (shapes.length === 0 && (shaped || branches.some((branch) => !isObject(branch) || !('required' in branch))))
      continue
    // The title of the schema isn't the title of its alternatives.
    const bound = without(base, 'title', 'description', 'default', 'examples')
    const whole = branches.map((branch) => (isObject(branch) ? withBase(branch, bound) : branch))
    return { keyword, branches, whole, base }
  }
  const types = typesOf(schema).filter((type) => type !== 'null')
  if (types.length < 2 || types.some((type) => typeof type !== 'string' || !TYPES.has(type))) return undefined
  const base = without(schema, 'type')
  const branches = types.map((type): JsonObject => ({ type }))
  return { keyword: 'type', branches, whole: types.map((type): JsonObject => ({ ...base, type })), base }
}

/** References are merged when they are resolved, because their target may have a title of its own. */
const withBase = (branch: JsonObject, base: JsonObject): JsonObject =>
  Object.keys(base).length === 0 ? branch : { allOf: [base, branch] }

/** Names an alternative by its title, a constant, its `$ref`, its keys or its type. */
export const nameOf = (branch: unknown, schemas: Schemas): BranchName => {
  const { schema, unresolved } = schemas.resolve(branch)
  const title = wordsOf(isObject(branch) ? branch['title'] : undefined) ?? wordsOf(schema['title'])
  if (title !== undefined) return { by: 'title', text: title }
  const constant = constantOf(schema, schemas)
  if (constant) return { by: 'constant', ...constant }
  const reference = isObject(branch) ? branch['$ref'] : undefined
  if (typeof reference === 'string') {
    const last = reference.split(/[/#]/).findLast((part) => part !== '')
    if (last !== undefined) return { by: 'title', text: last }
  }
  if (unresolved) return { by: 'position' }
  if ('const' in schema) return { by: 'value', value: schema['const']! }
  const keys = namesOf(schema['required'])
  const own = isObject(schema['properties']) ? Object.keys(schema['properties']) : []
  if (keys.length > 0) return { by: 'keys', keys }
  if (own.length > 0) return { by: 'keys', keys: own }
  const type = typeText(schema, schemas)
  return type === undefined ? { by: 'position' } : { by: 'type', text: type }
}

/** The property whose constant identifies the alternative. */
const constantOf = (schema: JsonObject, schemas: Schemas): { key: string; value: Json } | undefined => {
  const { properties } = schema
  if (!isObject(properties)) return undefined
  for (const [key, inner] of Object.entries(properties).slice(0, 20)) {
    const { schema: found } = schemas.resolve(inner)
    if ('const' in found) return { key, value: found['const']! }
    if (listOf(found['enum']).length === 1) return { key, value: listOf(found['enum'])[0]! }
  }
  return undefined
}

/** `string`, `string (date)`, `integer[]`. */
const typeText = (schema: JsonObject, schemas: Schemas): string | undefined => {
  const type = wordsOf(schema['type']) ?? (listOf(schema['enum']).length > 0 ? 'enum' : undefined)
  if (type === undefined) return undefined
  const format = wordsOf(schema['format'])
  if (type === 'array' && isObject(schema['items'])) {
    const inner = schemas.resolve(schema['items']).schema
    const item = wordsOf(inner['title']) ?? wordsOf(inner['type'])
    if (item !== undefined) return `${item}[]`
  }
  return format === undefined ? type : `${type} (${format})`
}

/** Whether all alternatives are objects, which makes their base an object as well. */
export const allObjects = ({ branches, base }: Alternatives, schemas: Schemas): boolean =>
  base['type'] === 'object' ||
  branches.every((branch) => {
    const { schema } = schemas.resolve(branch)
    return schema['type'] === 'object' || (schema['type'] === undefined && isObject(schema['properties']))
  })

export const baseOf = ({ base }: Alternatives): JsonObject => merge({ type: 'object' }, base)
