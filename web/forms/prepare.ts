/**
 * Makes a server's schema safe to check with.
 *
 * The validator trusts its schema: it writes marks into it, throws at keywords of a wrong type, and runs patterns and
 * alternatives for as long as they take. So it gets a copy, made by keyword position, in which every keyword has the
 * type it should have, every pattern is answered beforehand, and every visit of a schema looks at the clock.
 */
import { matcher } from './pattern.ts'
import { isObject, isSchema, type JsonObject } from './json-schema.ts'
import type { Note, Unchecked } from './verdict.ts'

/** Schemas in a schema. */
const MOST_SCHEMAS = 20_000
const DEEPEST = 200
/** Strings and characters to try patterns on. */
const MOST_STRINGS = 2000
const MOST_CHARACTERS = 200_000

/** Why checking stopped. */
export class Stopped extends Error {
  readonly code: Unchecked['code']
  readonly detail: string | undefined

  constructor(code: Unchecked['code'], detail?: string) {
    super(code)
    this.code = code
    this.detail = detail
  }
}

export interface Prepared {
  readonly schema: Mutable | boolean
  /** Every copied schema. */
  readonly nodes: readonly Mutable[]
  readonly notes: readonly Note[]
  /** The original of each pattern, by what stands for it. */
  readonly patterns: ReadonlyMap<string, string>
  readonly hasFormat: boolean
}

export type Mutable = Record<string, unknown>

const ONE = new Set([
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
])
const LIST = new Set(['prefixItems', 'allOf', 'anyOf', 'oneOf'])
const MAP = new Set(['$defs', 'definitions', 'properties', 'dependentSchemas'])
const NUMBERS = new Set([
  'maximum',
  'minimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
  'minContains',
  'maxContains',
])
const STRINGS = new Set(['$ref', '$anchor', '$recursiveRef'])
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])
/** Say nothing about validity, or hold values and not schemas. */
const SILENT = new Set([
  '$schema',
  '$comment',
  '$vocabulary',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'readOnly',
  'writeOnly',
  'deprecated',
  'nullable',
  'enumNames',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'discriminator',
  'xml',
  'externalDocs',
])

export interface Wishes {
  readonly formats: boolean
  /** Every string and key of the value. */
  readonly strings: ReadonlySet<string>
  /** Throws `Stopped` when the time is over. */
  readonly tick: () => void
  readonly ids: boolean
  readonly unique: boolean
}

