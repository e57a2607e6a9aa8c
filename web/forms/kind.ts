/** The kind of field for a schema. */
import { alternativesOf, type Alternatives } from './branches.ts'
import type { Choice } from './choices.ts'
import { isObject, TYPES, typesOf, type JsonObject } from './json-schema.ts'
import type { Unresolved } from './resolve.ts'

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

export interface Sort {
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

export interface Condition {
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
