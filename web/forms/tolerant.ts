/**
 * What people paste: JSON text, forgiven comments, trailing commas, single quotes and names without quotes.
 * Never evaluated.
 */
import { type Value, JsonSyntaxError, readJson, type Forgiven } from '../json/index.ts'

export type Tolerant =
  | {
      readonly ok: true
      /** Absent when the text holds nothing but white space. */
      readonly value: Value | undefined
      readonly forgiven: ReadonlySet<Forgiven>
      /** Names that stood twice in one object; the last one counts. */
      readonly repeated: readonly string[]
    }
  | { readonly ok: false; readonly error: JsonSyntaxError }

/** Never throws. Text without a value is no error: it stands for absent. */
export const parseTolerant = (text: string): Tolerant => {
  if (/^[\s\uFEFF]*$/.test(text)) return { ok: true, value: undefined, forgiven: new Set(), repeated: [] }
  try {
    return { ok: true, ...readJson(text, { forgive: true }) }
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { ok: false, error }
    throw error
  }
}
