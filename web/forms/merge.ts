/**
 * Merges two schemas that apply to the same value into one that a form can show: `allOf`, the siblings of a `$ref`, an
 * alternative and its base, a condition. The validator never uses the result; it reads the schema as written.
 */
import { isObject, listOf, namesOf, typesOf, type Json, type JsonObject } from './json-schema.ts'
import { same } from '../json/index.ts'

/** Limits: the stricter one applies. */
const LARGER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'])
const SMALLER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'])
/** Keywords that can't be merged: both become members of `allOf`. */
const APART = new Set(['anyOf', 'oneOf', 'not', 'if', 'pattern', 'contains', 'multipleOf', 'dependencies'])
const SCHEMAS = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** For keywords that can occur only once, such as a title, `outer` wins. */
export const merge = (inner: JsonObject, outer: JsonObject): JsonObject => {
  if (Object.keys(inner).length === 0) return outer
  if (Object.keys(outer).length === 0) return inner
  const out: Record<string, Json> = { ...inner }
  const apart: Json[] = []
  for (const [keyword, value] of Object.entries(outer)) {
    const known = Object.hasOwn(inner, keyword) ? inner[keyword] : undefined
    if (known === undefined || known === value) {
      // `then` and `else` belong to their `if`.
      if ((keyword === 'then' || keyword === 'else') && 'if' in inner && 'if' in outer) continue
      out[keyword] = value
    } else if (APART.has(keyword)) {
      if (!same(known, value)) apart.push(groupOf(keyword, outer))
    } else if (keyword !== 'then' && keyword !== 'else') out[keyword] = both(keyword, known, value)
  }
  if (apart.length > 0) out['allOf'] = [...listOf(out['allOf']), ...apart]
  return out
}

const groupOf = (keyword: string, schema: JsonObject): JsonObject =>
  keyword === 'if'
    ? Object.fromEntries(['if', 'then', 'else'].flatMap((each) => (each in schema ? [[each, schema[each]!]] : [])))
    : { [keyword]: schema[keyword]! }

const both = (keyword: string, inner: Json, outer: Json): Json => {
  if (LARGER.has(keyword) && typeof inner === 'number' && typeof outer === 'number') return Math.max(inner, outer)
  if (SMALLER.has(keyword) && typeof inner === 'number' && typeof outer === 'number') return Math.min(inner, outer)
  if (SCHEMAS.has(keyword)) return isObject(inner) && isObject(outer) ? schemasOf(inner, outer) : outer
  switch (keyword) {
    case 'type':
      return commonType(inner, outer)
    case 'required':
      return Array.isArray(inner) && Array.isArray(outer) ? [...new Set([...namesOf(inner), ...namesOf(outer)])] : outer
    case 'enum': {
      if (!Array.isArray(inner) || !Array.isArray(outer)) return outer
      const common = listOf(inner).filter((one) => listOf(outer).some((other) => same(one, other)))
      return common
    }
    case 'items':
    case 'additionalItems':
    case 'additionalProperties':
    case 'propertyNames':
      return schemaOf(inner, outer)
    case 'allOf':
      return [...listOf(inner), ...listOf(outer)]
    case 'uniqueItems':
    case 'nullable':
      return inner === true || outer
    case 'dependentRequired':
      return isObject(inner) && isObject(outer) ? { ...inner, ...outer } : outer
    default:
      return outer
  }
}

const schemaOf = (inner: Json, outer: Json): Json => {
  if (inner === false || outer === false) return false
  if (inner === true || same(inner, outer)) return outer
  if (outer === true) return inner
  return isObject(inner) && isObject(outer) ? { allOf: [inner, outer] } : outer
}

const schemasOf = (inner: JsonObject, outer: JsonObject): JsonObject =>
  Object.fromEntries([
    ...Object.entries(inner).map(([key, value]): [string, Json] => [
      key,
      Object.hasOwn(outer, key) ? schemaOf(value, outer[key]!) : value,
    ]),
    ...Object.entries(outer).filter(([key]) => !Object.hasOwn(inner, key)),
  ])

/** The types that both allow. If there are none (a mistake of the server), the outer ones are shown. */
const commonType = (inner: Json, outer: Json): Json => {
  const [a, b] = [typesOf({ type: inner }), typesOf({ type: outer })]
  const common = b.flatMap((type) => {
    if (a.includes(type) || (type === 'integer' && a.includes('number'))) return [type]
    return type === 'number' && a.includes('integer') ? ['integer'] : []
  })
  if (common.length === 0) return outer
  return common.length === 1 ? common[0]! : common
}
