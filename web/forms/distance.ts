/**
 * The distance of a value from a schema; 0 is a match. Used to choose an alternative for a value that may be half typed,
 * synchronously and with limited work. It isn't a verdict, which only the validator gives.
 */
import { isList, isRecord, NumberText, same, Unfinished, type Value, type ValueObject } from '../json/index.ts'
import { isObject, listOf, namesOf, typesOf, type JsonObject } from './json-schema.ts'
import type { Schemas } from './resolve.ts'
import { wrongFormat } from './format.ts'

/** The value has another type. */
const OTHER_TYPE = 1000
/** The value differs from a constant: alternatives are often told apart by one. */
const OTHER_CONSTANT = 300
/** Upper limit for one property or item. */
const PART = 15
/** More than a wrong value: a key that is present indicates the alternative that has it. */
const MISSING = 20
const FORBIDDEN = 30
/**
 * A distance below this is a match: a format or an undeclared key only decides between alternatives that both match.
 */
const FIT = 1
const HINT = 0.5
const UNKNOWN_KEY = 0.1

/** Maximum number of schemas visited for one distance. */
const MOST = 2000
const DEEPEST = 40
/** Maximum number of items and keys examined. */
const MOST_PARTS = 50

interface Walk {
  readonly schemas: Schemas
  left: number
}

const distance = (schema: unknown, value: Value, schemas: Schemas, most = MOST): number =>
  measure(schema, value, { schemas, left: most }, 0)

export const fits = (schema: unknown, value: Value, schemas: Schemas): boolean => distance(schema, value, schemas) < FIT

const measure = (schema: unknown, value: Value, walk: Walk, depth: number): number => {
  if (--walk.left < 0 || depth > DEEPEST) return 0
  const { schema: found, nullable, unresolved } = walk.schemas.resolve(schema)
  if (unresolved) return unresolved === 'never' ? OTHER_TYPE : HINT
  if (value instanceof Unfinished) return HINT
  if (value === null && nullable) return 0
  if ('const' in found && !same(plainOf(found['const']), plainOf(value))) return OTHER_CONSTANT
  const { enum: choices } = found
  if (Array.isArray(choices) && !choices.some((one) => same(one as Value, plainOf(value)))) {
    return choices.length === 1 ? OTHER_CONSTANT : ofType(found, value) ? PART : OTHER_TYPE
  }
  if (!ofType(found, value)) return OTHER_TYPE
  return (
    (isRecord(value)
      ? ofRecord(found, value, walk, depth)
      : isList(value)
        ? ofList(found, value, walk, depth)
        : ofScalar(found, value, walk)) + ofCombined(found, value, walk, depth)
  )
}

const plainOf = (value: Value): Value => (value instanceof NumberText ? value.number : value)

const typeOf = (value: Value): string =>
  value === null
    ? 'null'
    : value instanceof NumberText
      ? 'number'
      : isList(value)
        ? 'array'
        : isRecord(value)
          ? 'object'
          : typeof value

const ofType = (schema: JsonObject, value: Value): boolean => {
  const types = typesOf(schema)
  if (types.length === 0) return true
  const type = typeOf(value)
  return types.includes(type) || (type === 'number' && types.includes('integer') && Number.isInteger(plainOf(value)))
}

/** The distance of a property or item, limited unless a constant there distinguishes alternatives. */
const part = (schema: unknown, value: Value, walk: Walk, depth: number): number => {
  const found = measure(schema, value, walk, depth + 1)
  return found === OTHER_CONSTANT ? found : Math.min(found, PART)
}

