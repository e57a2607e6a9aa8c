/**
 * The verdict on a value: whether it matches a schema, where it doesn't, and what couldn't be checked; and its texts,
 * English by default, other languages with their catalogue.
 */
import { brief } from './value.ts'
import type { Value } from '../json/index.ts'
import type { Translation } from '../ui/index.svelte.ts'
import en from './text/en.ts'
import { type Dialect, dialectOf } from './json-schema.ts'

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

export type Texts = Translation<typeof en>

/** Maximum characters of server text in a message. */
const LONGEST = 120

export const shorten = (text: string, longest = LONGEST): string => {
  if (text.length <= longest) return text
  // Never split a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(longest - 2)) ? longest - 2 : longest - 1
  return `${text.slice(0, end)}…`
}

const show = (value: unknown): string =>
  shorten(typeof value === 'string' ? value : brief((value ?? null) as Value, LONGEST))

/** Choices are shown as JSON, because `1` and `"1"` differ. */
const list = (values: unknown): string => {
  if (!Array.isArray(values)) return show(values)
  const shown = values.slice(0, 8).map((value) => shorten(brief(value as Value, 40), 40))
  return shown.join(', ') + (values.length > 8 ? ', …' : '')
}

const types = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(', ') : show(value))

/** The text of an entry, which may take a value. */
export const filled = (entry: string | ((value: string) => string), value: string): string =>
  typeof entry === 'function' ? entry(value) : entry

type ProblemKey = Extract<keyof Texts, `problem-${string}`>

/** Keywords whose problems read like those of another. */
const ALIKE: ReadonlyMap<string, string> = new Map([
  ['minContains', 'contains'],
  ['maxContains', 'contains'],
  ['dependencies', 'dependentRequired'],
])

const expectedText = (keyword: string, expected: unknown): string => {
  if (keyword === 'type') return types(expected)
  if (keyword === 'enum') return list(expected)
  return keyword === 'const' ? list([expected]) : show(expected)
}

/** Keywords whose `false` schema forbids a value. */
const FORBIDDING =
  /^(false|properties|patternProperties|additionalProperties|unevaluatedProperties|items|prefixItems|additionalItems|unevaluatedItems)$/

export const explain = ({ keyword, expected }: Omit<Problem, 'message'>, t: Texts): string => {
  const key = `problem-${ALIKE.get(keyword) ?? keyword}`
  if (Object.hasOwn(t, key)) return filled(t[key as ProblemKey], expectedText(keyword, expected))
  return FORBIDDING.test(keyword) ? t.notAllowed : t.other(shorten(keyword, 40))
}

export const explainUnchecked = ({ code, detail }: Omit<Unchecked, 'message'>, t: Texts): string =>
  filled(t[`unchecked-${code}`], shorten(detail ?? ''))

export const explainNote = ({ code, detail }: Note, t: Texts): string => t[`note-${code}`](shorten(detail))

export const problemWith = (about: Omit<Problem, 'message'>): Problem => ({ ...about, message: explain(about, en) })

/** The verdict if nothing could be checked except for invalid JSON. */
export const uncheckedVerdict = (
  schema: unknown,
  unfinished: readonly string[],
  about: Omit<Unchecked, 'message'>,
): Verdict => ({
  state: unfinished.length > 0 ? 'invalid' : 'unchecked',
  dialect: dialectOf(schema),
  problems: unfinished.map(unfinishedAt),
  unchecked: { ...about, message: explainUnchecked(about, en) },
  notes: [],
})

export const unfinishedAt = (pointer: string): Problem => problemWith({ pointer, keyword: 'json', severity: 'error' })

/** A reference to a variable that has no value. */
export const variableProblem = ({ pointer, name }: { readonly pointer: string; readonly name: string }): Problem =>
  problemWith({ pointer, keyword: 'variable', severity: 'error', expected: name })

/** The mask of a secret, in place of its value. */
export const maskProblem = (pointer: string): Problem => problemWith({ pointer, keyword: 'mask', severity: 'error' })

/** Groups problems by their pointer. */
export const byPointer = (problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> => {
  const places = new Map<string, Problem[]>()
  for (const problem of problems) {
    const known = places.get(problem.pointer)
    if (known) known.push(problem)
    else places.set(problem.pointer, [problem])
  }
  return places
}
