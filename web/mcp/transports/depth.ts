/**
 * JSON in JSON in JSON: parsing takes any depth, yet writing it again, and every walk over it, ends where the stack does.
 * A frame has to stay plain JSON that can be written, so what lies too deep is cut from the value; the text stays whole.
 */
import type { Finding, Json } from '../frame.ts'
import { DEEPEST, WIDEST } from '../json-slices.ts'
import { isObject } from '../jsonrpc.ts'

export { DEEPEST }

export const tooDeep: Finding = {
  rule: 'BP-01',
  keyword: 'MAY',
  explanation: `More than ${DEEPEST} levels in each other: below, the value is cut; its text is whole`,
}

export const tooWide: Finding = {
  rule: 'BP-01',
  keyword: 'MAY',
  explanation: `More than ${WIDEST} members in one object: the others are not in the value; its text is whole`,
}

/** Whether the text of some JSON has more levels than are kept. One pass over it, at most. */
export const isDeep = (text: string): boolean => {
  // A level takes two characters at least.
  if (text.length < 2 * DEEPEST) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      at = endOfString(text, at)
      if (at < 0) return false
    } else if (unit === BRACKET || unit === BRACE) {
      if (++depth > DEEPEST) return true
    } else if (unit === BRACKET + 2 || unit === BRACE + 2) depth--
  }
  return false
}

const [QUOTE, BACKSLASH, BRACKET, BRACE] = [0x22, 0x5c, 0x5b, 0x7b]

/** Where the string that begins here is closed; -1 where it is not. */
const endOfString = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return -1
}

/** The value down to the deepest level that is kept; what lies below reads `"…"`. */
export const shallow = (value: Json, left = DEEPEST): Json => {
  if (typeof value !== 'object' || value === null) return value
  if (left === 0) return '…'
  if (Array.isArray(value)) return value.map((part: Json) => shallow(part, left - 1))
  if (!isObject(value)) return value
  // `fromEntries` defines what an assignment would take for the prototype.
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shallow(part, left - 1)]))
}
