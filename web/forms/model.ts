/**
 * A JSON Schema as a tree of fields.
 *
 * The schema is walked by keyword position, never by key: a property may be named `properties`, `type` or `required`.
 * It comes from a server, so any part of it may be anything. A part that no field can express becomes a field of kind `json`,
 * with the reason. Children are built on demand, so that a schema with 10^5 properties, or a recursive one, costs only what is
 * shown of it.
 */
import { isRecord, type Value } from '../json/index.ts'
import {
  allObjects,
  type Alternatives,
  baseOf,
  beyondOf,
  type BranchName,
  type Choice,
  choicesOf,
  conditionsIn,
  type Kind,
  nameOf,
  type Reason,
  sortOf,
} from './kind.ts'
import { fits, nearestOf } from './distance.ts'
import {
  isObject,
  isSchema,
  type Json,
  type JsonObject,
  listOf,
  type MatchPattern,
  namesOf,
  typesOf,
  without,
  wordsOf,
} from './json-schema.ts'
import { Schemas } from './resolve.ts'

export interface Property {
  readonly key: string
  /** Required unconditionally. For conditional requirements see `Field.requires`. */
  readonly required: boolean
  readonly field: Field
}

export interface Branch {
  readonly name: BranchName
  readonly field: Field
}

/** Maximum levels of nested fields; a recursive schema ends here. */
export const DEEPEST = 24
/** Maximum number of fields built from one schema. */
export const MOST = 20_000
/** Maximum number of effective schemas cached for the conditions of one object. */
const MOST_CONDITIONS = 64

interface Shared {
  readonly schemas: Schemas
  built: number
}

/** One editable part of a value. */
export class Field {
  readonly kind: Kind
  /** Set on kind `json` only. */
  readonly reason: Reason | undefined
  /** The schema with references resolved and `allOf` merged; `{}` if it isn't a schema. */
  readonly schema: JsonObject
  readonly nullable: boolean
  readonly choices: readonly Choice[]
  /** Keywords that restrict this part beyond what its field shows; the verdict covers them. */
  readonly beyond: readonly string[]
  readonly depth: number
  readonly #shared: Shared
  readonly #alternatives: Alternatives | undefined
  readonly #properties = new Map<string, Property>()
  #keys: readonly string[] | undefined
  #required: ReadonlySet<string> | undefined
  #branches: readonly Branch[] | undefined
  #base: Field | undefined
  readonly #items = new Map<unknown, Field>()
  readonly #combined = new Map<string, Field>()
  readonly #under = new Map<string, Field>()

  constructor(schema: unknown, shared: Shared, depth: number) {
    shared.built++
    this.#shared = shared
    this.depth = depth
    const resolved = shared.schemas.resolve(schema)
    this.schema = resolved.schema
    this.nullable = resolved.nullable
    this.choices = choicesOf(this.schema)
    const { kind, reason, alternatives } = resolved.unresolved
      ? { kind: 'json' as const, reason: resolved.unresolved }
      : depth > DEEPEST
        ? { kind: 'json' as const, reason: 'deep' as const }
        : shared.built > MOST
          ? { kind: 'json' as const, reason: 'many' as const }
          : sortOf(this.schema, this.choices)
    this.kind = kind
    this.reason = reason
    this.#alternatives = alternatives
    this.beyond = beyondOf(this.schema, kind)
  }

  get title(): string | undefined {
    return wordsOf(this.schema['title'])
  }

  get description(): string | undefined {
    return wordsOf(this.schema['description'])
  }

  /** `undefined` if there is none; `null` is a default. */
  get default(): Json | undefined {
    return this.schema['default']
  }

  /** The schema's `examples`, and OpenAPI's `example`. */
  get examples(): readonly Json[] {
    const { examples, example } = this.schema
    return [...(Array.isArray(examples) ? listOf(examples) : []), ...(example === undefined ? [] : [example])]
  }

  /** The allowed types, as the schema names them. */
  get types(): readonly string[] {
    const types = typesOf(this.schema).filter((name): name is string => typeof name === 'string')
    const named =
      types.length > 0 || this.kind === 'json' || this.kind === 'enum' || this.kind === 'union' ? types : [this.kind]
    return this.nullable && named.length > 0 && !named.includes('null') ? [...named, 'null'] : named
  }

