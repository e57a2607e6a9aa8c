/** The keywords of JSON Schema, grouped by how a change to them is judged, and helpers to read them. */
import { isObject } from '../mcp/index.ts'
import type { Json, JsonObject } from '../mcp/index.ts'
import type { Direction } from './schema-bounds.ts'

/** Keywords that are annotations only. */
export const WORDS: ReadonlySet<string> = new Set(['title', 'description'])
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$id',
  '$schema',
  '$anchor',
  '$defs',
  'definitions',
  'format',
  'contentEncoding',
  'contentMediaType',
])
/** Keywords judged together, or by their own rule below. */
export const OWN: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'pattern',
  'uniqueItems',
  'multipleOf',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'default',
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
])
/** Keywords of JSON Schema without a rule here: a change to one may mean anything. */
export const UNTOLD: ReadonlySet<string> = new Set([
  ...['not', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains', 'patternProperties', 'propertyNames'],
  ...['dependencies', 'dependentRequired', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['$dynamicRef', '$recursiveRef', 'additionalItems'],
])

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

export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
