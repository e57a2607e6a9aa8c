/**
 * Whether the keywords of a schema have the form that their dialect gives them (JS-04): what its meta-schema checks.
 * Keywords that the dialect doesn't have are annotations, so anything may stand there.
 */
import { escapeToken } from '../json/index.ts'
import type { Dialect } from './json-schema.ts'
import { isObject, isSchema, type Json, type JsonObject, keywordSet, TYPES } from './json-schema.ts'

export interface KeywordFault {
  /** JSON pointer into the schema. */
  readonly pointer: string
  /** The form that the keyword must have, in English. */
  readonly expected: string
  readonly found: Json
}

const AGES: readonly Dialect[] = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12']
/** Keywords of later dialects, and those that a later one dropped. */
const SINCE: Readonly<Record<string, Dialect>> = {
  ...{ const: 'draft-06', contains: 'draft-06', propertyNames: 'draft-06', examples: 'draft-06', $id: 'draft-06' },
  ...{ if: 'draft-07', then: 'draft-07', else: 'draft-07', readOnly: 'draft-07', writeOnly: 'draft-07' },
  ...{ $defs: '2019-09', dependentSchemas: '2019-09', dependentRequired: '2019-09', minContains: '2019-09' },
  ...{ maxContains: '2019-09', unevaluatedItems: '2019-09', unevaluatedProperties: '2019-09', deprecated: '2019-09' },
  ...{ $anchor: '2019-09', contentSchema: '2019-09', prefixItems: '2020-12', $dynamicRef: '2020-12' },
}
const UNTIL: Readonly<Record<string, Dialect>> = { additionalItems: '2019-09', id: 'draft-04' }

const STRINGS = keywordSet('$id $ref $anchor $dynamicRef $schema id title description pattern format')
const COUNTS = keywordSet('minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains')
const NUMBERS = keywordSet('minimum maximum multipleOf')
const EXCLUSIVE = keywordSet('exclusiveMinimum exclusiveMaximum')
const FLAGS = keywordSet('uniqueItems deprecated readOnly writeOnly')
const SCHEMAS = keywordSet(
  'additionalProperties additionalItems not if then else contains propertyNames unevaluatedItems unevaluatedProperties ' +
    'contentSchema',
)
const MAPS = keywordSet('properties patternProperties definitions $defs dependentSchemas')
const LISTS = keywordSet('allOf anyOf oneOf prefixItems')

/** Schemas within a schema that are checked. */
const MOST_SCHEMAS = 20_000

/** @param most faults to find */
export const keywordFaults = (schema: JsonObject, dialect: Dialect, most = 10): readonly KeywordFault[] => {
  const faults: KeywordFault[] = []
  const open: (readonly [JsonObject, string])[] = [[schema, '']]
  // `open` grows while it is read.
  for (let at = 0; at < open.length && at < MOST_SCHEMAS && faults.length < most; at++) {
    const [each, pointer] = open[at]!
    for (const keyword in each) {
      if (faults.length >= most) break
      if (!isKnown(keyword, dialect)) continue
      const value = each[keyword]!
      const place = `${pointer}/${escapeToken(keyword)}`
      const expected = formOf(keyword, value, dialect)
      if (expected !== undefined) faults.push({ pointer: place, expected, found: value })
      else for (const [key, inner] of schemasIn(keyword, value)) open.push([inner, place + key])
    }
  }
  return faults
}

const isKnown = (keyword: string, dialect: Dialect): boolean => {
  const age = AGES.indexOf(dialect)
  const [since, until] = [own(SINCE, keyword), own(UNTIL, keyword)]
  return (since === undefined || AGES.indexOf(since) <= age) && (until === undefined || AGES.indexOf(until) >= age)
}

const own = (table: Readonly<Record<string, Dialect>>, keyword: string): Dialect | undefined =>
  Object.hasOwn(table, keyword) ? table[keyword] : undefined

/** The form that the value should have; `undefined` if it does. */
const formOf = (keyword: string, value: Json, dialect: Dialect): string | undefined => {
  const unless = (right: boolean, expected: string): string | undefined => (right ? undefined : expected)
  const early = dialect === 'draft-04'
  if (STRINGS.has(keyword)) return unless(typeof value === 'string', 'a string')
  if (COUNTS.has(keyword)) return unless(Number.isInteger(value) && (value as number) >= 0, 'an integer of 0 or more')
  if (FLAGS.has(keyword) || (early && EXCLUSIVE.has(keyword))) return unless(typeof value === 'boolean', 'a boolean')
  if (NUMBERS.has(keyword) || EXCLUSIVE.has(keyword)) {
    const right = typeof value === 'number' && (keyword !== 'multipleOf' || value > 0)
    return unless(right, keyword === 'multipleOf' ? 'a number above 0' : 'a number')
  }
  if (SCHEMAS.has(keyword)) return unless(isSchema(value), 'a schema')
  if (MAPS.has(keyword)) return unless(isObject(value) && Object.values(value).every(isSchema), 'an object of schemas')
  if (LISTS.has(keyword)) {
    return unless(Array.isArray(value) && value.length > 0 && value.every(isSchema), 'a list of schemas')
  }
  switch (keyword) {
    case 'type':
      return unless(
        isType(value) || (isUnique(value) && value.length > 0 && value.every(isType)),
        'a type, or a list of types',
      )
    case 'required':
      return unless(
        isUnique(value) && value.every(isString) && (value.length > 0 || !early),
        'a list of different names',
      )
    case 'enum':
    case 'examples':
      return unless(Array.isArray(value), 'a list of values')
    case 'items':
      if (Array.isArray(value) && dialect !== '2020-12')
        return unless(value.every(isSchema), 'a schema, or a list of schemas')
      return unless(
        isSchema(value),
        dialect === '2020-12' ? 'a schema (a list is prefixItems since 2020-12)' : 'a schema',
      )
    case 'dependentRequired':
      return unless(
        isObject(value) && Object.values(value).every((names) => isUnique(names) && names.every(isString)),
        'an object of lists of names',
      )
    default:
      return undefined
  }
}

const isString = (value: Json): boolean => typeof value === 'string'
const isType = (value: Json): boolean => typeof value === 'string' && TYPES.has(value)
const isUnique = (value: Json): value is readonly Json[] =>
  Array.isArray(value) && new Set(value as readonly Json[]).size === value.length

/** The schemas in a keyword, each with its pointer from there. */
const schemasIn = (keyword: string, value: Json): readonly (readonly [string, JsonObject])[] => {
  if (SCHEMAS.has(keyword) || (keyword === 'items' && isObject(value))) return isObject(value) ? [['', value]] : []
  if (MAPS.has(keyword) && isObject(value)) {
    return Object.entries(value).flatMap(([key, inner]) =>
      isObject(inner) ? [[`/${escapeToken(key)}`, inner] as const] : [],
    )
  }
  if ((LISTS.has(keyword) || keyword === 'items') && Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((inner, index) =>
      isObject(inner) ? [[`/${index}`, inner] as const] : [],
    )
  }
  return []
}
