/**
 * Values taken from a schema rather than from the user: those with which a form starts, and those that "Fill with examples"
 * adds. Nothing is invented that the schema doesn't allow.
 */
import { isRecord, type Value } from '../json/index.ts'
import { choiceOf } from './control.ts'
import { isObject, namesOf, type JsonObject } from './json-schema.ts'
import { argumentsField, type Field } from './model.ts'

/** Maximum number of values made for one form. */
const MOST = 500
/** Conditions that depend on each other. */
const ROUNDS = 4
/** Levels of nested objects and arrays that are filled. */
const DEEPEST = 8

/** Properties of a schema for which values are made. Reading more would take longer than a keystroke may. */
const MOST_PROPERTIES = 2_000

/** The fields of a tool's arguments, for the two functions below; `undefined` if there are too many. */
export const sampledField = (schema: JsonObject): Field | undefined => {
  let left = MOST_PROPERTIES
  const { properties } = schema
  for (const key in isObject(properties) ? properties : {}) if (key !== '' && left-- === 0) return undefined
  return argumentsField(schema)
}

/**
 * The required choices that have a default, set to it: leaving one out would only be reported as missing. `undefined` if
 * there are none. Everything else starts absent.
 */
export const startingValue = (field: Field): Value | undefined => {
  if (field.kind !== 'object') return undefined
  const chosen = namesOf(field.schema['required'])
    .slice(0, MOST)
    .filter((key) => field.declares(key))
    .map((key) => field.property(key))
    .filter(({ field: { kind } }) => kind === 'enum')
    .flatMap(({ key, field }): [string, Value][] =>
      field.default !== undefined && choiceOf(field, field.default) >= 0 ? [[key, field.default]] : [],
    )
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen)
}

/**
 * A value in which what is absent is filled in: with examples and defaults, and if required, with a value of its type. What
 * the user entered is kept. The same value if there is nothing to add.
 */
export const withExamples = (field: Field, value: Value | undefined): Value | undefined => {
  const left = { values: MOST }
  // What is filled in may meet a condition that adds more fields.
  for (let round = 0; round < ROUNDS; round++) {
    const next = filled(field, value, left)
    if (next === undefined) break
    value = next
  }
  return value
}

/** @returns `undefined` if there is nothing to add */
const filled = (field: Field, value: Value | undefined, left: { values: number }): Value | undefined => {
  if (field.kind !== 'object' || !(value === undefined || isRecord(value)) || field.depth > DEEPEST) return undefined
  const effective = field.under(value)
  const added: [string, Value][] = []
  for (const key of effective.keys) {
    if (left.values <= 0) break
    left.values--
    const { field: inner, required } = effective.property(key)
    const now = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
    const next = now === undefined ? sampleOf(inner, required, left) : filled(inner, now, left)
    if (next !== undefined) added.push([key, next])
  }
  if (added.length === 0) return undefined
  return { ...(isRecord(value) ? value : {}), ...Object.fromEntries(added) }
}

/** @param needed without an example or a default, make one up */
const sampleOf = (field: Field, needed: boolean, left: { values: number }): Value | undefined => {
  const [given] = [...field.examples, ...(field.default === undefined ? [] : [field.default])].filter((each) =>
    field.fits(each),
  )
  if (given !== undefined || !needed) return given
  const made = madeUp(field, left)
  return made !== undefined && field.fits(made) ? made : undefined
}

const madeUp = (field: Field, left: { values: number }): Value | undefined => {
  if (left.values-- <= 0 || field.depth > DEEPEST) return undefined
  switch (field.kind) {
    case 'string':
      return textFor(field)
    case 'number':
    case 'integer':
      return numberFor(field)
    case 'boolean':
      return false
    case 'null':
      return null
    case 'enum':
      return field.choices[0]?.value
    case 'array':
      return listFor(field, left)
    case 'object':
      return filled(field, undefined, left) ?? {}
    case 'union': {
      const [first] = field.branches
      return first && sampleOf(first.field, true, left)
    }
    case 'json':
      return undefined
  }
}

/** By `format` (JSON Schema 2020-12 Validation, section 7.3). Names and addresses are those reserved for documentation. */
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'user@example.com',
  'idn-email': 'user@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/example',
  iri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/example',
}

/** Characters of a text that is made up. */
const LONGEST = 1000

const textFor = ({ schema }: Field): string | undefined => {
  const { format, pattern, minLength, maxLength } = schema
  // A text that matches can't be derived from a pattern.
  if (pattern !== undefined) return undefined
  if (typeof format === 'string' && Object.hasOwn(FORMATS, format)) return FORMATS[format]
  const least = typeof minLength === 'number' ? minLength : 0
  const most = typeof maxLength === 'number' ? maxLength : LONGEST
  return least > LONGEST ? undefined : 'example'.repeat(Math.max(1, Math.ceil(least / 7))).slice(0, Math.max(least, Math.min(7, most))) // prettier-ignore
}

const numberFor = ({ schema, kind }: Field): number | undefined => {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1
  const low = typeof minimum === 'number' ? minimum : -Infinity
  const above = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : -Infinity
  const high =
    typeof maximum === 'number' ? maximum : typeof exclusiveMaximum === 'number' ? exclusiveMaximum : Infinity
  const wanted = Math.min(Math.max(1, low, above), high)
  const candidates = [wanted, Math.ceil(wanted / step) * step, Math.floor(wanted / step) * step]
  const next = [above + step, (above + high) / 2, high - step].filter(Number.isFinite)
  return [...candidates, ...next].find(
    (each) =>
      each >= low &&
      each > above &&
      each <= high &&
      !(typeof exclusiveMaximum === 'number' && each >= exclusiveMaximum) &&
      (kind === 'number' || Number.isInteger(each)) &&
      (typeof multipleOf !== 'number' || Number.isInteger(each / multipleOf)),
  )
}

/** Items of a made-up list. */
const ITEMS = 10

const listFor = (field: Field, left: { values: number }): Value | undefined => {
  const { minItems, maxItems } = field.schema
  const least = Math.max(field.tuple, typeof minItems === 'number' ? minItems : maxItems === 0 ? 0 : 1)
  if (least > ITEMS) return undefined
  const items: Value[] = []
  for (let at = 0; at < least; at++) {
    const item = field.item(at)
    const value = item && sampleOf(item, true, left)
    if (value === undefined) return typeof minItems === 'number' && minItems > 0 ? undefined : []
    items.push(value)
  }
  return items
}
