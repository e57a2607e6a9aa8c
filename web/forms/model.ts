/**
 * A JSON Schema as a tree of fields.
 *
 * The schema is walked by keyword position, never by key: a property may be named `properties`, `type` or `required`.
 * It comes from a server, so any part of it may be anything. What no field can express becomes a field of kind `json`,
 * for that part alone, with the reason. Children come into being when they are asked for.
 */
import { matcher, type Matcher } from './pattern.ts'
import { isObject, isSchema, resolve, type Json, type JsonObject, type Unresolved } from './resolve.ts'

export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'enum' | 'array' | 'object' | 'json'

/** Why a part is edited as JSON. */
export type Reason =
  /** The schema allows anything. */
  | 'any'
  /** Several types are allowed. */
  | 'mixed'
  /** `anyOf`, `oneOf`, `allOf`, `not` or `if` decide. */
  | 'combined'
  /** `false`: nothing is allowed. */
  | 'never'
  /** Not a schema, or a type that JSON Schema does not know. */
  | 'invalid'
  /** Deeper, or with more fields, than a form can show. */
  | 'deep'
  | 'many'
  | Unresolved

export interface Choice {
  readonly value: Json
  /** What the server calls it, where that is not the value itself. */
  readonly title?: string
}

export interface Property {
  readonly key: string
  readonly required: boolean
  readonly field: Field
}

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])
const COMBINING = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'dependentSchemas', 'dependencies'] as const

/** Levels of nested fields; a recursive schema ends here. */
export const DEEPEST = 24
/** Fields of one object, and choices of one list. */
export const WIDEST = 400
/** Fields built from one schema. */
export const MOST = 5000

interface Shared {
  readonly root: unknown
  built: number
}

/** One place where a value is edited. */
export class Field {
  readonly kind: Kind
  /** Set on kind `json` only. */
  readonly reason: Reason | undefined
  /** The schema with references followed; `{}` where it is none. */
  readonly schema: JsonObject
  readonly nullable: boolean
  readonly choices: readonly Choice[]
  /** Keywords that bind this part beyond what its field shows; the verdict knows them. */
  readonly beyond: readonly string[]
  readonly depth: number
  readonly #shared: Shared
  #properties: readonly Property[] | undefined
  readonly #items = new Map<unknown, Field>()
  readonly #extras = new Map<string, Field | undefined>()
  #patterns: readonly (readonly [Matcher | undefined, unknown])[] | undefined

  constructor(schema: unknown, shared: Shared, depth: number) {
    shared.built++
    this.#shared = shared
    this.depth = depth
    const resolved = resolve(schema, shared.root)
    this.schema = resolved.schema
    this.nullable = resolved.nullable
    this.choices = choicesOf(this.schema)
    const [kind, reason] = resolved.unresolved
      ? (['json', resolved.unresolved] as const)
      : depth > DEEPEST
        ? (['json', 'deep'] as const)
        : shared.built > MOST
          ? (['json', 'many'] as const)
          : kindOf(this.schema, this.choices)
    this.kind = kind
    this.reason = reason
    this.beyond = kind === 'json' || kind === 'enum' ? [] : COMBINING.filter((keyword) => keyword in this.schema)
  }

  get title(): string | undefined {
    return textOf(this.schema['title'])
  }

  get description(): string | undefined {
    return textOf(this.schema['description'])
  }

  /** `undefined` when there is none; `null` is a default. */
  get default(): Json | undefined {
    return this.schema['default']
  }

  /** The types it takes, as the schema names them. */
  get types(): readonly string[] {
    const type = this.schema['type']
    const types =
      typeof type === 'string' ? [type] : Array.isArray(type) ? type.filter((name) => typeof name === 'string') : []
    const named = types.length > 0 ? types : this.kind === 'array' || this.kind === 'object' ? [this.kind] : []
    return this.nullable && named.length > 0 && !named.includes('null') ? [...named, 'null'] : named
  }

  /** The declared properties, in the schema's order. */
  get properties(): readonly Property[] {
    return (this.#properties ??= this.#buildProperties())
  }

  #buildProperties(): readonly Property[] {
    if (this.kind !== 'object') return []
    const properties = this.schema['properties']
    if (!isObject(properties)) return []
    const required = new Set(arrayOf(this.schema['required']))
    return Object.entries(properties).map(([key, schema]) => ({
      key,
      // Draft 3 marked the property itself; a few servers still do.
      required: required.has(key) || (isObject(schema) && schema['required'] === true),
      field: this.#child(schema),
    }))
  }

