/**
 * Resolves a subschema to a single schema: follows local references, merges `allOf`, and separates "this or null". Nothing is
 * ever fetched (JS-05).
 */
import { isObject, listOf, typesOf, without, type JsonObject } from './json-schema.ts'
import { merge } from './merge.ts'
import type { References } from './reference.ts'

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
export const resolve = (schema: unknown, references: References): Resolved =>
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
