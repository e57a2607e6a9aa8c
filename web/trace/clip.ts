/** Formats values from the wire as short texts: peers may send anything, of any length. */
import type { Json, JsonObject } from '../mcp/index.ts'
import { markHidden } from '../ui/index.ts'
import { jsonHead } from './facts.ts'

/** Longest text from the wire in a row, in UTF-16 units. */
const CLIP = 300

/** Line breaks and tabs would break a row, and bidi controls would reverse it; the detail shows the original text. */
export const clip = (text: string): string => {
  const line = markHidden(text.slice(0, CLIP).replace(/\s+/g, ' ').trim()).text
  return text.length > CLIP ? `${line}…` : line
}

export const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const stringOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** Values other than strings and numbers are shown as JSON. */
export const scalar = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : brief(value)

export const brief = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : jsonHead(value, CLIP + 1)

/** A code as words: `iss-mismatch` and `issMismatch` are "iss mismatch". */
export const readable = (code: string): string =>
  clip(code)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[-_]+/g, ' ')
    .toLowerCase()

/** Pairs per list, and UTF-16 units per value. */
const MOST_PAIRS = 100
const LONGEST_VALUE = 4_000

/** The members of an object, each as a line of text; values other than strings are JSON. */
export const valuePairs = (values: JsonObject | undefined): readonly (readonly [name: string, value: string])[] => {
  const pairs: (readonly [string, string])[] = []
  for (const name in values) {
    if (pairs.length >= MOST_PAIRS) break
    const value = values[name]
    if (value === undefined) continue
    const text = typeof value === 'string' ? value : jsonHead(value, LONGEST_VALUE + 1)
    pairs.push([name, text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text])
  }
  return pairs
}
