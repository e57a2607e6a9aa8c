/**
 * A small language for the shapes of messages: each shape is defined once, as plain data, for all protocol versions.
 *
 * A field, a member of a union, or a requirement to be present may have a range of versions (`from`, `until`). Objects
 * are open, as in the official schemas: keys that no definition names always pass. TypeScript types are derived from
 * the definitions: `Shape<typeof tool>`. Such a type covers all versions at once, so members that aren't required in
 * every version are optional.
 */
import type { Json, JsonObject } from '../frame.ts'
import type { Revision, Span } from '../revision.ts'

/** A definition; `rule` is the checklist row that a violation cites, its own or an ancestor's. */
export type Node = { readonly rule?: string } & (
  | { readonly kind: 'any' | 'string' | 'boolean' | 'id' | 'null' }
  | { readonly kind: 'number' | 'integer'; readonly least?: number; readonly most?: number }
  | { readonly kind: 'literal'; readonly values: readonly string[] }
  | { readonly kind: 'array'; readonly of: Node; readonly most?: number }
  /** Any keys, with values of one type. */
  | { readonly kind: 'record'; readonly of: Node }
  /** `quiet`: keys of other protocol versions aren't reported, as in `_meta` and JSON Schemas. */
  | { readonly kind: 'object'; readonly fields: FieldNodes; readonly quiet?: boolean }
  /** The value of `key` selects the member; `otherwise` applies if it is absent. */
  | {
      readonly kind: 'variants'
      readonly key: string
      readonly of: Readonly<Record<string, Node | Slot>>
      readonly otherwise?: string
    }
  | { readonly kind: 'union'; readonly of: readonly (Node | Slot)[] }
)

/** A node with a range of versions. A bare node means "required in every version". */
export interface Slot {
  readonly kind: 'slot'
  readonly type: Node
  readonly since?: Revision
  readonly until?: Revision
  /** The protocol versions in which it is required; absent if in none. */
  readonly need?: Partial<Span>
  /** Exists only if this extension was declared. */
  readonly extension?: string
  /** Legitimately used in other protocol versions: no note. */
  readonly quiet?: boolean
}

/** Several slots are alternatives for different protocol versions. */
export type FieldNodes = Readonly<Record<string, Node | Slot | readonly Slot[]>>

declare const shape: unique symbol

/** A definition of values of type `T`. */
export type Type<T> = Node & { readonly [shape]?: T }
/** A definition of values of type `T` that don't exist in every protocol version. */
export type Spanned<T> = Slot & { readonly [shape]?: T }

/** The TypeScript type of a definition. */
export type Shape<D> = D extends { readonly [shape]?: infer T } ? T : never

type Alternatives<T> = readonly Slot[] & { readonly [shape]?: T }
type Fields = Readonly<Record<string, Type<unknown> | Spanned<unknown> | Alternatives<unknown>>>
type Flat<T> = { readonly [K in keyof T]: T[K] }
type ObjectOf<F extends Fields> = Flat<
  { readonly [K in keyof F as F[K] extends Node ? K : never]: Shape<F[K]> } & {
    readonly [K in keyof F as F[K] extends Node ? never : K]?: Shape<F[K]>
  }
>

export const any = (): Type<Json> => ({ kind: 'any' })
export const string = (): Type<string> => ({ kind: 'string' })
export const boolean = (): Type<boolean> => ({ kind: 'boolean' })
export const number = (least?: number, most?: number): Type<number> => ({ kind: 'number', least, most })
export const integer = (least?: number): Type<number> => ({ kind: 'integer', least })
/** IDs and progress tokens: a string or an integer (BP-02, UT-PROG-01). */
export const id = (): Type<string | number> => ({ kind: 'id' })
export const literal = <const V extends readonly string[]>(...values: V): Type<V[number]> => ({
  kind: 'literal',
  values,
})
export const array = <T>(of: Type<T>, most?: number): Type<readonly T[]> => ({ kind: 'array', of, most })
export const record = <T>(of: Type<T>): Type<{ readonly [key: string]: T }> => ({ kind: 'record', of })
/** An object without further requirements. */
export const bag = (): Type<JsonObject> => record(any())
export const object = <const F extends Fields>(fields: F): Type<ObjectOf<F>> => ({ kind: 'object', fields })
/** An object whose keys from other protocol versions aren't reported: `_meta`, JSON Schemas. */
export const quiet = <const F extends Fields>(fields: F): Type<ObjectOf<F>> => ({
  kind: 'object',
  fields,
  quiet: true,
})
export const variants = <const M extends Readonly<Record<string, Type<unknown> | Spanned<unknown>>>>(
  key: string,
  of: M,
  otherwise?: keyof M & string,
): Type<Shape<M[keyof M]>> => ({ kind: 'variants', key, of, otherwise })
export const union = <const M extends readonly (Type<unknown> | Spanned<unknown>)[]>(
  ...of: M
): Type<Shape<M[number]>> => ({ kind: 'union', of })
export const nullable = <T>(type: Type<T>): Type<T | null> => ({
  kind: 'union',
  of: [type, { kind: 'null' }],
})

/** The checklist row for violations: an ID, followed by pairs of protocol version and next ID, separated by spaces. */
export const by = <T>(rule: string, type: Type<T>): Type<T> => ({ ...type, rule })

const slotted = (of: Node | Slot): Slot => (of.kind === 'slot' ? of : { kind: 'slot', type: of, need: {} })

export const optional = <T>(type: Type<T>): Spanned<T> => ({ kind: 'slot', type })
export const from = <T>(since: Revision, of: Type<T> | Spanned<T>): Spanned<T> => ({ ...slotted(of), since })
export const until = <T>(until: Revision, of: Type<T> | Spanned<T>): Spanned<T> => ({ ...slotted(of), until })
export const only = <T>(revision: Revision, of: Type<T> | Spanned<T>): Spanned<T> => from(revision, until(revision, of))
/** Known earlier, and required from this version. */
export const requiredFrom = <T>(since: Revision, type: Type<T>): Spanned<T> => ({
  kind: 'slot',
  type,
  need: { since },
})
/** Known later, but required only up to this version. */
export const requiredUntil = <T>(until: Revision, type: Type<T>): Spanned<T> => ({
  kind: 'slot',
  type,
  need: { until },
})
/** One name whose definition changed between versions. */
export const inTurn = <const S extends readonly Spanned<unknown>[]>(...slots: S): Alternatives<Shape<S[number]>> =>
  slots
/** Exists only if the extension was declared. */
export const extended = <T>(extension: string, of: Type<T> | Spanned<T>): Spanned<T> => ({ ...slotted(of), extension })
/** Legitimately also sent in older protocol versions. */
export const tolerated = <T>(of: Spanned<T>): Spanned<T> => ({ ...of, quiet: true })
