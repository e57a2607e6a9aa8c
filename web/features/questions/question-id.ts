/** The id of a question: the same wherever it is made, from what the Trace holds. */
import type { Link, Seq } from '../../mcp/index.ts'

/** Longest part of a server's own text that an id holds as it is. */
const TEXT_IN_ID = 60

/** The id of a request. @param at which of the requests of a batch; 0 where it travelled alone */
export const requestQuestionId = (seq: Seq, at = 0): string => (at === 0 ? `${seq}` : `${seq}-${at}`)

/** The id of a question in a result that asks. @param request the frame of the request that this result answers */
export const roundQuestionId = (request: Seq, key: string): string => `${request}.${mark(key)}`

/** The id of a question within a task. */
export const taskQuestionId = (link: Link, task: string, key: string): string => `${link}.${mark(task)}.${mark(key)}`

/** A server may name things as long as it likes; an id stays short, and stands for the whole name. */
const mark = (text: string): string => {
  const plain = encodeURIComponent(text.slice(0, TEXT_IN_ID).toWellFormed())
  if (text.length <= TEXT_IN_ID) return plain.replaceAll('.', '%2E')
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return `${plain.replaceAll('.', '%2E')}~${text.length}~${(hash >>> 0).toString(36)}`
}
