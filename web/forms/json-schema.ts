/** Reading the keywords of a JSON Schema. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isSchema = (value: unknown): value is JsonObject | boolean => typeof value === 'boolean' || isObject(value)

/** A non-empty string. */
export const wordsOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])

/** The names in an array such as `required`. */
export const namesOf = (value: unknown): readonly string[] =>
  listOf(value).filter((name): name is string => typeof name === 'string')

/** The types that `type` names, as written. */
export const typesOf = ({ type }: JsonObject): readonly Json[] =>
  type === undefined ? [] : Array.isArray(type) ? (type as readonly Json[]) : [type]

/** A schema without some of its keywords. */
export const without = (schema: JsonObject, ...keywords: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))
