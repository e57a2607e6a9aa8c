/** Which of a field's problems are shown, in words. */
import { Unfinished, type Value } from '../json/index.ts'
import type { Control } from './control.ts'
import { explain, type Texts } from './explain.ts'
import type { Field } from './model.ts'
import { parseTolerant } from './tolerant.ts'
import type { Problem } from './verdict.ts'

export interface ShownProblem {
  readonly severity: Problem['severity']
  readonly text: string
}

interface Circumstances {
  readonly control: Control
  readonly kind: Field['kind']
  /** The user has been here, or has tried to send: what is missing may be said. */
  readonly ripe: boolean
}

/** Keywords that miss a value. */
const MISSING: ReadonlySet<string> = new Set(['required', 'dependentRequired', 'dependencies'])

export const shownProblems = (
  found: readonly Problem[],
  value: Value | undefined,
  { control, kind, ripe }: Circumstances,
  texts: Texts,
): readonly ShownProblem[] => {
  if (value instanceof Unfinished) {
    const parsed = parseTolerant(value.text)
    if (!parsed.ok) {
      const { fault, line, column } = parsed.error
      return [{ severity: 'error', text: texts.notJson(fault, line, column) }]
    }
  }
  const astray = control === 'number' && typeof value === 'string'
  const shown = found
    // The verdict may be a keystroke old: a value that is there is not missing. And nobody is told off for what they
    // have not come to yet.
    .filter(({ keyword }) => !MISSING.has(keyword) || (ripe && value === undefined))
    .filter(({ keyword }) => keyword !== 'json' || value instanceof Unfinished)
    .filter(({ keyword }) => !(astray && keyword === 'type'))
    .map((problem) => ({ severity: problem.severity, text: explain(problem, texts) }))
  return astray ? [{ severity: 'error', text: texts.sentAsText(kind) }, ...shown] : shown
}
