/** A session as the text of a file, in pieces, so that 100,000 frames don't block the page. */
import type { Frame } from '../mcp/index.ts'
import { FORMAT, VERSION, type SessionEnd, type SessionHead } from './file.ts'

/** Characters collected per piece. */
const PIECE = 256 * 1024

export type HeadDraft = Omit<SessionHead, 'format' | 'version'>

export const headOf = (draft: HeadDraft): SessionHead => ({ format: FORMAT, version: VERSION, ...draft })

/**
 * The whole file, line by line. `Infinity` (no limit) is written as `null`, because JSON can't represent it.
 * @param head the frames may be iterated while the trace grows: frames appended meanwhile are also written
 */
export function* sessionText(head: SessionHead, frames: Iterable<Frame>): Generator<string, void> {
  let piece = `${JSON.stringify(head)}\n`
  let count = 0
  for (const frame of frames) {
    piece += `${JSON.stringify(frame)}\n`
    count++
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  const end: SessionEnd = { kind: 'end', frames: count }
  yield `${piece}${JSON.stringify(end)}\n`
}
