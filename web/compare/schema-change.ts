/**
 * What a change of a JSON Schema means for a client built for the old one.
 *
 * Each keyword is judged separately: it may allow less than before (`narrowed`), more (`widened`), or something else
 * (`other`, also if undecidable). Allowing less breaks a client's input; allowing more breaks how it reads output. If
 * every keyword allows at least what it did before, so does the whole schema.
 */
import { escapeToken, resolvePointer, percentDecoded } from '../json/index.ts'
import { isObject } from '../mcp/index.ts'
import type { Json, JsonObject } from '../mcp/index.ts'
import {
  ANNOTATIONS,
  boundsOf,
  type Direction,
  directionOfBounds,
  directionOfSets,
  exclusive,
  isOddType,
  key,
  OWN,
  own,
  typesOf,
  UNTOLD,
  valuesOf,
  within,
  WORDS,
} from './schema-keywords.ts'

/** `notable`: no client breaks, but a model or a user may act differently. */
export type Judgement = 'breaking' | 'notable' | 'compatible'

/** `input`: clients send it. `output`: clients receive it. */
export type Side = 'input' | 'output'

export type SchemaCode =
  | 'required-added'
  | 'required-removed'
  | 'property-added'
  | 'property-added-required'
  | 'property-removed'
  | 'property-renamed'
  | 'type'
  | 'enum'
  | 'range'
  | 'pattern'
  | 'open'
  | 'alternatives'
  | 'words'
  | 'default'
  | 'annotation'
  | 'cannot-tell'

export interface SchemaChange {
  /** JSON pointer into the new schema, or into the old one for removed parts. */
  readonly pointer: string
  readonly code: SchemaCode
  readonly judgement: Judgement
  /** The keyword or property that changed. */
  readonly about: string
  readonly direction?: Direction
  readonly was?: Json
  readonly is?: Json
  /** The probable new name of a property. */
  readonly renamedTo?: string
}

type Schema = JsonObject | boolean

/** Limits on nesting, and on the changes reported. */
const DEEPEST = 60
const MOST_VISITS = 20_000
const MOST = 1000
/** Alternatives to compare with each other. */
const WIDEST = 2000

/**
 * The differences, most severe first. Never throws, whatever the schemas are.
 * @param was `undefined` allows any value
 */
export const schemaChanges = (was: Json | undefined, is: Json | undefined, side: Side): readonly SchemaChange[] => {
  const comparison = new Comparison(side, was, is)
  comparison.schemas(asSchema(was), asSchema(is), '', 0)
  return comparison.changes.toSorted((one, other) => RANK[one.judgement] - RANK[other.judgement])
}

/** Codes of changes that don't affect which values are valid. */
const HARMLESS: ReadonlySet<SchemaCode> = new Set(['words', 'default', 'annotation'])

export const RANK: Readonly<Record<Judgement, number>> = { breaking: 0, notable: 1, compatible: 2 }

const asSchema = (value: Json | undefined): Schema => (isObject(value) || typeof value === 'boolean' ? value : true)

class Comparison {
  readonly #side: Side
  readonly #roots: readonly [Json | undefined, Json | undefined]
  readonly #seen = new Set<string>()
  /** Each subschema is serialized once, however many references lead to it. */
  readonly #keys = new WeakMap<object, { readonly text: string; readonly refers: boolean }>()
  #visits = 0
  readonly changes: SchemaChange[] = []

  constructor(side: Side, was: Json | undefined, is: Json | undefined) {
    this.#side = side
    this.#roots = [was, is]
  }

