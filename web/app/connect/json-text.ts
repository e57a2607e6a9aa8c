/** JSON as people paste it: comments, trailing commas and single quotes forgiven, and the place of what is wrong. */
import { parseTolerant } from '../../forms/index.ts'
import { plain, type Fault } from '../../json/index.ts'

export interface JsonProblem {
  readonly fault: Fault
  /** What was found there; empty at the end of the text. */
  readonly found: string
  /** From 1. */
  readonly line: number
  readonly column: number
}

/** Never throws. */
export const parseJson = (text: string): { readonly value: unknown } | { readonly problem: JsonProblem } => {
  const parsed = parseTolerant(text)
  if (parsed.ok) return { value: parsed.value === undefined ? undefined : plain(parsed.value) }
  const { fault, found, line, column } = parsed.error
  return { problem: { fault, found, line, column } }
}
