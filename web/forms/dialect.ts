/** Dialects of JSON Schema. */
import { isObject } from './json-schema.ts'

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
