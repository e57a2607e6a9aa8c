/**
 * Whether structured content is repeated as JSON in a text block (SF-TOOL-17). Whitespace, key order and the notation
 * of numbers don't matter.
 */
import { LONG } from '../../json/index.ts'
import { isObject, pacer, parseLong } from '../../mcp/index.ts'
import type { Json } from '../../mcp/index.ts'

/** Most characters of text blocks that are parsed for this; beyond that there is no verdict. */
const MOST = 32_000_000
const BLOCKS = 1_000
/** Values compared between two pauses. */
const STEP = 2_000

/**
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
