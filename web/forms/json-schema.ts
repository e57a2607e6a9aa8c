/** Reading the keywords of a JSON Schema, and its regular expressions. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** Keywords or types, written as a list of words. */
export const keywordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))

export const TYPES: ReadonlySet<string> = keywordSet('string number integer boolean null array object')

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

/** Whether a pattern matches; `undefined`: unknown, or not a valid regular expression. */
export type MatchPattern = (pattern: string, text: string) => boolean | undefined

/**
 * Compiles a server's regular expression. It may backtrack for years, so this is called only where the run can be
 * terminated: in the page's worker (`page-validator.ts`) and under a time limit in Node.
 *
 * JSON Schema recommends the `u` flag, but many patterns in use are only valid without it, such
 * as `\-` outside a class.
 */
export const compilePattern = (pattern: string): RegExp | undefined => {
  if (pattern.length > 10_000) return undefined
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // Try the next flags.
    }
  }
  return undefined
}

export const matchPattern: MatchPattern = (pattern, text) => compilePattern(pattern)?.test(text)

/** The supported dialects; a schema without `$schema` is 2020-12 (JS-01). */
export type Dialect = '2020-12' | '2019-09' | 'draft-07' | 'draft-06' | 'draft-04'

/** The dialect that a schema's `$schema` names; `undefined` if it is unsupported (JS-02). */
export const dialectOf = (schema: unknown): Dialect | undefined => {
  const declared = isObject(schema) ? schema['$schema'] : undefined
  if (declared === undefined) return '2020-12'
  if (typeof declared !== 'string') return undefined
  const found = /^https?:\/\/json-schema\.org\/(?:draft\/(2020-12|2019-09)|(draft-0[467]))\/schema#?$/.exec(declared)
  return (found?.[1] ?? found?.[2]) as Dialect | undefined
}
