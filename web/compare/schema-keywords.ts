/** The keywords of JSON Schema, grouped by how a change to them is judged, and helpers to read them. */
import { isObject, type Json, type JsonObject } from '../mcp/index.ts'

/** Keywords, written as a list of words. */
const keywords = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')))

/** Keywords that are annotations only. */
export const WORDS = keywords('title description')
export const ANNOTATIONS = keywords(
  'examples example deprecated readOnly writeOnly format contentEncoding contentMediaType',
  '$comment $id $schema $anchor $defs definitions',
)
/** Keywords judged together, or by their own rule below. */
export const OWN = keywords(
  'type enum const properties required additionalProperties items prefixItems pattern uniqueItems',
  'multipleOf anyOf oneOf allOf $ref default minimum maximum exclusiveMinimum exclusiveMaximum',
  'minLength maxLength minItems maxItems minProperties maxProperties',
)
/** Keywords of JSON Schema without a rule here: a change to one may mean anything. */
export const UNTOLD = keywords(
  'not if then else contains minContains maxContains patternProperties propertyNames additionalItems',
  'dependencies dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties $dynamicRef $recursiveRef',
)

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

/** `undefined` if any type is allowed. */
export const typesOf = ({ type }: JsonObject): ReadonlySet<string> | undefined => {
  const named = typeof type === 'string' ? [type] : Array.isArray(type) ? (type as readonly Json[]) : undefined
  if (!named) return undefined
  const set = new Set(named.filter((each) => typeof each === 'string'))
  // Listing all types isn't a constraint.
  return TYPES.every((each) => within(each, set)) ? undefined : set
}

/** An array that is empty or contains something other than types: validators differ. */
export const isOddType = (type: Json | undefined): boolean =>
  Array.isArray(type) && (type.length === 0 || type.some((each) => typeof each !== 'string'))

export const within = (type: string, set: ReadonlySet<string>): boolean =>
  set.has(type) || (type === 'integer' && set.has('number'))

export const valuesOf = (schema: JsonObject): ReadonlySet<string> | undefined => {
  const listed = Array.isArray(schema.enum) ? new Set((schema.enum as readonly Json[]).map(key)) : undefined
  if (schema.const === undefined) return listed
  const only = key(schema.const)
  return new Set(listed && !listed.has(only) ? [] : [only])
}

export const directionOfSets = (
  was: ReadonlySet<string> | undefined,
  is: ReadonlySet<string> | undefined,
  holds: (value: string, set: ReadonlySet<string>) => boolean,
): Direction | undefined => {
  if (!was || !is) return was ? 'widened' : is ? 'narrowed' : undefined
  const more = [...was].every((value) => holds(value, is))
  const less = [...is].every((value) => holds(value, was))
  return more && less ? undefined : more ? 'widened' : less ? 'narrowed' : 'other'
}

/** Produces the same string for equal values, whatever the order of their keys. Works at any depth. */
export const key = (value: Json | undefined): string => {
  const told: string[] = []
  const todo: (Json | undefined | Fragment)[] = [value]
  while (todo.length > 0) {
    const next = todo.pop()
    if (next instanceof Fragment) told.push(next.text)
    else if (Array.isArray(next)) {
      const items = next as readonly Json[]
      todo.push(new Fragment(']'))
      for (let at = items.length - 1; at >= 0; at--) todo.push(new Fragment(','), items[at])
      todo.push(new Fragment('['))
    } else if (isObject(next)) {
      const names = Object.keys(next).toSorted()
      todo.push(new Fragment('}'))
      for (const name of names.toReversed())
        todo.push(new Fragment(','), next[name], new Fragment(`${JSON.stringify(name)}:`))
      todo.push(new Fragment('{'))
    } else told.push(JSON.stringify(next) ?? '')
  }
  return told.join('')
}

