/** Writes a changed value into the text it was read from, so that everything else stays as it was written. */
import { isList, isRecord, stringify, type Value } from './lossless.ts'
import { BRACE, BRACKET, closingQuote, endOfContainer, isSpace, QUOTE } from './tokens.ts'

/**
 * @param text valid JSON without duplicate members
 * @param was the value of `text`
 * @param now the same value with other strings, numbers or names
 * @returns `text` with the differences in place; `undefined` if the two have different shapes
 */
export const respelled = (text: string, was: Value, now: Value): string | undefined => {
  const parts: string[] = []
  let done = 0
  let at = 0
  const space = (): void => {
    while (isSpace(text.charCodeAt(at))) at++
  }
  const put = (from: number, to: number, written: string): void => {
    parts.push(text.slice(done, from), written)
    done = to
  }
  const value = (before: Value, after: Value): boolean => {
    space()
    const from = at
    if (before !== after && isList(before) && isList(after) && before.length > 0) return list(before, after)
    if (before !== after && isRecord(before) && isRecord(after) && Object.keys(before).length > 0)
      return members(before, after)
    at = endOfValue(text, from)
    if (before !== after) put(from, at, stringify(after))
    return true
  }
  const list = (before: readonly Value[], after: readonly Value[]): boolean => {
    if (before.length !== after.length) return false
    for (let item = 0; item < before.length; item++) {
      // Behind the bracket, or the comma.
      space()
      at++
      if (!value(before[item]!, after[item]!)) return false
    }
    space()
    at++
    return true
  }
  const members = (before: Readonly<Record<string, Value>>, after: Readonly<Record<string, Value>>): boolean => {
    const names = Object.keys(before)
    const renamed = Object.keys(after)
    if (names.length !== renamed.length) return false
    const same = names.every((name) => Object.hasOwn(after, name))
    const place = new Map(names.map((name, index) => [name, index]))
    for (let count = 0; count < names.length; count++) {
      space()
      at++
      space()
      const from = at
      if (text.charCodeAt(from) !== QUOTE) return false
      at = closingQuote(text, from) + 1
      const name = JSON.parse(text.slice(from, at)) as string
      const index = place.get(name)
      if (index === undefined) return false
      const other = same ? name : renamed[index]!
      if (other !== name) put(from, at, JSON.stringify(other))
      space()
      at++
      if (!value(before[name]!, after[other]!)) return false
    }
    space()
    at++
    return true
  }
  if (!value(was, now)) return undefined
  parts.push(text.slice(done))
  return parts.join('')
}

/** The offset behind the value that begins here. */
const endOfValue = (text: string, from: number): number => {
  const first = text.charCodeAt(from)
  if (first === QUOTE) return closingQuote(text, from) + 1
  if (first === BRACE || first === BRACKET) return endOfContainer(text, from)
  return from + /^[^\s,\]}]*/.exec(text.slice(from, from + 2000))![0].length
}
