/**
 * The two checks of `structuredContent`, for the panel and for the lint with the same limits, so that both agree:
 * whether it matches the tool's `outputSchema` (SF-TOOL-14), and whether a text block repeats it (SF-TOOL-17). And its
 * numbers as the server wrote them.
 */
import type { TextVerdict, TimedValidator } from '../../forms/index.ts'
import { hasSpelling, LONG, readExactly, type Value } from '../../json/index.ts'
import { isObject, pacer, parseLong } from '../../mcp/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'

export type Verdict =
  | ({ readonly state: 'judged' } & TextVerdict)
  | { readonly state: 'gave-up'; readonly why: 'slow' | 'large' }

interface Judgeable {
  readonly schema: JsonObject | boolean
  readonly value: Json
  /** UTF-8 size of the message that contains it. */
  readonly size: number
  /** The text of the message whose `result.structuredContent` is the value; absent if it is elsewhere. */
  readonly text: string | undefined
}

export const checkStructured = async (
  { schema, value, size, text }: Judgeable,
  validator: TimedValidator,
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

/** Most characters of text blocks that are parsed for this; beyond that there is no verdict. */
const MOST = 32_000_000
const BLOCKS = 1_000
/** Values compared between two pauses. */
const STEP = 2_000

/**
 * Whether a text block holds the same value as JSON. Whitespace, key order and the notation of numbers don't matter.
 * Runs in steps.
 * @returns `undefined` if there is too much to parse
 */
export const repeats = async (content: Json | undefined, structured: Json): Promise<boolean | undefined> => {
  if (!Array.isArray(content)) return false
  const blocks = content as readonly Json[]
  const pause = pacer()
  let left = MOST
  for (const block of blocks.slice(0, BLOCKS)) {
    if (!isObject(block) || block.type !== 'text' || typeof block.text !== 'string') continue
    left -= block.text.length
    if (left < 0) return undefined
    const value = await valueOf(block.text)
    if (value === undefined) continue
    const steps = comparing(value, structured)
    let step = steps.next()
    for (; !step.done; step = steps.next()) await pause()
    if (step.value) return true
  }
  return blocks.length > BLOCKS ? undefined : false
}

const valueOf = async (text: string): Promise<Json | undefined> => {
  try {
    return text.length > LONG ? (await parseLong(text)).value : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

/** Whether two values are equal; yields every `step` values. */
export function* comparing(a: Json, b: Json, step = STEP): Generator<void, boolean> {
  const left: (readonly [Json | undefined, Json | undefined])[] = [[a, b]]
  for (let seen = 1; left.length > 0; seen++) {
    if (seen % step === 0) yield
    const [one, other] = left.pop()!
    if (one === other) continue
    if (Array.isArray(one)) {
      const [items, others] = [one as readonly Json[], other as readonly Json[]]
      if (!Array.isArray(other) || items.length !== others.length) return false
      for (let at = 0; at < items.length; at++) {
        if (at % step === step - 1) yield
        left.push([items[at], others[at]])
      }
      continue
    }
    if (!isObject(one) || !isObject(other)) return false
    const keys = Object.keys(one)
    if (keys.length !== Object.keys(other).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false
      left.push([one[key], other[key]])
    }
  }
  return true
}

/** Longest message that is parsed again for exact numbers, in characters. */
const MOST_AGAIN = 8_000_000

/**
 * The structured content with its number literals preserved.
 * @param text the message; `undefined` is returned if it is long
 */
export const exactFrom = (text: string): Value | undefined => {
  if (text.length > LONG) return undefined
  try {
    return structuredIn(readExactly(text))
  } catch {
    return undefined
  }
}

/**
 * The same for a long message, in steps. Resolves with `undefined` if no number differs: a new value would reset the
 * tree on screen.
 */
export const exactFromLong = (text: string): Promise<Value | undefined> | undefined => {
  if (text.length <= LONG || text.length > MOST_AGAIN) return undefined
  let spelled = false
  const read = (piece: string) => {
    const exact = readExactly(piece)
    spelled ||= hasSpelling(exact)
    return exact
  }
  return parseLong(text, { read }).then(({ value }) => (spelled ? structuredIn(value) : undefined))
}

const structuredIn = (message: Value): Value | undefined =>
  (message as { readonly result?: { readonly structuredContent?: Value } }).result?.structuredContent
