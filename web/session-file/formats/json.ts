/** Converts between the lines of a session file and a single JSON array, for tools that don't read lines. */
import { isObject, pacer } from '../../mcp/index.ts'
import type { Frame, Json } from '../../mcp/index.ts'
import { readSession } from '../read.ts'
import { FORMAT, type OpenedSession, type SessionHead } from '../file.ts'
import { sessionText } from '../write.ts'

/** @returns pieces of the text: the head, each frame, and the last line with their number */
export const jsonOf = async (head: SessionHead, frames: readonly Frame[]): Promise<string[]> => {
  const pause = pacer()
  const parts: string[] = []
  for (const piece of sessionText(head, frames)) {
    // Line ends only occur between lines: those inside JSON strings are escaped.
    parts.push(parts.length === 0 ? '[' : ',\n', piece.slice(0, -1).replaceAll('\n', ',\n'))
    const wait = pause()
    if (wait) await wait
  }
  parts.push(']\n')
  return parts
}

/** @returns `undefined` if it isn't a session file */
export const sessionOfJson = async (list: readonly Json[]): Promise<OpenedSession | undefined> => {
  const [head] = list
  if (!isObject(head) || head.format !== FORMAT) return undefined
  return await readSession(linesOf(list))
}

function* linesOf(list: readonly Json[]): Generator<string> {
  for (const value of list) yield `${JSON.stringify(value)}\n`
}
