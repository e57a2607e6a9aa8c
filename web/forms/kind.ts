/**
 * The kind of field for a schema, and what it lets the user choose from: the values of a list (`enum`, `const`, and the
 * titled form `oneOf: [{ const, title }]`), or alternative schemas (`anyOf`, `oneOf` or several types) with their names.
 */
import {
  type Json,
  type JsonObject,
  TYPES,
  isObject,
  keywordSet,
  listOf,
  namesOf,
  typesOf,
  without,
  wordsOf,
} from './json-schema.ts'
import { type Schemas, type Unresolved, merge } from './resolve.ts'

export type Kind =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'null'
  | 'enum'
  | 'array'
  | 'object'
  /** One of several schemas. */
  | 'union'
  | 'json'

/** Why a part is edited as JSON. */
export type Reason =
  /** The schema allows anything. */
  | 'any'
  /** `not`, or alternatives that don't define a shape. */
  | 'combined'
  /** `false`: nothing is allowed. */
  | 'never'
  /** Not a schema, or an unknown type. */
  | 'invalid'
  /** Deeper, or with more alternatives, than a form can show. */
  | 'deep'
  | 'many'
  | Unresolved

/** Maximum number of alternatives at one place. */
export const WIDEST = 400

/** The kind implied by the keywords of a schema without `type`. */
const SHAPES: readonly (readonly [Kind, readonly string[]])[] = [
  ['object', ['properties', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['pattern', 'minLength', 'maxLength', 'contentEncoding']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]
const COMBINING = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'dependentSchemas', 'dependencies'] as const

interface Sort {
  readonly kind: Kind
  readonly reason?: Reason
  readonly alternatives?: Alternatives
}

export const sortOf = (schema: JsonObject, choices: readonly Choice[]): Sort => {
  if (choices.length > 0) return { kind: 'enum' }
  // It allows nothing; the verdict reports any value.
  if (Array.isArray(schema['enum'])) return { kind: 'json', reason: 'never' }
  const types = typesOf(schema)
  if (types.some((name) => typeof name !== 'string' || !TYPES.has(name))) return { kind: 'json', reason: 'invalid' }
  const alternatives = alternativesOf(schema)
  if (alternatives) {
    if (alternatives.whole.length > WIDEST) return { kind: 'json', reason: 'many' }
    return { kind: 'union', alternatives }
  }
  const [type] = types.filter((name) => name !== 'null')
  if (type !== undefined) return { kind: type as Kind }
  if (types.includes('null')) return { kind: 'null' }
  if (schema['not'] === true || (isObject(schema['not']) && Object.keys(schema['not']).length === 0))
    return { kind: 'json', reason: 'never' }
  for (const [kind, keywords] of SHAPES) {
    if (keywords.some((keyword) => keyword in schema)) return { kind }
  }
  return { kind: 'json', reason: COMBINING.some((keyword) => keyword in schema) ? 'combined' : 'any' }
}

/** Keywords that restrict a field beyond what it shows. An object's fields already show its conditions. */
export const beyondOf = (schema: JsonObject, kind: Kind): readonly string[] => {
  if (kind === 'json' || kind === 'enum' || kind === 'union') return []
  return COMBINING.filter((keyword) => {
    if (!(keyword in schema)) return false
    if (kind !== 'object') return true
    if (keyword === 'allOf') return !conditionsIn(schema).some(({ own }) => !own)
    return keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'not'
  })
}

interface Condition {
  readonly test: unknown
  readonly then: unknown
  readonly else: unknown
  /** It is in the schema itself rather than in its `allOf`. */
  readonly own: boolean
}

/** Every `if` that applies to a value. */
export const conditionsIn = (schema: JsonObject): readonly Condition[] => {
  const of = (place: JsonObject, own: boolean): readonly Condition[] =>
    'if' in place ? [{ test: place['if'], then: place['then'], else: place['else'], own }] : []
  const members = Array.isArray(schema['allOf']) ? schema['allOf'] : []
  return [...of(schema, true), ...members.flatMap((member) => (isObject(member) ? of(member, false) : []))]
}

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
  ...keywordSet(
    '$ref $dynamicRef type properties enum const items prefixItems additionalProperties patternProperties anyOf ' +
      'oneOf allOf',
  ),
]

/** `undefined` if there are none, or if they only restrict what the base already shows. */
const alternativesOf = (schema: JsonObject): Alternatives | undefined => {
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

export interface Choice {
  readonly value: Json
  /** The schema's title for the value. */
  readonly title?: string
}

export const choicesOf = (schema: JsonObject): readonly Choice[] => {
  const { enum: values, enumNames: names } = schema
  if ('const' in schema) return [titled(schema['const'], undefined)]
  if (Array.isArray(values)) {
    return (values as readonly Json[]).map((value, at) => titled(value, listOf(names)[at]))
  }
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = listOf(schema[keyword])
    if (branches.length === 0) continue
    if (!branches.every((branch): branch is JsonObject => isObject(branch) && valuesOf(branch) !== undefined)) continue
    return branches.flatMap((branch) => {
      const each = valuesOf(branch)!
      return each.map((value) => titled(value, each.length === 1 ? branch['title'] : undefined))
    })
  }
  return []
}

/** Annotations, which don't restrict the value. */
const SILENT = new Set(['title', 'description', 'type', 'deprecated', '$comment', 'examples', 'default'])

/** The values of an alternative that only lists values. */
const valuesOf = (branch: JsonObject): readonly Json[] | undefined => {
  if ('const' in branch) return [branch['const']!]
  const { enum: values } = branch
  if (!Array.isArray(values) || Object.keys(branch).some((keyword) => keyword !== 'enum' && !SILENT.has(keyword)))
    return undefined
  return values as readonly Json[]
}

const titled = (value: Json, title: Json | undefined): Choice => {
  const words = wordsOf(title)
  return words === undefined || words === value ? { value } : { value, title: words }
}