/** A literal string among the values still to be serialized. */
class Fragment {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Reads an own property, ignoring what all objects inherit. */
export const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

// Compares the bounds of two JSON Schemas: numbers, lengths and counts.

/** `other`: neither narrower nor wider, or undecidable. */
export type Direction = 'narrowed' | 'widened' | 'other'

interface Moved {
  /** The keyword whose value changed. */
  readonly keyword: string
  readonly low?: Direction
  readonly high?: Direction
}

interface Limit {
  readonly at: number
  readonly open: boolean
}

const LENGTHS = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

/** The bounds that differ. */
export const boundsOf = (was: JsonObject, is: JsonObject): readonly Moved[] => {
  const moved: Moved[] = []
  const low = moveOf(lowest(was), lowest(is), 1)
  if (low) moved.push({ keyword: named(was, is, 'minimum', 'exclusiveMinimum'), low })
  const high = moveOf(highest(was), highest(is), -1)
  if (high) moved.push({ keyword: named(was, is, 'maximum', 'exclusiveMaximum'), high })
  for (const [min, max] of LENGTHS) {
    // A minimum of 0 isn't a constraint: no length is below 0.
    const least = moveOf(limit(was[min], 0), limit(is[min], 0), 1)
    if (least) moved.push({ keyword: min, low: least })
    const most = moveOf(limit(was[max]), limit(is[max]), -1)
    if (most) moved.push({ keyword: max, high: most })
  }
  const step = stepOf(was.multipleOf, is.multipleOf)
  if (step) moved.push({ keyword: 'multipleOf', low: step })
  return moved
}

export const directionOfBounds = (low: Direction | undefined, high: Direction | undefined): Direction | undefined =>
  low === undefined || high === undefined || low === high ? (low ?? high) : 'other'

const named = (was: JsonObject, is: JsonObject, plain: string, open: string): string =>
  plain in is || (plain in was && !(open in is)) ? plain : open

const limit = (value: Json | undefined, none?: number): Limit | undefined =>
  typeof value === 'number' && value !== none ? { at: value, open: false } : undefined

/** In draft 4, `exclusiveMinimum: true` makes `minimum` exclusive. */
const lowest = ({ minimum, exclusiveMinimum }: JsonObject): Limit | undefined =>
  stricter(
    typeof minimum === 'number' ? { at: minimum, open: exclusiveMinimum === true } : undefined,
    typeof exclusiveMinimum === 'number' ? { at: exclusiveMinimum, open: true } : undefined,
    1,
  )

const highest = ({ maximum, exclusiveMaximum }: JsonObject): Limit | undefined =>
  stricter(
    typeof maximum === 'number' ? { at: maximum, open: exclusiveMaximum === true } : undefined,
    typeof exclusiveMaximum === 'number' ? { at: exclusiveMaximum, open: true } : undefined,
    -1,
  )

/** Above 0: `one` is stricter. @param sign 1 for lower bounds, -1 for upper bounds */
const order = (one: Limit, other: Limit, sign: 1 | -1): number =>
  one.at === other.at ? Number(one.open) - Number(other.open) : sign * (one.at - other.at)

const stricter = (one: Limit | undefined, other: Limit | undefined, sign: 1 | -1): Limit | undefined =>
  one && other ? (order(one, other, sign) >= 0 ? one : other) : (one ?? other)

const moveOf = (was: Limit | undefined, is: Limit | undefined, sign: 1 | -1): Direction | undefined => {
  if (!was || !is) return is ? 'narrowed' : was ? 'widened' : undefined
  const by = order(is, was, sign)
  return by > 0 ? 'narrowed' : by < 0 ? 'widened' : undefined
}

const stepOf = (was: Json | undefined, is: Json | undefined): Direction | undefined => {
  const [before, after] = [was, is].map((each) => (typeof each === 'number' && each > 0 ? each : undefined))
  if (before === undefined || after === undefined)
    return after === undefined ? (before === undefined ? undefined : 'widened') : 'narrowed'
  if (before === after) return undefined
  // With fractions, the result is undecidable.
  if (!Number.isInteger(before) || !Number.isInteger(after)) return 'other'
  return before % after === 0 ? 'widened' : after % before === 0 ? 'narrowed' : 'other'
}

// Whether schemas have no value in common, as far as a quick check can tell.

/** Maximum number of schemas to compare in pairs. */
const MOST = 60

/** Also false if undecidable. */
export const exclusive = (schemas: readonly Json[]): boolean =>
  schemas.length <= MOST &&
  schemas.every((one, at) =>
    schemas.slice(at + 1).every((other) => isObject(one) && isObject(other) && apart(one, other)),
  )

const apart = (one: JsonObject, other: JsonObject): boolean => {
  const [types, otherTypes] = [typesOf(one), typesOf(other)]
  if (types && otherTypes && !reach(types, otherTypes) && !reach(otherTypes, types)) return true
  if (noneShared(one, other)) return true
  // Objects are disjoint if a property that both require can't have the same value.
  if (!only(types, 'object') || !only(otherTypes, 'object')) return false
  return needed(one).some((name) => {
    if (!needed(other).includes(name)) return false
    const [mine, theirs] = [propertyOf(one, name), propertyOf(other, name)]
    return mine !== undefined && theirs !== undefined && noneShared(mine, theirs)
  })
}

const reach = (types: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...types].some((type) => within(type, others))

const only = (types: ReadonlySet<string> | undefined, type: string) => types?.size === 1 && types.has(type)

const noneShared = (one: JsonObject, other: JsonObject): boolean => {
  const [mine, theirs] = [valuesOf(one), valuesOf(other)]
  return mine !== undefined && theirs !== undefined && ![...mine].some((value) => theirs.has(value))
}

const needed = ({ required }: JsonObject): readonly Json[] =>
  Array.isArray(required) ? (required as readonly Json[]) : []

const propertyOf = ({ properties }: JsonObject, name: Json): JsonObject | undefined => {
  const schema = isObject(properties) && typeof name === 'string' ? own(properties, name) : undefined
  return isObject(schema) ? schema : undefined
}
