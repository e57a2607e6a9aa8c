/**
 * Makes one schema of a place in a schema: follows local references, and takes apart the few combinations that mean
 * something simple. Nothing is ever fetched (JS-05).
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** Why a place has no schema. */
export type Unresolved =
  /** A reference to nothing in this schema. */
  | 'unresolved'
  /** A reference to another document. */
  | 'remote'
  /** References that lead round in a circle. */
  | 'circular'
  | 'never'
  | 'invalid'

export interface Resolved {
  readonly schema: JsonObject
  readonly nullable: boolean
  readonly unresolved?: Unresolved
}

/** References followed for one place. */
const HOPS = 32

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isSchema = (value: unknown): value is JsonObject | boolean => typeof value === 'boolean' || isObject(value)

/** What `#/$defs/x` names in `root`: any place, for some servers refer to `#/properties/…`. `undefined`: nothing there. */
const lookUp = (reference: string, root: unknown): unknown => {
  const id = isObject(root) ? root['$id'] : undefined
  const local =
    typeof id === 'string' && id !== '' && reference.startsWith(`${id}#`) ? reference.slice(id.length) : reference
  if (local === '#' || local === '#/') return root
  if (!local.startsWith('#/')) return undefined
  let pointer: string
  try {
    pointer = decodeURIComponent(local.slice(2))
  } catch {
    pointer = local.slice(2)
  }
  let place = root
  for (const step of pointer.split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined
    place = (place as Record<string, unknown>)[key]
  }
  return place
}

/** Never throws, whatever stands there. */
export const resolve = (schema: unknown, root: unknown): Resolved => {
  let nullable = false
  for (let hops = 0; hops < HOPS; hops++) {
    if (schema === false) return { schema: {}, nullable, unresolved: 'never' }
    if (schema === true) return { schema: {}, nullable }
    if (!isObject(schema)) return { schema: {}, nullable, unresolved: 'invalid' }
    nullable ||= allowsNull(schema)
    const { $ref: reference, ...siblings } = schema
    if (typeof reference === 'string') {
      const target = lookUp(reference, root)
      if (target === undefined) {
        return { schema, nullable, unresolved: reference.startsWith('#') ? 'unresolved' : 'remote' }
      }
      // What stands beside a reference describes this use of it.
      schema = isObject(target) ? { ...target, ...siblings } : target
      continue
    }
    const simpler = simplify(schema)
    if (!simpler) return { schema, nullable }
    nullable ||= simpler.nullable
    schema = simpler.schema
  }
  return { schema: {}, nullable, unresolved: 'circular' }
}

const allowsNull = ({ type, nullable, enum: values, const: only }: JsonObject): boolean =>
  // `nullable` is OpenAPI's word, and reaches tools through generators.
  nullable === true ||
  type === 'null' ||
  only === null ||
  (Array.isArray(type) && type.includes('null')) ||
  (Array.isArray(values) && values.includes(null))

/** `allOf` of one, and `anyOf` or `oneOf` of something and null: how generators write a reference and "optional". */
const simplify = (schema: JsonObject): { schema: JsonObject | boolean; nullable: boolean } | undefined => {
  const { allOf, ...rest } = schema
  if (Array.isArray(allOf) && allOf.length === 1 && isObject(allOf[0])) {
    return { schema: { ...allOf[0], ...rest }, nullable: false }
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const { [keyword]: branches, ...others } = schema
    if (!Array.isArray(branches)) continue
    const kept = branches.filter((branch) => !(isObject(branch) && branch['type'] === 'null'))
    if (kept.length === 1 && isObject(kept[0])) {
      return { schema: { ...kept[0], ...others }, nullable: kept.length < branches.length }
    }
    if (kept.length < branches.length && kept.length > 1)
      return { schema: { ...others, [keyword]: kept }, nullable: true }
  }
  return undefined
}
