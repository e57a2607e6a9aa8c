/** A session as the text of a file, in pieces, so that 100,000 frames block nobody. */
import type { Frame } from '../mcp/index.ts'
import { FORMAT, VERSION, type SessionEnd, type SessionHead } from './file.ts'

/** Characters gathered before a piece is given. */
const PIECE = 256 * 1024

export type HeadDraft = Omit<SessionHead, 'format' | 'version'>

export const headOf = (draft: HeadDraft): SessionHead => ({ format: FORMAT, version: VERSION, ...draft })

/**
 * The whole file, line by line. `Infinity` (a limit that never comes) is written as `null`, for JSON has no word for it.
 * @param head the frames may be gone through while the trace grows: what is appended meanwhile is written, too
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
