/**
 * Makes a server's schema safe to validate with.
 *
 * The validator trusts its schema: it adds properties to it, throws if a keyword has the wrong type, and compiles
 * patterns with `u` only. So it gets a copy, made by keyword position, in which every keyword has the right type and
 * every pattern lists the strings of the value that match.
 */
import { compilePattern, isObject, isSchema, type JsonObject, keywordSet, namesOf, TYPES } from './json-schema.ts'
import type { Note, Unchecked } from './verdict.ts'

/** Maximum number of subschemas. */
const MOST_SCHEMAS = 20_000
const DEEPEST = 200
/** Maximum number of strings and characters to match patterns with. */
const MOST_STRINGS = 2000
const MOST_CHARACTERS = 200_000

/** Thrown when validation can't continue, with the reason. */
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
  /** Original patterns by their replacement. */
  readonly patterns: ReadonlyMap<string, string>
  readonly hasFormat: boolean
}

export type Mutable = Record<string, unknown>

const ONE = keywordSet(
  'additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames not if then ' +
    'else',
)
const LIST = new Set(['prefixItems', 'allOf', 'anyOf', 'oneOf'])
const MAP = new Set(['$defs', 'definitions', 'properties', 'dependentSchemas'])
const NUMBERS = keywordSet(
  'maximum minimum multipleOf maxLength minLength maxItems minItems maxProperties minProperties minContains ' +
    'maxContains exclusiveMinimum exclusiveMaximum',
)
const STRINGS = new Set(['$ref', '$anchor', '$recursiveRef'])
/** Keywords that don't affect validity, or contain values instead of schemas. */
const SILENT = keywordSet(
  '$schema $comment $vocabulary title description default examples example readOnly writeOnly deprecated nullable ' +
    'enumNames contentEncoding contentMediaType contentSchema discriminator xml externalDocs',
)

export interface PrepareOptions {
  readonly formats: boolean
  readonly patterns: Patterns
  readonly ids: boolean
  readonly unique: boolean
}

/** The patterns of one schema, each matched once against all strings of one value. */
export class Patterns {
  /** Original patterns by their replacement. */
  readonly originals = new Map<string, string>()
  /** `undefined`: not checked. */
  readonly #replacements = new Map<string, string | undefined>()
  readonly #strings: ReadonlySet<string>
  readonly #tooMany: boolean
  readonly #skipped: ReadonlySet<string>
  readonly #onmatch: (pattern: string) => void

  /**
   * @param strings every string and key of the value
   * @param skipped patterns that aren't checked
   * @param onmatch called with each pattern before it is matched, because matching may never finish
   */
  constructor(strings: ReadonlySet<string>, skipped: ReadonlySet<string>, onmatch: (pattern: string) => void) {
    let characters = 0
    for (const text of strings) characters += text.length
    this.#strings = strings
    this.#tooMany = strings.size > MOST_STRINGS || characters > MOST_CHARACTERS
    this.#skipped = skipped
    this.#onmatch = onmatch
  }

  /** A pattern that matches the same strings of the value; `undefined`: it isn't checked. */
  replace(pattern: string): string | undefined {
    if (!this.#replacements.has(pattern)) this.#replacements.set(pattern, this.#match(pattern))
    return this.#replacements.get(pattern)
  }

  #match(pattern: string): string | undefined {
    const expression = this.#tooMany || this.#skipped.has(pattern) ? undefined : compilePattern(pattern)
    if (!expression) return undefined
    this.#onmatch(pattern)
    const matching = [...this.#strings].filter((text) => expression.test(text))
    const escaped = matching.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    // The empty suffix distinguishes patterns that match the same strings.
    const replacement = `^(?:${escaped.length > 0 ? escaped.join('|') : '[]'})(?:){${this.#replacements.size}}$`
    this.originals.set(replacement, pattern)
    return replacement
  }
}

/** @throws {Stopped} `size`, `schema` */
export const prepare = (source: unknown, { formats, patterns, ids, unique }: PrepareOptions): Prepared => {
  const nodes: Mutable[] = []
  const notes: Note[] = []
  let hasFormat = false

  const note = (code: Note['code'], detail: string) => {
    if (notes.length < 20 && !notes.some((known) => known.code === code && known.detail === detail)) {
      notes.push({ code, detail })
    }
  }

  const replace = (pattern: string): string | undefined => {
    const replacement = patterns.replace(pattern)
    if (replacement === undefined) note('pattern', pattern)
    return replacement
  }

  const copy = (schema: unknown, depth: number, quiet = false): Mutable | boolean => {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) {
      if (!quiet) note('keyword', 'subschema')
      return true
    }
    if (nodes.length >= MOST_SCHEMAS || depth > DEEPEST) throw new Stopped('size')
    const out: Mutable = {}
    nodes.push(out)
    for (const [keyword, value] of Object.entries(schema)) {
      const copied = keywordOf(keyword, value, schema, depth, quiet)
      // Not an assignment, because `properties: { __proto__: … }` is a valid name.
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
        return Array.isArray(value) ? namesOf(value) : undefined
      case 'const':
        return value
      case 'enum':
        return Array.isArray(value) ? value : undefined
      case 'uniqueItems':
        if (value === true && !unique) note('keyword', keyword)
        return value === true && unique ? true : undefined
      case 'pattern':
        return typeof value === 'string' ? replace(value) : undefined
      case 'patternProperties':
        return isObject(value) ? patterned(value, depth, quiet) : undefined
      case 'format':
        hasFormat ||= typeof value === 'string'
        // JSON Schema has no format `url`, and the validator's expression for it can hang.
        return formats && typeof value === 'string' && value !== 'url' ? value : undefined
      case 'dependentRequired':
        return isObject(value) ? mapped(value, namesOf) : undefined
      case 'dependencies':
        return isObject(value)
          ? mapped(value, (inner) => (Array.isArray(inner) ? namesOf(inner) : copy(inner, depth + 1, quiet)))
          : undefined
      default:
        // A reference may point here, for example into `components`.
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
      const replacement = replace(pattern)
      // The pattern may match any key, so no key counts as additional.
      if (replacement === undefined) out['^'] = true
      else out[replacement] = copy(inner, depth + 1, quiet)
    }
    return out
  }

  const schema = copy(source, 0)
  return { schema, nodes, notes, patterns: patterns.originals, hasFormat }
}

const mapped = (value: JsonObject, each: (inner: unknown) => unknown): Mutable =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, each(inner)]))
