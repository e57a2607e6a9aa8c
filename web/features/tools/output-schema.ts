/**
 * Validates `structuredContent` against the tool's `outputSchema` (SF-TOOL-14), for the panel and for the lint with the same
 * limits, so that both agree.
 */
import type { TextVerdict, Validator } from '../../forms/index.ts'
import { LONG } from '../../json/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'

export type Verdict =
  ({ readonly state: 'judged' } & TextVerdict) | { readonly state: 'gave-up'; readonly why: 'slow' | 'large' }

export interface Judgeable {
  readonly schema: JsonObject | boolean
  readonly value: Json
  /** UTF-8 size of the message that contains it. */
  readonly size: number
  /** The text of the message whose `result.structuredContent` is the value; absent if it is elsewhere. */
  readonly text: string | undefined
}

export const checkStructured = async (
  { schema, value, size, text }: Judgeable,
  validator: Validator,
  signal?: AbortSignal,
): Promise<Verdict> => {
  if (size > LONG && text !== undefined) {
    const found = await validator.validateText(schema, text, '/result/structuredContent', signal)
    return found ? { state: 'judged', ...found } : { state: 'gave-up', why: 'slow' }
  }
  if (size > validator.limits.largest) return { state: 'gave-up', why: 'large' }
  const verdict = await validator.validate(schema, value, signal)
  const total = verdict.problems.filter(({ severity }) => severity === 'error').length
  return { state: 'judged', verdict, total, more: false }
}