  #tell(change: SchemaChange): void {
    if (this.changes.length < MOST) this.changes.push(change)
  }

  /** Reports a change of the allowed values. */
  #allow(
    pointer: string,
    code: SchemaCode,
    about: string,
    direction: Direction | undefined,
    was?: Json,
    is?: Json,
  ): void {
    if (direction === undefined) return
    const harmless = direction === (this.#side === 'input' ? 'widened' : 'narrowed')
    const judgement = harmless ? 'compatible' : 'breaking'
    this.#tell({ pointer, code, judgement, about, direction, ...values(was, is) })
  }

  #key(value: Json | undefined): { readonly text: string; readonly refers: boolean } {
    if (typeof value !== 'object' || value === null) return { text: key(value), refers: false }
    let known = this.#keys.get(value)
    if (!known) {
      const text = key(value)
      this.#keys.set(value, (known = { text, refers: text.includes('"$ref":') }))
    }
    return known
  }

  #equal(one: Json | undefined, other: Json | undefined): boolean {
    return one === other || this.#key(one).text === this.#key(other).text
  }

  schemas(was: Schema, is: Schema, pointer: string, depth: number): void {
    if (this.#equal(was, is) && !this.#key(was).refers) return
    if (depth > DEEPEST || ++this.#visits > MOST_VISITS) return this.#unknown(pointer, '', was, is)
    if (typeof was === 'boolean' || typeof is === 'boolean') {
      if (was === false || is === false) {
        const direction = was === is ? undefined : was === false ? 'widened' : 'narrowed'
        return this.#allow(pointer, 'type', '', direction, was, is)
      }
      return this.schemas(was === true ? {} : was, is === true ? {} : is, pointer, depth + 1)
    }
    const [before, after] = [this.#followed(was, 0), this.#followed(is, 1)]
    if (before !== was || after !== is) {
      // Recursive schemas are compared once.
      if (typeof was.$ref === 'string' && typeof is.$ref === 'string') {
        const pair = `${was.$ref} ${is.$ref}`
        if (this.#seen.has(pair)) return
        this.#seen.add(pair)
      }
      return this.schemas(before, after, pointer, depth + 1)
    }
    if (was.$ref !== is.$ref) this.#unknown(pointer, '$ref', was.$ref, is.$ref)
    else if (was.$ref !== undefined) this.#targets(was, is, pointer, depth)
    this.#types(was, is, pointer)
    this.#values(was, is, pointer)
    this.#limits(was, is, pointer)
    this.#properties(was, is, pointer, depth)
    this.#items(was, is, pointer, depth)
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) this.#alternatives(was, is, keyword, pointer, depth)
    this.#rest(was, is, pointer)
  }

  #unknown(pointer: string, about: string, was: Json | undefined, is: Json | undefined): void {
    if (this.#equal(was, is)) return
    this.#tell({ pointer, code: 'cannot-tell', judgement: 'breaking', about, direction: 'other', ...values(was, is) })
  }

  /** Follows references within the same document, unless the reference has sibling keywords. */
  #followed(schema: JsonObject, root: 0 | 1): Schema {
    const { $ref, ...beside } = schema
    if (typeof $ref !== 'string' || !$ref.startsWith('#')) return schema
    if (Object.keys(beside).some((key) => !WORDS.has(key) && !ANNOTATIONS.has(key))) return schema
    const at = resolvePointer(this.#roots[root], percentDecoded($ref.slice(1)))
    return isObject(at) || typeof at === 'boolean' ? at : schema
  }

  /** If a reference has sibling keywords, both apply. */
  #targets(was: JsonObject, is: JsonObject, pointer: string, depth: number): void {
    const [before, after] = [{ $ref: was.$ref! }, { $ref: is.$ref! }]
    if (this.#followed(before, 0) !== before || this.#followed(after, 1) !== after)
      this.schemas(before, after, pointer, depth + 1)
  }

  #types(was: JsonObject, is: JsonObject, pointer: string): void {
    if (isOddType(was.type) || isOddType(is.type)) return this.#unknown(`${pointer}/type`, 'type', was.type, is.type)
    const [before, after] = [typesOf(was), typesOf(is)]
    this.#allow(`${pointer}/type`, 'type', 'type', directionOfSets(before, after, within), was.type, is.type)
  }

  #values(was: JsonObject, is: JsonObject, pointer: string): void {
    const [before, after] = [valuesOf(was), valuesOf(is)]
    const keyword = 'enum' in was || 'enum' in is ? 'enum' : 'const'
    const direction = directionOfSets(before, after, (value, set) => set.has(value))
    this.#allow(`${pointer}/${keyword}`, 'enum', keyword, direction, was[keyword], is[keyword])
  }

  #limits(was: JsonObject, is: JsonObject, pointer: string): void {
    for (const { keyword, low, high } of boundsOf(was, is)) {
      const direction = directionOfBounds(low, high)
      this.#allow(`${pointer}/${keyword}`, 'range', keyword, direction, was[keyword], is[keyword])
    }
    if (!this.#equal(was.pattern, is.pattern)) {
      const direction = was.pattern === undefined ? 'narrowed' : is.pattern === undefined ? 'widened' : 'other'
      this.#allow(`${pointer}/pattern`, 'pattern', 'pattern', direction, was.pattern, is.pattern)
    }
    const unique = [was.uniqueItems === true, is.uniqueItems === true] as const
    if (unique[0] !== unique[1]) {
      const direction = unique[1] ? 'narrowed' : 'widened'
      this.#allow(`${pointer}/uniqueItems`, 'range', 'uniqueItems', direction, was.uniqueItems, is.uniqueItems)
    }
  }

  #properties(was: JsonObject, is: JsonObject, pointer: string, depth: number): void {
    const [before, after] = [propertiesOf(was), propertiesOf(is)]
    const [needed, needs] = [requiredOf(was), requiredOf(is)]
    const gone = [...before.keys()].filter((name) => !after.has(name))
    const added = [...after.keys()].filter((name) => !before.has(name))
    for (const name of gone) {
      const at = `${pointer}/properties/${escapeToken(name)}`
      // Clients that send it send an unknown property; clients that read it no longer find it.
      const was = values(before.get(name), undefined)
      const change = { pointer: at, judgement: 'breaking', about: name, ...was } as const
      const only = gone.length === 1 && added.length === 1 ? added[0]! : undefined
      if (only !== undefined && key(bare(after.get(only))) === key(bare(before.get(name))))
        this.#tell({ ...change, code: 'property-renamed', renamedTo: only })
      else this.#tell({ ...change, code: 'property-removed' })
    }
    for (const name of added) {
      const at = `${pointer}/properties/${escapeToken(name)}`
      const required = needs.has(name) && !needed.has(name)
      // If the old schema restricted additional properties, its clients reject the new property in output.
      const closed = this.#side === 'output' && !isEmpty(asSchema(was.additionalProperties))
      const judgement = closed || (required && this.#side === 'input') ? 'breaking' : 'compatible'
      const code = required ? 'property-added-required' : 'property-added'
      this.#tell({ pointer: at, code, judgement, about: name, ...values(undefined, after.get(name)) })
    }
    for (const [name, schema] of before) {
      const now = after.get(name)
      if (now !== undefined) {
        const at = `${pointer}/properties/${escapeToken(name)}`
        this.schemas(asSchema(schema), asSchema(now), at, depth + 1)
      }
    }
    for (const name of needs) {
      if (needed.has(name) || added.includes(name)) continue
      this.#allow(`${pointer}/required`, 'required-added', name, 'narrowed')
    }
    for (const name of needed) {
      if (needs.has(name) || gone.includes(name)) continue
      this.#allow(`${pointer}/required`, 'required-removed', name, 'widened')
    }
    this.#others(was, is, pointer, depth)
  }

  /** Properties that the schema doesn't name. */
  #others(was: JsonObject, is: JsonObject, pointer: string, depth: number): void {
    const [old, now] = [was.additionalProperties, is.additionalProperties]
    const [before, after] = [asSchema(old), asSchema(now)]
    if (this.#equal(before, after)) return
    const at = `${pointer}/additionalProperties`
    if (typeof before === 'boolean' || typeof after === 'boolean') {
      const direction = before === true || after === false ? 'narrowed' : 'widened'
      if (isEmpty(before) && isEmpty(after)) return
      return this.#allow(at, 'open', 'additionalProperties', direction, old, now)
    }
    this.schemas(before, after, at, depth + 1)
  }

  #items(was: JsonObject, is: JsonObject, pointer: string, depth: number): void {
    if (Array.isArray(was.items) || Array.isArray(is.items) || 'prefixItems' in was || 'prefixItems' in is) {
      const before = [was.items, was.prefixItems] as readonly (Json | undefined)[]
      const after = [is.items, is.prefixItems] as readonly (Json | undefined)[]
      if (before.some((each, at) => !this.#equal(each, after[at])))
        this.#unknown(`${pointer}/items`, 'items', was.items ?? null, is.items ?? was.prefixItems ?? null)
      return
    }
    this.schemas(asSchema(was.items), asSchema(is.items), `${pointer}/items`, depth + 1)
  }

  #alternatives(
    was: JsonObject,
    is: JsonObject,
    keyword: 'anyOf' | 'oneOf' | 'allOf',
    pointer: string,
    depth: number,
  ): void {
    const [before, after] = [was[keyword], is[keyword]]
    const at = `${pointer}/${keyword}`
    if (!Array.isArray(before) || !Array.isArray(after)) {
      if (this.#equal(before, after)) return
      const direction = Array.isArray(after) ? 'narrowed' : 'widened'
      const both = Array.isArray(before) === Array.isArray(after)
      return this.#allow(at, 'alternatives', keyword, both ? 'other' : direction, before, after)
    }
    const [old, now] = [before as readonly Json[], after as readonly Json[]]
    // An empty array is invalid here: some validators treat it as no constraint, others as one that nothing satisfies.
    if ([old, now].some(({ length }) => length === 0 || length > WIDEST))
      return this.#unknown(at, keyword, before, after)
    const texts = (all: readonly Json[]) => new Set(all.map((each) => this.#key(each).text))
    const [held, holds] = [texts(old), texts(now)]
    const more = [...held].every((each) => holds.has(each))
    const less = [...holds].every((each) => held.has(each))
    // With `oneOf`, a value that matches two alternatives is invalid, so the alternatives act like `anyOf` only if none
    // overlap.
    const apart = keyword !== 'oneOf' || (this.#exclusive(old, 0) && this.#exclusive(now, 1))
    if (more && less && (apart || old.length === now.length) && !this.#key(before).refers) return
    if (old.length === now.length) {
      const found = this.changes.length
      old.forEach((each, index) => this.schemas(asSchema(each), asSchema(now[index]), `${at}/${index}`, depth + 1))
      if (!apart && this.changes.slice(found).some(({ code }) => !HARMLESS.has(code)))
        this.#unknown(at, keyword, before, after)
      return
    }
    const meaning = keyword === 'allOf' ? (['narrowed', 'widened'] as const) : (['widened', 'narrowed'] as const)
    const direction = !apart ? 'other' : more ? meaning[0] : less ? meaning[1] : 'other'
    this.#allow(at, 'alternatives', keyword, direction, before, after)
  }

  #exclusive(schemas: readonly Json[], root: 0 | 1): boolean {
    return exclusive(schemas.map((each) => (isObject(each) ? this.#followed(each, root) : each)))
  }

  #rest(was: JsonObject, is: JsonObject, pointer: string): void {
    for (const keyword of new Set([...Object.keys(was), ...Object.keys(is)])) {
      if (OWN.has(keyword) && keyword !== 'default') continue
      const [before, after] = [own(was, keyword), own(is, keyword)]
      if (this.#equal(before, after)) continue
      const at = `${pointer}/${escapeToken(keyword)}`
      if (UNTOLD.has(keyword)) this.#unknown(at, keyword, before, after)
      else if (keyword === '$defs' || keyword === 'definitions') continue
      else {
        const code = WORDS.has(keyword) ? 'words' : keyword === 'default' ? 'default' : 'annotation'
        const judgement =
          keyword === 'description' || code === 'default' || keyword === 'format' ? 'notable' : 'compatible'
        this.#tell({ pointer: at, code, judgement, about: keyword, ...values(before, after) })
      }
    }
  }
}

const values = (was: Json | undefined, is: Json | undefined): Pick<SchemaChange, 'was' | 'is'> => ({
  ...(was === undefined ? {} : { was }),
  ...(is === undefined ? {} : { is }),
})

const isEmpty = (schema: Schema): boolean => schema === true || (isObject(schema) && Object.keys(schema).length === 0)

/** The schema of a property without its annotations: a renamed property may have a new description. */
const bare = (schema: Json | undefined): Json | undefined => {
  if (!isObject(schema)) return schema
  const { title: _, description: __, ...rest } = schema
  return rest
}

const propertiesOf = ({ properties }: JsonObject): ReadonlyMap<string, Json> =>
  new Map(isObject(properties) ? Object.entries(properties) : [])

const requiredOf = ({ required }: JsonObject): ReadonlySet<string> =>
  new Set(Array.isArray(required) ? (required as readonly Json[]).filter((each) => typeof each === 'string') : [])
