/**
 * Limits nesting: JSON can be parsed at any depth, but serializing it, and every recursive traversal, fails when the
 * stack is full. A frame must stay serializable JSON, so content that is too deep is cut from the value; the text stays
 * complete.
 */
import { BRACE, BRACE_END, BRACKET, BRACKET_END, closingQuote, nextMark, QUOTE } from '../../json/index.ts'
import type { Finding, Json } from '../frame.ts'
import { DEEPEST, WIDEST } from '../../json/index.ts'
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

/** Whether JSON text has more levels than are retained. At most one pass. */
export const isDeep = (text: string): boolean => {
  // A level needs at least two characters.
  if (text.length < 2 * DEEPEST) return false
  let depth = 0
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = closingQuote(text, at)
    else if (unit === BRACKET || unit === BRACE) {
      if (++depth > DEEPEST) return true
    } else if (unit === BRACKET_END || unit === BRACE_END) depth--
  }
  return false
}

/** The value down to the deepest retained level; content below it becomes `"…"`. */
export const shallow = (value: Json, left = DEEPEST): Json => {
  if (typeof value !== 'object' || value === null) return value
  if (left === 0) return '…'
  if (Array.isArray(value)) return value.map((part: Json) => shallow(part, left - 1))
  if (!isObject(value)) return value
  // `fromEntries` also defines `__proto__` as a property, where an assignment would set the prototype.
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shallow(part, left - 1)]))
}
