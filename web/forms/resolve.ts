/**
 * Resolves a subschema to a single schema: follows local references, merges `allOf`, and separates "this or null". Nothing is
 * ever fetched (JS-05).
 */
import {
  type Json,
  type JsonObject,
  type MatchPattern,
  isObject,
  listOf,
  namesOf,
  typesOf,
  without,
} from './json-schema.ts'
import { resolvePointer, same, percentDecoded } from '../json/index.ts'

/** Maximum number of objects searched for anchors and ids. */
const MOST = 20_000
const DEEPEST_NAMES = 200

/**
 * Looks up a `$ref` within one schema: a JSON pointer, an `$anchor`, the `$id` of an embedded schema, or a pointer into
 * one. Collects the schema's names once, on the first lookup of a name.
 */
class References {
  readonly #root: unknown
  #names: ReadonlyMap<string, unknown> | undefined

  constructor(root: unknown) {
    this.#root = root
  }

  /** `undefined` if the schema has no such name. */
  find(reference: string): unknown {
    const hash = reference.indexOf('#')
    const document = hash < 0 ? reference : reference.slice(0, hash)
    const fragment = hash < 0 ? '' : reference.slice(hash + 1)
    const place = document === '' ? this.#root : this.#named(document)
    if (place === undefined) return undefined
    if (fragment === '' || fragment === '/') return place
    if (fragment.startsWith('/')) return pointedBy(place, fragment)
    return this.#named(`#${fragment}`)
  }

  #named(name: string): unknown {
    this.#names ??= namesIn(this.#root)
    return this.#names.get(name) ?? (/^[a-z][a-z\d+.-]*:/i.test(name) ? undefined : this.#names.get(lastOf(name)))
  }
}

/** A pointer in a fragment, percent-encoded or not. */
const pointedBy = (place: unknown, fragment: string): unknown => resolvePointer(place, percentDecoded(fragment))

/**
 * A relative reference matches an absolute id with the same ending. If two ids end alike, it is
 * ambiguous and matches neither.
 */
const lastOf = (id: string): string => `…${id.replace(/#$/, '').split('/').at(-1)!}`

