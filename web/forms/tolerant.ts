/**
 * Parses pasted JSON, tolerating comments, trailing commas, single quotes and unquoted names. Never evaluates it.
 */
import { type Value, JsonSyntaxError, readJson, type Forgiven } from '../json/index.ts'

export type Tolerant =
  | {
      readonly ok: true
      /** Absent if the text is only white space. */
      readonly value: Value | undefined
      readonly forgiven: ReadonlySet<Forgiven>
      /** Duplicate names in an object; the last one counts. */
      readonly repeated: readonly string[]
    }
  | { readonly ok: false; readonly error: JsonSyntaxError }

/** Never throws. Empty text isn't an error: it means absent. */
export const parseTolerant = (text: string): Tolerant => {
  if (/^[\s\uFEFF]*$/.test(text)) return { ok: true, value: undefined, forgiven: new Set(), repeated: [] }
  try {
    return { ok: true, ...readJson(text, { forgive: true }) }
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { ok: false, error }
    throw error
  }
}