const ofRecord = (schema: JsonObject, value: ValueObject, walk: Walk, depth: number): number => {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const patterns = isObject(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : []
  const additional = schema['additionalProperties']
  let far = 0
  let unknown = 0
  for (const key of namesOf(schema['required']).slice(0, MOST_PARTS)) if (!Object.hasOwn(value, key)) far += MISSING
  for (const [key, inner] of Object.entries(value).slice(0, MOST_PARTS)) {
    if (Object.hasOwn(properties, key)) {
      far += part(properties[key], inner, walk, depth)
      continue
    }
    const matching = patterns.filter(([pattern]) => walk.schemas.matches(pattern, key) === true)
    if (matching.length > 0) for (const [, each] of matching) far += part(each, inner, walk, depth)
    else if (additional === false) far += FORBIDDEN
    else if (isObject(additional)) far += part(additional, inner, walk, depth)
    else unknown += UNKNOWN_KEY
  }
  const keys = Object.keys(value).length
  const { minProperties: least, maxProperties: most } = schema
  if ((typeof least === 'number' && keys < least) || (typeof most === 'number' && keys > most)) far += 2
  return far + Math.min(unknown, HINT - UNKNOWN_KEY)
}

const ofList = (schema: JsonObject, value: readonly Value[], walk: Walk, depth: number): number => {
  const { items, prefixItems, additionalItems, minItems: least, maxItems: most } = schema
  const first = Array.isArray(prefixItems) ? listOf(prefixItems) : listOf(items)
  const rest = Array.isArray(items) ? additionalItems : items
  let far = 0
  for (const [at, item] of value.slice(0, MOST_PARTS).entries()) {
    const each = at < first.length ? first[at] : rest
    if (each !== undefined && each !== true) far += each === false ? FORBIDDEN : part(each, item, walk, depth)
  }
  const wrong = (typeof least === 'number' && value.length < least) || (typeof most === 'number' && value.length > most)
  return far + (wrong ? 2 : 0)
}

const ofScalar = (schema: JsonObject, value: Value, walk: Walk): number => {
  if (typeof value === 'string') {
    const { minLength: least, maxLength: most, pattern, format } = schema
    let far = 0
    if ((typeof least === 'number' && value.length < least) || (typeof most === 'number' && value.length > most)) far++
    if (typeof pattern === 'string' && walk.schemas.matches(pattern, value) === false) far++
    return far + (typeof format === 'string' && wrongFormat(format, value) ? HINT : 0)
  }
  const number = plainOf(value)
  if (typeof number !== 'number') return 0
  const limit = (keyword: string, wrong: (limit: number) => boolean): number => {
    const found = schema[keyword]
    return typeof found === 'number' && wrong(found) ? 1 : 0
  }
  return (
    limit('minimum', (least) => number < least) +
    limit('maximum', (most) => number > most) +
    limit('exclusiveMinimum', (least) => number <= least) +
    limit('exclusiveMaximum', (most) => number >= most)
  )
}

const ofCombined = (schema: JsonObject, value: Value, walk: Walk, depth: number): number => {
  let far = 0
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = listOf(schema[keyword])
    let nearest = Infinity
    for (const branch of branches) {
      nearest = Math.min(nearest, measure(branch, value, walk, depth + 1))
      if (nearest === 0) break
    }
    if (branches.length > 0) far += nearest
  }
  for (const member of listOf(schema['allOf'])) far += measure(member, value, walk, depth + 1)
  if ('not' in schema && measure(schema['not'], value, walk, depth + 1) < FIT) far += 5
  if ('if' in schema) {
    const branch = schema[measure(schema['if'], value, walk, depth + 1) < FIT ? 'then' : 'else']
    if (branch !== undefined) far += measure(branch, value, walk, depth + 1)
  }
  return far
}

/** Maximum number of schemas visited for all alternatives of one value. */
const MOST_IN_ALL = 6000

/** Index of the alternative nearest to a value; -1 if several are equally near or none is near enough. */
export const nearestOf = (branches: readonly unknown[], value: Value, schemas: Schemas): number => {
  const each = Math.max(50, Math.floor(MOST_IN_ALL / branches.length))
  const far = branches.map((branch) => distance(branch, value, schemas, each))
  const nearest = Math.min(...far)
  const at = far.indexOf(nearest)
  if (nearest < 1) return at
  // Another type than all of them, or equally far from several: any choice would be a guess.
  return nearest >= 1000 || far.indexOf(nearest, at + 1) >= 0 ? -1 : at
}

/** Index of the only alternative that isn't `null`, or -1. */
export const onlyReal = (branches: readonly unknown[]): number => {
  const real = branches.flatMap((branch, at) => (isObject(branch) && branch['type'] === 'null' ? [] : [at]))
  return real.length === 1 ? real[0]! : -1
}