const namesIn = (root: unknown): ReadonlyMap<string, unknown> => {
  const names = new Map<string, unknown>()
  const add = (name: string, place: unknown) => names.set(name, names.has(name) ? undefined : place)
  let left = MOST
  const walk = (place: unknown, depth: number): void => {
    if (typeof place !== 'object' || place === null || depth > DEEPEST_NAMES || --left < 0) return
    if (isObject(place)) {
      const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = place
      if (typeof id === 'string' && id !== '') {
        // Draft 7 writes an anchor as an id: `#name`.
        names.set(id.replace(/#$/, ''), place)
        if (!id.startsWith('#')) add(lastOf(id), place)
      }
      for (const name of [anchor, dynamic]) if (typeof name === 'string') add(`#${name}`, place)
    }
    // Walks all keys, not only keywords: a name found outside a schema is harmless.
    for (const inner of Object.values(place)) walk(inner, depth + 1)
  }
  walk(root, 0)
  return names
}

/** A schema and the cached results of resolving its parts. */
export class Schemas {
  readonly root: unknown
  readonly matches: MatchPattern
  readonly #references: References
  readonly #resolved = new WeakMap<object, Resolved>()

  /**
   * @param matches a page can't match patterns itself, because they may never finish; by
   * default all matches are unknown
   */
  constructor(root: unknown, matches: MatchPattern = () => undefined) {
    this.root = root
    this.matches = matches
    this.#references = new References(root)
  }

  resolve(schema: unknown): Resolved {
    if (typeof schema !== 'object' || schema === null) return resolve(schema, this.#references)
    let resolved = this.#resolved.get(schema)
    if (!resolved) this.#resolved.set(schema, (resolved = resolve(schema, this.#references)))
    return resolved
  }
}

/** The reason why a subschema can't be resolved. */
export type Unresolved =
  /** The reference has no target in this schema. */
  | 'unresolved'
  /** A reference to another document. */
  | 'remote'
  /** References that form a loop. */
  | 'circular'
  | 'never'
  | 'invalid'

export interface Resolved {
  readonly schema: JsonObject
  readonly nullable: boolean
  readonly unresolved?: Unresolved
}

/** Maximum number of references followed for one subschema. */
const HOPS = 32
/** Maximum nesting of `allOf`, and maximum number of members in total. */
const DEEPEST = 16
const MOST_MEMBERS = 400

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** Never throws, whatever the schema contains. */
const resolve = (schema: unknown, references: References): Resolved =>
  follow(schema, references, 0, { left: MOST_MEMBERS })

const follow = (schema: unknown, references: References, depth: number, members: { left: number }): Resolved => {
  let nullable = false
  /** Members of `allOf` that can't be merged. */
  let apart: readonly JsonObject[] = []
  for (let hops = 0; hops < HOPS; hops++) {
    if (schema === false) return { schema: {}, nullable, unresolved: 'never' }
    if (schema === true) return { schema: {}, nullable }
    if (!isObject(schema)) return { schema: {}, nullable, unresolved: 'invalid' }
    nullable ||= allowsNull(schema)
    const keyword = REFERENCES.find((each) => typeof (schema as JsonObject)[each] === 'string')
    if (keyword) {
      const reference = schema[keyword] as string
      const target = references.find(reference)
      if (target === undefined) {
        return { schema, nullable, unresolved: reference.startsWith('#') ? 'unresolved' : 'remote' }
      }
      // The siblings of a reference describe this use of it.
      schema = isObject(target) ? merge(without(target, '$defs', 'definitions'), without(schema, keyword)) : target
      continue
    }
    if (listOf(schema['allOf']).length > 0) {
      const merged = mergeAll(schema, references, depth, members)
      if ('unresolved' in merged) return { schema, nullable, unresolved: merged.unresolved }
      ;({ apart } = merged)
      schema = merged.schema
      continue
    }
    const simpler = simplify(schema)
    if (!simpler) return { schema: apart.length > 0 ? { ...schema, allOf: apart } : schema, nullable }
    nullable ||= simpler.nullable
    schema = simpler.schema
  }
  return { schema: {}, nullable, unresolved: 'circular' }
}

const mergeAll = (
  schema: JsonObject,
  references: References,
  depth: number,
  members: { left: number },
): { schema: JsonObject; apart: readonly JsonObject[] } | { unresolved: Unresolved } => {
  if (depth >= DEEPEST) return { unresolved: 'circular' }
  let together: JsonObject = {}
  for (const member of listOf(schema['allOf'])) {
    if (--members.left < 0) return { unresolved: 'invalid' }
    const resolved = follow(member, references, depth + 1, members)
    // One unresolved member makes the whole schema unresolved, for the same reason.
    if (resolved.unresolved) return { unresolved: resolved.unresolved }
    together = merge(together, resolved.schema)
  }
  const all = merge(together, without(schema, 'allOf'))
  return { schema: without(all, 'allOf'), apart: listOf(all['allOf']).filter(isObject) }
}

const allowsNull = (schema: JsonObject): boolean =>
  // Generators add `nullable` from OpenAPI.
  schema['nullable'] === true ||
  typesOf(schema).includes('null') ||
  schema['const'] === null ||
  listOf(schema['enum']).includes(null)

/** Reduces an `anyOf` or `oneOf` of one schema, or of a schema and null: generators write "optional" this way. */
const simplify = (schema: JsonObject): { schema: JsonObject; nullable: boolean } | undefined => {
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = listOf(schema[keyword])
    if (branches.length === 0) continue
    const kept = branches.filter((branch) => !isNull(branch))
    const [only] = kept
    // The title of a choice isn't the title of the field: a list with one choice stays a list.
    if (kept.length === 1 && isObject(only) && !('const' in only && 'title' in only)) {
      return { schema: merge(only, without(schema, keyword)), nullable: kept.length < branches.length }
    }
    if (kept.length < branches.length && kept.length > 0)
      return { schema: { ...schema, [keyword]: kept }, nullable: true }
  }
  return undefined
}

const isNull = (branch: unknown): boolean =>
  isObject(branch) &&
  (branch['type'] === 'null' ||
    branch['const'] === null ||
    (listOf(branch['enum']).length === 1 && listOf(branch['enum'])[0] === null))

/** Limits: the stricter one applies. */
const LARGER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'])
const SMALLER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'])
/** Keywords that can't be merged: both become members of `allOf`. */
const APART = new Set(['anyOf', 'oneOf', 'not', 'if', 'pattern', 'contains', 'multipleOf', 'dependencies'])
const SCHEMAS = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/**
 * Merges two schemas that apply to the same value into one that a form can show: `allOf`, the siblings of a `$ref`, an
 * alternative and its base, a condition. The validator never uses the result; it reads the schema as written. For
 * keywords that can occur only once, such as a title, `outer` wins.
 */
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
