/** Selects what a form shows: which problems of a field, and which fields of a large group. */
import { formatPointer, isRecord, unescapeToken, Unfinished, type Value } from '../json/index.ts'
import type { Control } from './control.ts'
import { explain, type Texts } from './explain.ts'
import type { Field, Property } from './model.ts'
import { parseTolerant } from './tolerant.ts'
import type { Path } from './value.ts'
import type { Problem } from './verdict.ts'

export interface ShownProblem {
  readonly severity: Problem['severity']
  readonly text: string
}

interface FieldState {
  readonly control: Control
  readonly kind: Field['kind']
  /** The user has left the field or tried to send: missing values may be reported. */
  readonly ripe: boolean
}

/** Keywords that report a missing value. */
const MISSING: ReadonlySet<string> = new Set(['required', 'dependentRequired', 'dependencies'])

/** The messages of a field's problems. */
export const shownProblems = (
  found: readonly Problem[],
  value: Value | undefined,
  { control, kind, ripe }: FieldState,
  texts: Texts,
): readonly ShownProblem[] => {
  if (value instanceof Unfinished) {
    const parsed = parseTolerant(value.text)
    if (!parsed.ok) {
      const { fault, line, column } = parsed.error
      return [{ severity: 'error', text: texts.notJson(fault, line, column) }]
    }
  }
  const wrongType = control === 'number' && typeof value === 'string'
  const shown = found
    // The verdict may be one keystroke behind: a value that is present isn't missing. Missing values aren't reported
    // for fields that the user hasn't reached yet.
    .filter(({ keyword }) => !MISSING.has(keyword) || (ripe && value === undefined))
    .filter(({ keyword }) => keyword !== 'json' || value instanceof Unfinished)
    .filter(({ keyword }) => !(wrongType && keyword === 'type'))
    .map((problem) => ({ severity: problem.severity, text: explain(problem, texts) }))
  return wrongType ? [{ severity: 'error', text: texts.sentAsText(kind) }, ...shown] : shown
}

/** Number of fields per page. */
export const PAGE = 50
/** Groups with more fields have a filter. */
export const MANY = 30

export interface Shown {
  readonly shown: readonly Property[]
  /** Number of fields not shown. */
  readonly left: number
}

/** One page of the fields, plus all fields that have a value or a problem. */
export const propertiesShown = (
  field: Field,
  value: Value | undefined,
  problems: readonly Problem[],
  path: Path,
  { filter, most }: { readonly filter: string; readonly most: number },
): Shown => {
  const wanted = filter.trim().toLowerCase()
  const found = wanted === '' ? field.keys : field.keys.filter((key) => key.toLowerCase().includes(wanted))
  const page = found.slice(0, most)
  const left = found.length - page.length
  const shownOf = (keys: readonly string[]) => keys.map((key) => field.property(key))
  if (wanted !== '' || left === 0) return { shown: shownOf(page), left }
  const start = formatPointer(path).length + 1
  const drawn = new Set(page)
  const also = new Set(
    [
      ...(isRecord(value) ? Object.keys(value) : []),
      ...problems.map(({ pointer }) => {
        const [step] = pointer.slice(start).split('/')
        return unescapeToken(step!)
      }),
    ].filter((key) => field.declares(key) && !drawn.has(key)),
  )
  return { shown: shownOf([...page, ...also]), left: left - also.size }
}
