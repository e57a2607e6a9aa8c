/** What checking a value against a schema comes to. */

/** The dialects that can be checked; a schema without `$schema` is 2020-12 (JS-01). */
export type Dialect = '2020-12' | '2019-09' | 'draft-07' | 'draft-06' | 'draft-04'

export interface Problem {
  /** RFC 6901, into the value. What is missing is named where it is missed. */
  readonly pointer: string
  /** The keyword that is broken; `json` for text that is no JSON. */
  readonly keyword: string
  /** English; `explain` gives it in any language. */
  readonly message: string
  /** Format is an annotation, not an assertion (2020-12 Validation, section 7.2.1): a warning. */
  readonly severity: 'error' | 'warning'
  /** What the keyword says. */
  readonly expected?: unknown
}

/** Why nothing was decided. A value can be sent all the same. */
export interface Unchecked {
  readonly code:
    | 'dialect'
    /** JS-05, JS-07: a part that would have to be fetched makes the whole unusable, never permissive. */
    | 'remote'
    | 'unresolved'
    /** JS-08. */
    | 'time'
    | 'size'
    | 'recursion'
    | 'schema'
  readonly detail?: string
  /** English; `explainUnchecked` gives it in any language. */
  readonly message: string
}

/** A part of the schema that was left out of the check. */
export interface Note {
  readonly code: 'pattern' | 'type' | 'keyword'
  readonly detail: string
}

export interface Verdict {
  readonly state: 'valid' | 'invalid' | 'unchecked'
  /** Absent when `$schema` names one that cannot be checked. */
  readonly dialect: Dialect | undefined
  readonly problems: readonly Problem[]
  readonly unchecked?: Unchecked
  readonly notes: readonly Note[]
}
