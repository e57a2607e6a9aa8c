/** The alternatives of a place: `anyOf`, `oneOf`, or several types; and what each is called. */
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

/** What tells one alternative from the others, in the schema's words. */
export type BranchName =
  | { readonly by: 'title' | 'type'; readonly text: string }
  /** A property that has one value only in this alternative. */
  | { readonly by: 'constant'; readonly key: string; readonly value: Json }
  | { readonly by: 'value'; readonly value: Json }
  | { readonly by: 'keys'; readonly keys: readonly string[] }
  | { readonly by: 'position' }

export interface Alternatives {
  readonly keyword: 'anyOf' | 'oneOf' | 'type'
  /** What each asks by itself. */
  readonly branches: readonly unknown[]
  /** Each with what holds whichever is chosen. */
  readonly whole: readonly unknown[]
  /** What holds whichever is chosen. */
  readonly base: JsonObject
}

/** Keywords that give a value its shape, so that a field differs with the alternative. */
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

/** `undefined`: there are none, or they only bind what the base shows anyway. */
export const alternativesOf = (schema: JsonObject): Alternatives | undefined => {
  const shaped = ['properties', 'type', 'items', 'prefixItems'].some((keyword) => keyword in schema)
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const branches = listOf(schema[keyword])
    if (branches.length < 2) continue
    const base = without(schema, keyword)
    const shapes = branches.filter((branch) => isObject(branch) && SHAPING.some((each) => each in branch))
    if (shapes.length === 0 && (shaped || branches.some((branch) => !isObject(branch) || !('required' in branch))))
      continue
    // A title of the whole is no title of its alternatives.
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

/** A reference is merged where it is resolved; what it refers to may have a title of its own. */
const withBase = (branch: JsonObject, base: JsonObject): JsonObject =>
  Object.keys(base).length === 0 ? branch : { allOf: [base, branch] }

/** @param others all the alternatives, this one among them */
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

/** The property that says which alternative this is. */
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

/** Whether all alternatives are objects: their base is then one, too. */
export const allObjects = ({ branches, base }: Alternatives, schemas: Schemas): boolean =>
  base['type'] === 'object' ||
  branches.every((branch) => {
    const { schema } = schemas.resolve(branch)
    return schema['type'] === 'object' || (schema['type'] === undefined && isObject(schema['properties']))
  })

export const baseOf = ({ base }: Alternatives): JsonObject => merge({ type: 'object' }, base)
