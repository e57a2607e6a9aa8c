/** The id of a server request, which is the same wherever it is computed from the Trace. */
import type { Link, Seq } from '../../mcp/index.ts'

/** Longest string from a server that an id contains unchanged. */
const TEXT_IN_ID = 60

/**
 * The id of a JSON-RPC request.
 * @param at index in a batch; 0 outside one
 */
export const plainRequestId = (seq: Seq, at = 0): string => (at === 0 ? `${seq}` : `${seq}-${at}`)

/**
 * The id of a request in an `input_required` result.
 * @param request the frame of the request that the result responds to
 */
export const roundRequestId = (request: Seq, key: string): string => `${request}.${mark(key)}`

/** The id of a request within a task. */
export const taskRequestId = (link: Link, task: string, key: string): string => `${link}.${mark(task)}.${mark(key)}`

/** Keeps ids short: long strings from a server are cut and completed with their length and a hash. */
const mark = (text: string): string => {
  const plain = encodeURIComponent(text.slice(0, TEXT_IN_ID).toWellFormed())
  if (text.length <= TEXT_IN_ID) return plain.replaceAll('.', '%2E')
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return `${plain.replaceAll('.', '%2E')}~${text.length}~${(hash >>> 0).toString(36)}`
}