  /** The declared names, in the schema's order. There may be 10^5 of them. */
  get keys(): readonly string[] {
    const { properties } = this.schema
    return (this.#keys ??= this.kind === 'object' && isObject(properties) ? Object.keys(properties) : [])
  }

  /** The property of a declared name. */
  property(key: string): Property {
    let property = this.#properties.get(key)
    if (!property) {
      const schema = (this.schema['properties'] as JsonObject)[key]
      this.#required ??= new Set(namesOf(this.schema['required']))
      // Draft 3 marked the property itself; a few servers still do.
      const required = this.#required.has(key) || (isObject(schema) && schema['required'] === true)
      this.#properties.set(key, (property = { key, required, field: this.#child(schema) }))
    }
    return property
  }

  /** All declared properties. If the schema may be large, use `property` for just those that are shown. */
  get properties(): readonly Property[] {
    return this.keys.map((key) => this.property(key))
  }

  /** Whether `properties` names a key. */
  declares(key: string): boolean {
    const { properties } = this.schema
    return isObject(properties) && Object.hasOwn(properties, key)
  }

  /** The field for a value, including what `if`, `dependentSchemas` and `dependencies` add for it. */
  under(value: Value | undefined): Field {
    if (this.kind !== 'object') return this
    const effective = effectiveOf(this.schema, value, this.#shared.schemas)
    if (!effective) return this
    let field = this.#under.get(effective.key)
    if (!field) {
      if (this.#under.size >= MOST_CONDITIONS) this.#under.clear()
      field = new Field(effective.schema, this.#shared, this.depth + 1)
      this.#under.set(effective.key, field)
    }
    // Schemas that can't be merged are shown as they are.
    if (field.kind !== 'object') return this
    return field.under(value)
  }

  /** Keys that are required because of other keys (`dependentRequired`). */
  requires(value: Value | undefined): ReadonlySet<string> {
    return new Set(dependentKeys(this.schema, value))
  }

  /** The alternatives of a union. */
  get branches(): readonly Branch[] {
    const { schemas } = this.#shared
    return (this.#branches ??= (this.#alternatives?.whole ?? []).map((whole, at) => {
      const build = (): Field => this.#child(whole)
      let field: Field | undefined
      return {
        name: nameOf(this.#alternatives!.branches[at], schemas),
        get field() {
          return (field ??= build())
        },
      }
    }))
  }

  /** The field of the keywords that all alternatives share, if all of them are objects. */
  get base(): Field | undefined {
    if (!this.#alternatives || !allObjects(this.#alternatives, this.#shared.schemas)) return undefined
    return (this.#base ??= this.#child(baseOf(this.#alternatives)))
  }

  /** Index of the alternative nearest to a value, or -1 if there is none. If several match, the first. */
  branchOf(value: Value): number {
    return nearestOf(this.#alternatives?.branches ?? [], value, this.#shared.schemas)
  }

  /** Whether a value matches the schema, as far as can be decided synchronously. */
  fits(value: Value): boolean {
    return fits(this.schema, value, this.#shared.schemas)
  }

  /** Whether the form offers additional keys: the schema allows them explicitly or declares none. */
  get open(): boolean {
    if (this.kind !== 'object') return false
    const { additionalProperties: additional, patternProperties: patterns } = this.schema
    if (isObject(patterns) && Object.keys(patterns).length > 0) return true
    return additional === undefined ? this.keys.length === 0 : additional !== false
  }

  /** The field of a key that `properties` doesn't name; `undefined` if the schema forbids it. */
  extra(key: string): Field | undefined {
    const patterns = this.schema['patternProperties']
    if (isObject(patterns)) {
      const { schemas } = this.#shared
      const matching = Object.entries(patterns).filter(([pattern]) => schemas.matches(pattern, key) === true)
      if (matching.length === 1) return this.#common(matching[0]![1])
      if (matching.length > 1) {
        const names = JSON.stringify(matching.map(([pattern]) => pattern))
        let field = this.#combined.get(names)
        if (!field) this.#combined.set(names, (field = this.#child({ allOf: matching.map(([, inner]) => inner) })))
        return field
      }
    }
    const additional = this.schema['additionalProperties']
    return additional === false ? undefined : this.#common(additional ?? true)
  }

  /** The field of item `index`; `undefined` if the schema allows no such item. */
  item(index: number): Field | undefined {
    const schema = itemSchema(this.schema, index)
    return schema === false ? undefined : this.#common(schema)
  }

  /** The number of items that have schemas by position. */
  get tuple(): number {
    const { items, prefixItems } = this.schema
    if (this.kind !== 'array') return 0
    return Array.isArray(prefixItems) ? prefixItems.length : Array.isArray(items) ? items.length : 0
  }

  /** Items or keys with the same schema share a field. */
  #common(schema: unknown): Field {
    let field = this.#items.get(schema)
    if (!field) this.#items.set(schema, (field = this.#child(schema)))
    return field
  }

  #child(schema: unknown): Field {
    return new Field(schema, this.#shared, this.depth + 1)
  }
}

/** The field of a whole schema. */
export const fieldOf = (schema: unknown, matches?: MatchPattern): Field =>
  new Field(schema, { schemas: new Schemas(schema, matches), built: 0 }, 0)

/**
 * The field of a tool's arguments, which are always an object. A schema that is missing, invalid or has no type is
 * treated as an object with any keys.
 */
export const argumentsField = (schema: unknown, matches?: MatchPattern): Field => {
  if (!isSchema(schema) || typeof schema === 'boolean') return fieldOf({ type: 'object' })
  const field = fieldOf(schema, matches)
  if (field.kind !== 'json' || (field.reason !== 'any' && field.reason !== 'combined') || 'not' in schema) return field
  return new Field({ ...schema, type: 'object' }, { schemas: new Schemas(schema, matches), built: 0 }, 0)
}

/** `prefixItems` and `items` of 2020-12, or the array form of `items` with `additionalItems` of draft 7. */
const itemSchema = (schema: JsonObject, index: number): unknown => {
  const { items, prefixItems, additionalItems } = schema
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  if (index < first.length) return first[index]
  return (Array.isArray(items) ? additionalItems : items) ?? true
}

interface Effective {
  /** Equal for values that lead to the same schema. */
  readonly key: string
  readonly schema: unknown
}

const CONDITIONAL = ['if', 'then', 'else', 'dependentSchemas'] as const

/**
 * The schema that applies to a value of an object schema: with the `then` or `else` of its `if`, and the
 * `dependentSchemas` and draft 7 `dependencies` of the keys present (2020-12 Core, sections 10.2.2.1 to 10.2.2.4).
 * `undefined` if nothing depends on the value.
 */
const effectiveOf = (schema: JsonObject, value: Value | undefined, schemas: Schemas): Effective | undefined => {
  const conditions = conditionsIn(schema)
  const dependent = [schema['dependentSchemas'], schema['dependencies']].flatMap((map) =>
    isObject(map) ? Object.entries(map).filter(([, inner]) => !Array.isArray(inner)) : [],
  )
  if (conditions.length === 0 && dependent.length === 0) return undefined
  const parts: unknown[] = []
  let key = ''
  for (const { test, then, else: otherwise } of conditions) {
    const met = fits(test, value ?? {}, schemas)
    const part = met ? then : otherwise
    key += met ? 't' : 'e'
    if (isObject(part)) parts.push(part)
  }
  for (const [name, part] of dependent) {
    const there = isRecord(value) && Object.hasOwn(value, name)
    key += there ? '1' : '0'
    if (there && isObject(part)) parts.push(part)
  }
  const plain = without(schema, ...CONDITIONAL)
  const members = listOf(plain['allOf']).filter((member) => !(isObject(member) && 'if' in member))
  const { allOf: _, ...rest } = plain
  return { key, schema: { ...rest, allOf: [...members, ...parts, titleOf(rest)] } }
}

/** The object keeps its own title and description. */
const titleOf = ({ title, description }: JsonObject): JsonObject => ({
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
})

/** Keys that are required because others are present. */
const dependentKeys = (schema: JsonObject, value: Value | undefined): readonly string[] => {
  if (!isRecord(value)) return []
  return [schema['dependentRequired'], schema['dependencies']].flatMap((map) =>
    isObject(map)
      ? Object.entries(map).flatMap(([key, names]) => (Object.hasOwn(value, key) ? namesOf(names) : []))
      : [],
  )
}
