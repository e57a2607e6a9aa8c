/** A session as the text of a file, in pieces, so that 100,000 frames don't block the page. */
import { type Frame, pacer } from '../mcp/index.ts'
import { EXTENSION, FORMAT, VERSION, type SessionEnd, type SessionHead } from './file.ts'

/** Characters collected per piece. */
const PIECE = 256 * 1024

export type HeadDraft = Omit<SessionHead, 'format' | 'version'>

export const headOf = (draft: HeadDraft): SessionHead => ({ format: FORMAT, version: VERSION, ...draft })

/**
 * The name of a file for this session, valid in every file system.
 * @param head as it leaves: the name that was typed may contain a secret
 */
export const fileNameOf = ({ name, servers, begunAt, part }: SessionHead, ending = EXTENSION): string => {
  const words = (name ?? servers[0]?.name ?? '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80)
  return `${words || 'session'}${part && part !== 'session' ? `-${part}` : ''}-${begunAt.slice(0, 19).replaceAll(':', '-')}${ending}`
}

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

/**
 * A single JSON array of the lines, for tools that don't read lines.
 * @returns pieces of the text: the head, each frame, and the last line with their number
 */
export const jsonOf = async (head: SessionHead, frames: readonly Frame[]): Promise<string[]> => {
  const pause = pacer()
  const parts: string[] = []
  for (const piece of sessionText(head, frames)) {
    // Line ends only occur between lines: those inside JSON strings are escaped.
    parts.push(parts.length === 0 ? '[' : ',\n', piece.slice(0, -1).replaceAll('\n', ',\n'))
    await pause()
  }
  parts.push(']\n')
  return parts
}
