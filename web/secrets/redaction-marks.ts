/** What redaction and masking leave in a recording, and what may stand in its place. */
import { masksIn } from './heuristics.ts'

/** Whether something was removed from a text. */
export const holdsMark = (text: string): boolean => masksIn(text).length > 0

/** Whether a text may be the one that was redacted: all of it that is left is in the other one, in the same order. */
export const fitsMarks = (redacted: string, text: string): boolean => {
  const pieces: string[] = []
  let done = 0
  for (const [from, to] of masksIn(redacted)) {
    pieces.push(redacted.slice(done, from))
    done = to
  }
  const last = redacted.slice(done)
  const [first = ''] = pieces
  if (pieces.length === 0) return redacted === text
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  const end = text.length - last.length
  let at = first.length
  for (const piece of pieces.slice(1)) {
    const found = text.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}
