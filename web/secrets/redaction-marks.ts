/** What redaction and masking leave in a recording, and what may stand in its place. */
import { runsIn } from './encodings.ts'
import { hiddenIn } from './heuristics.ts'

/** Whether something was removed from a text. */
export const holdsMark = (text: string): boolean => hiddenIn(text).length > 0

/** A part of a redacted text that may be anything, or base64 in which something was removed. */
interface Gap {
  readonly from: number
  readonly to: number
  /** The text that the base64 encodes. */
  readonly encoded?: string
}

/** Nested base64 is compared as deep as it is redacted. */
const DEEPEST = 5

const gapsIn = (redacted: string): readonly Gap[] => {
  const marks = hiddenIn(redacted).map(([from, to]): Gap => ({ from, to }))
  const runs = [...runsIn(redacted)].flatMap(({ from, to, text }): Gap[] =>
    holdsMark(text) ? [{ from, to, encoded: text }] : [],
  )
  if (runs.length === 0) return marks
  const outside = marks.filter((mark) => !runs.some((run) => run.from < mark.to && run.to > mark.from))
  return [...outside, ...runs].sort((one, other) => one.from - other.from)
}

/** Whether a text may be the one that was redacted: all of it that is left is in the other one, in the same order. */
export const fitsMarks = (redacted: string, text: string, depth = 0): boolean => {
  const gaps = depth > DEEPEST ? [] : gapsIn(redacted)
  if (gaps.length === 0) return redacted === text
  const pieces = gaps.map(({ from }, at) => redacted.slice(gaps[at - 1]?.to ?? 0, from))
  const last = redacted.slice(gaps.at(-1)!.to)
  const [first = '', ...others] = [...pieces, last]
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  const end = text.length - last.length
  let at = first.length
  for (const [index, piece] of others.entries()) {
    const isLast = index === others.length - 1
    const found = isLast ? end : text.indexOf(piece, at)
    if (found < at || (!isLast && found + piece.length > end)) return false
    const { encoded } = gaps[index]!
    if (encoded !== undefined && !fitsEncoded(encoded, text.slice(at, found), depth)) return false
    at = found + piece.length
  }
  return true
}

const fitsEncoded = (redacted: string, base64: string, depth: number): boolean => {
  const [run] = runsIn(base64)
  return run !== undefined && run.from === 0 && run.to === base64.length && fitsMarks(redacted, run.text, depth + 1)
}
