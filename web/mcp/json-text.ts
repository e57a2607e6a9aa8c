/** JSON texts of messages: parses long ones with pauses, and changes one member without parsing the rest. */
import { closingQuote, nextMark, parsing, type JsonObject, type Parsed, type Slicing, jsonIn } from '../json/index.ts'
import { nextTask, pacer } from './pace.ts'

/**
 * JSON of any size, parsed in slices with pauses between them.
 * @throws {SyntaxError} the text isn't valid JSON
 */
export const parseLong = async (text: string, slicing?: Slicing): Promise<Parsed> => {
  // The caller may already have used up its own slice.
  await nextTask()
  const pause = pacer()
  const steps = parsing(text, slicing)
  let step = steps.next()
  for (; !step.done; step = steps.next()) await pause()
  return step.value
}

/**
 * Changes members without touching the rest of the text, which keeps number spellings that parsing would lose (BR-12).
 *
 * Returns the text of an object with these members in place of its own members of the same name, or prepended if it has
 * none. Text that isn't an object is returned unchanged.
 */
export const injected = (text: string, members: JsonObject): string => {
  const opening = /^\s*\{\s*/.exec(text)?.[0]
  const names = Object.keys(members)
  if (opening === undefined || names.length === 0) return text
  let result = text
  const absent: string[] = []
  for (const name of names) {
    const span = memberSpan(result, name)
    if (span) result = result.slice(0, span.from) + JSON.stringify(members[name]) + result.slice(span.to)
    else absent.push(`${JSON.stringify(name)}:${JSON.stringify(members[name])}`)
  }
  if (absent.length === 0) return result
  const rest = result.slice(opening.length)
  return `{${absent.join(',')}${rest.startsWith('}') ? '' : ','}${rest}`
}

/** The span of a top-level member's value in an object's text; the last one counts, as in JSON.parse. */
const memberSpan = (text: string, name: string): { from: number; to: number } | undefined => {
  let depth = 0
  let key: string | undefined
  let from = -1
  let found: { from: number; to: number } | undefined
  const close = (to: number) => {
    if (from >= 0 && key === name) found = { from, to: text.slice(0, to).trimEnd().length }
    key = undefined
    from = -1
  }
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
    const unit = text[at]!
    if (unit === '"') {
      const begun = at
      at = closingQuote(text, at)
      if (depth === 1 && key === undefined) key = jsonIn(text.slice(begun, at + 1)) as string | undefined
    } else if (unit === '{' || unit === '[') depth++
    else if (unit === '}' || unit === ']') {
      depth--
      if (depth === 0) close(at)
    } else if (depth === 1 && unit === ':' && from < 0) from = at + 1 + /^\s*/.exec(text.slice(at + 1))![0].length
    else if (depth === 1 && unit === ',') close(at)
  }
  return found
}
