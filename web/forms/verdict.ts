/** The verdict on a value: whether it matches a schema, where it doesn't, and what couldn't be checked. */
import { isObject } from './json-schema.ts'

/** The supported dialects; a schema without `$schema` is 2020-12 (JS-01). */
export type Dialect = '2020-12' | '2019-09' | 'draft-07' | 'draft-06' | 'draft-04'

export interface Problem {
  /** RFC 6901, into the value. A missing value is reported at its own path. */
  readonly pointer: string
  /** The violated keyword; `json` for text that isn't valid JSON. */
  readonly keyword: string
  /** English; for other languages use `explain`. */
  readonly message: string
  /** Format is an annotation, not an assertion (2020-12 Validation, section 7.2.1): a warning. */
  readonly severity: 'error' | 'warning'
  /** The keyword's value. */
  readonly expected?: unknown
}

/** Why there is no verdict. The value can be sent anyway. */
export interface Unchecked {
  readonly code:
    | 'dialect'
    /** JS-05, JS-07: a part that would have to be fetched makes the whole schema unusable instead of permissive. */
    | 'remote'
    | 'unresolved'
    /** JS-08. */
    | 'time'
    | 'size'
    | 'recursion'
    | 'schema'
  readonly detail?: string
  /** English; for other languages use `explainUnchecked`. */
  readonly message: string
}

/** A part of the schema that wasn't checked. */
export interface Note {
  readonly code: 'pattern' | 'type' | 'keyword'
  readonly detail: string
}

export interface Verdict {
  readonly state: 'valid' | 'invalid' | 'unchecked'
  /** Absent if `$schema` names an unsupported dialect. */
  readonly dialect: Dialect | undefined
  readonly problems: readonly Problem[]
  readonly unchecked?: Unchecked
  readonly notes: readonly Note[]
}

/** The dialect that a schema's `$schema` names; `undefined` if it is unsupported (JS-02). */
export const dialectOf = (schema: unknown): Dialect | undefined => {
  const declared = isObject(schema) ? schema['$schema'] : undefined
  if (declared === undefined) return '2020-12'
  if (typeof declared !== 'string') return undefined
  const found = /^https?:\/\/json-schema\.org\/(?:draft\/(2020-12|2019-09)|(draft-0[467]))\/schema#?$/.exec(declared)
  return (found?.[1] ?? found?.[2]) as Dialect | undefined
}
