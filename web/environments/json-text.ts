/** References in the text of a JSON message: everything but the strings that refer to a variable stays as it is written. */
import { escaped, resolve, type Resolved, type Scope } from './substitute.ts'

/** A string, and the colon that makes it a key. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/** The strings that may contain references, with their places in the text. Keys aren't among them. */
const stringsIn = (text: string): readonly { readonly at: number; readonly end: number; readonly value: string }[] =>
  Array.from(text.matchAll(STRING)).flatMap(({ 0: found, 1: colon, index }) =>
    colon === undefined && found.includes('{{')
      ? [{ at: index, end: index + found.length, value: JSON.parse(found) as string }]
      : [],
  )

const replaced = (text: string, by: (strings: readonly string[]) => readonly string[]): string => {
  const strings = stringsIn(text)
  const values = by(strings.map(({ value }) => value))
  let from = 0
  const parts = strings.flatMap(({ at, end, value }, index) => {
    if (values[index] === value) return []
    const part = [text.slice(from, at), JSON.stringify(values[index])]
    from = end
    return part
  })
  return parts.length === 0 ? text : [...parts, text.slice(from)].join('')
}

/**
 * @param text valid JSON
 * @param by resolves the strings of the text, all at once
 * @returns `value`: the text to send
 */
export const resolveText = (
  text: string,
  by: (strings: readonly string[]) => Resolved,
): Resolved & { readonly value: string } => {
  let resolved: Resolved = { value: [], used: [], faults: [] }
  const value = replaced(text, (strings) => {
    resolved = by(strings)
    return resolved.value as readonly string[]
  })
  return { ...resolved, value }
}

/** The text of a message that was sent, as it is written to be sent again. @param text valid JSON */
export const escapedText = (text: string, scope: Scope): string =>
  replaced(text, (strings) => escaped([...strings], scope) as readonly string[])

/** Resolves without anything else. */
export const inScope =
  (scope: Scope) =>
  (strings: readonly string[]): Resolved =>
    resolve([...strings], scope)