  /** Whether a form should offer keys of one's own: the schema says so, or names none. */
  get open(): boolean {
    if (this.kind !== 'object') return false
    const { additionalProperties: additional, patternProperties: patterns } = this.schema
    if (isObject(patterns) && Object.keys(patterns).length > 0) return true
    return additional === undefined ? this.properties.length === 0 : additional !== false
  }

  /** The field of a key that `properties` does not name; `undefined` where the schema forbids it. */
  extra(key: string): Field | undefined {
    if (!this.#extras.has(key)) this.#extras.set(key, this.#buildExtra(key))
    return this.#extras.get(key)
  }

  #buildExtra(key: string): Field | undefined {
    const patterns = this.schema['patternProperties']
    this.#patterns ??= isObject(patterns)
      ? Object.entries(patterns).map(([pattern, schema]) => [matcher(pattern), schema] as const)
      : []
    for (const [matches, schema] of this.#patterns) if (matches?.(key) === true) return this.#child(schema)
    const additional = this.schema['additionalProperties']
    return additional === false ? undefined : this.#child(additional ?? true)
  }

  /** The field of item `index`; `undefined` where the schema allows no such item. Items of one schema share a field. */
  item(index: number): Field | undefined {
    const schema = itemSchema(this.schema, index)
    if (schema === false) return undefined
    let field = this.#items.get(schema)
    if (!field) this.#items.set(schema, (field = this.#child(schema)))
    return field
  }

  #child(schema: unknown): Field {
    return new Field(schema, this.#shared, this.depth + 1)
  }
}

/** The field of a whole schema. Costs nothing to speak of until its children are asked for. */
export const fieldOf = (schema: unknown): Field => new Field(schema, { root: schema, built: 0 }, 0)

/**
 * The field of a tool's arguments, which are always an object: a schema that is missing, no schema at all, or says
 * nothing of its type is one of an object with any keys.
 */
export const argumentsField = (schema: unknown): Field => {
  if (!isSchema(schema) || typeof schema === 'boolean') return fieldOf({ type: 'object' })
  const field = fieldOf(schema)
  if (field.kind !== 'json' || field.reason !== 'any') return field
  return new Field({ ...schema, type: 'object' }, { root: schema, built: 0 }, 0)
}

const kindOf = (schema: JsonObject, choices: readonly Choice[]): readonly [Kind, Reason?] => {
  if (choices.length > 0) return choices.length > WIDEST ? ['json', 'many'] : ['enum']
  const { type, properties } = schema
  const types = (Array.isArray(type) ? type : type === undefined ? [] : [type]).filter((name) => name !== 'null')
  if (types.some((name) => typeof name !== 'string' || !TYPES.has(name))) return ['json', 'invalid']
  const combined = COMBINING.some((keyword) => keyword in schema)
  if (types.length === 1) {
    const kind = types[0] as Kind
    if (kind !== 'object') return [kind]
    // Alternatives without properties of their own leave nothing to show fields for.
    if (!isObject(properties)) return combined ? ['json', 'combined'] : ['object']
    return Object.keys(properties).length > WIDEST ? ['json', 'many'] : ['object']
  }
  if (types.length > 1) return ['json', 'mixed']
  if (Array.isArray(type) ? type.includes('null') : type === 'null') return ['null']
  if (combined) return isObject(properties) ? kindOf({ ...schema, type: 'object' }, []) : ['json', 'combined']
  if (isObject(properties)) return kindOf({ ...schema, type: 'object' }, [])
  if ('items' in schema || 'prefixItems' in schema) return ['array']
  return 'not' in schema ? ['json', 'combined'] : ['json', 'any']
}

/** `enum`, `const`, and the titled form `oneOf: [{ const, title }]`. */
const choicesOf = (schema: JsonObject): readonly Choice[] => {
  const { enum: values, enumNames: names } = schema
  if (Array.isArray(values)) {
    return (values as readonly Json[]).map((value, at) => {
      const title = Array.isArray(names) ? textOf(names[at]) : undefined
      return title === undefined || title === value ? { value } : { value, title }
    })
  }
  if ('const' in schema) return [{ value: schema['const']! }]
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = schema[keyword]
    if (!Array.isArray(branches) || branches.length === 0) continue
    if (!branches.every((branch): branch is JsonObject => isObject(branch) && 'const' in branch)) continue
    return branches.map((branch) => {
      const title = textOf(branch['title'])
      return title === undefined ? { value: branch['const']! } : { value: branch['const']!, title }
    })
  }
  return []
}

/** `prefixItems` and `items` of 2020-12; the list form of `items` and `additionalItems` of draft 7. */
const itemSchema = (schema: JsonObject, index: number): unknown => {
  const { items, prefixItems, additionalItems } = schema
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  if (index < first.length) return first[index]
  return (Array.isArray(items) ? additionalItems : items) ?? true
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