/** @throws {Stopped} `size`, `time`, `schema` */
export const prepare = (source: unknown, { formats, strings, tick, ids, unique }: Wishes): Prepared => {
  // A keyword that the validator reads on each visit, and that no schema has.
  const clock = Object.defineProperty({}, '__absolute_recursive_ref__', { get: () => void tick(), enumerable: false })
  const nodes: Mutable[] = []
  const notes: Note[] = []
  const patterns = new Map<string, string>()
  const answered = new Map<string, string>()
  let hasFormat = false

  const note = (code: Note['code'], detail: string) => {
    if (notes.length < 20 && !notes.some((known) => known.code === code && known.detail === detail)) {
      notes.push({ code, detail })
    }
  }

  /** The alternatives of all strings in the value that match: a pattern that says the same and cannot hang. */
  const answer = (pattern: string): string | undefined => {
    const known = answered.get(pattern)
    if (known !== undefined) return known === '' ? undefined : known
    tick()
    let characters = 0
    for (const text of strings) characters += text.length
    const matches = strings.size > MOST_STRINGS || characters > MOST_CHARACTERS ? undefined : matcher(pattern)
    if (!matches) {
      note('pattern', pattern)
      answered.set(pattern, '')
      return undefined
    }
    const good: string[] = []
    for (const text of strings) {
      tick()
      const verdict = matches(text)
      if (verdict === undefined) note('pattern', pattern)
      if (verdict !== false) good.push(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    }
    // The empty tail tells apart patterns that the same strings match.
    const standing = `^(?:${good.length > 0 ? good.join('|') : '[]'})(?:){${answered.size}}$`
    answered.set(pattern, standing)
    patterns.set(standing, pattern)
    return standing
  }

  const copy = (schema: unknown, depth: number, quiet = false): Mutable | boolean => {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) {
      if (!quiet) note('keyword', 'a schema that is none')
      return true
    }
    if (nodes.length >= MOST_SCHEMAS || depth > DEEPEST) throw new Stopped('size')
    tick()
    const out = Object.create(clock) as Mutable
    nodes.push(out)
    for (const [keyword, value] of Object.entries(schema)) {
      const copied = keywordOf(keyword, value, schema, depth, quiet)
      // `properties: { __proto__: … }` is a legal name.
      if (copied !== undefined)
        Object.defineProperty(out, keyword, { value: copied, enumerable: true, configurable: true, writable: true })
    }
    limits(schema, out)
    return out
  }

  const keywordOf = (keyword: string, value: unknown, schema: JsonObject, depth: number, quiet: boolean): unknown => {
    if (SILENT.has(keyword)) return undefined
    if (ONE.has(keyword)) return isSchema(value) ? copy(value, depth + 1, quiet) : undefined
    if (keyword === 'items') {
      if (Array.isArray(value)) return value.map((inner) => copy(inner, depth + 1, quiet))
      return isSchema(value) ? copy(value, depth + 1, quiet) : undefined
    }
    if (LIST.has(keyword)) {
      return Array.isArray(value) && value.length > 0 ? value.map((inner) => copy(inner, depth + 1, quiet)) : undefined
    }
    if (MAP.has(keyword) && isObject(value) && Object.keys(value).length > MOST_SCHEMAS) throw new Stopped('size')
    if (MAP.has(keyword)) return isObject(value) ? mapped(value, (inner) => copy(inner, depth + 1, quiet)) : undefined
    if (NUMBERS.has(keyword)) return typeof value === 'number' ? value : undefined
    if (STRINGS.has(keyword)) return typeof value === 'string' ? value : undefined
    switch (keyword) {
      case '$id':
      case 'id':
        return ids && typeof value === 'string' ? value : undefined
      case '$recursiveAnchor':
        return value === true ? true : undefined
      case '$dynamicRef':
        note('keyword', keyword)
        return undefined
      case 'type':
        return typeOf(value, schema, quiet)
      case 'required':
        return Array.isArray(value) ? value.filter((key) => typeof key === 'string') : undefined
      case 'const':
        return value
      case 'enum':
        return Array.isArray(value) ? value : undefined
      case 'uniqueItems':
        if (value === true && !unique) note('keyword', keyword)
        return value === true && unique ? true : undefined
      case 'pattern':
        return typeof value === 'string' ? answer(value) : undefined
      case 'patternProperties':
        return isObject(value) ? patterned(value, depth, quiet) : undefined
      case 'format':
        hasFormat ||= typeof value === 'string'
        // `url` is no format of JSON Schema, and the validator's expression for it can hang.
        return formats && typeof value === 'string' && value !== 'url' ? value : undefined
      case 'dependentRequired':
        return isObject(value) ? mapped(value, names) : undefined
      case 'dependencies':
        return isObject(value)
          ? mapped(value, (inner) => (Array.isArray(inner) ? names(inner) : copy(inner, depth + 1, quiet)))
          : undefined
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        return typeof value === 'number' ? value : undefined
      default:
        // A place that a reference may lead to, such as `components`.
        return isObject(value) ? copy(value, depth + 1, true) : undefined
    }
  }

  const typeOf = (value: unknown, schema: JsonObject, quiet: boolean): unknown => {
    const types: readonly unknown[] = Array.isArray(value) ? value : [value]
    const unknown = types.filter((type) => typeof type !== 'string' || !TYPES.has(type))
    if (unknown.length > 0) {
      if (!quiet) for (const type of unknown) note('type', typeof type === 'string' ? type : JSON.stringify(type))
      return undefined
    }
    return schema['nullable'] === true ? [...new Set([...types, 'null'])] : value
  }

  /** Draft 4 and OpenAPI: `exclusiveMinimum: true` beside `minimum`. */
  const limits = (schema: JsonObject, out: Mutable): void => {
    for (const [exclusive, inclusive] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const) {
      if (schema[exclusive] !== true || out[inclusive] === undefined) continue
      out[exclusive] = out[inclusive]
      delete out[inclusive]
    }
  }

  const patterned = (value: JsonObject, depth: number, quiet: boolean): Mutable => {
    const out: Mutable = Object.create(null) as Mutable
    for (const [pattern, inner] of Object.entries(value)) {
      const standing = answer(pattern)
      // It may match any key, so that none may be called an additional one.
      if (standing === undefined) out['^'] = true
      else out[standing] = copy(inner, depth + 1, quiet)
    }
    return out
  }

  const schema = copy(source, 0)
  return { schema, nodes, notes, patterns, hasFormat }
}

const mapped = (value: JsonObject, each: (inner: unknown) => unknown): Mutable =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, each(inner)]))

const names = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
