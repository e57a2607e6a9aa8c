/** Why a message that arrived isn't the response to a request, although it came in its place. */
import type { Json, JsonObject } from '../frame.ts'
import { idKey, isObject, isRequestId, type RequestId, messagesIn } from '../jsonrpc.ts'
import type { Received } from './tap.ts'

/**
 * `empty-response`: a success without a body. `invalid-json`: its text isn't JSON. `cut-json`: it ends in the middle of
 * JSON. `other-id`: a response with an id that no request here has. `not-json-rpc`: JSON of another kind.
 * `no-response`: something else, such as a notification. `unfinished-event`: an event without an empty line behind it,
 * which doesn't count. `stray-lines`: a stream of lines that aren't fields of events.
 */
export type ResponseFault =
  | 'empty-response'
  | 'invalid-json'
  | 'cut-json'
  | 'other-id'
  | 'not-json-rpc'
  | 'no-response'
  | 'unfinished-event'
  | 'stray-lines'

export interface UnusableResponse {
  readonly explanation: string
  readonly details: JsonObject & { readonly fault: ResponseFault }
}

/**
 * @param awaited ids of all requests whose responses are due in the same place, such as those of a batch
 * @param text the whole body, if it was one message
 */
export const unusableResponse = (
  { message, findings, size }: Received,
  id: RequestId,
  awaited: readonly RequestId[],
  text = '',
): UnusableResponse => {
  const asked = JSON.stringify(id)
  if (message === undefined) {
    const why = findings[0]?.explanation ?? 'Not JSON'
    const explanation = `The response to request ${asked} isn't JSON: ${why}`
    if (!isUnfinished(text)) return { explanation, details: { fault: 'invalid-json' } }
    // A Content-Length that counts characters instead of bytes cuts off the end.
    return { explanation, details: { fault: 'cut-json', size, wide: /[^\0-\x7F]/.test(text) } }
  }
  const known = new Set(awaited.map(idKey))
  const other = messagesIn(message).find(
    (part) =>
      isObject(part) &&
      ('result' in part || 'error' in part) &&
      part.id !== undefined &&
      !(isRequestId(part.id) && known.has(idKey(part.id))),
  )
  if (other) {
    const found = JSON.stringify(other.id).slice(0, 100)
    return {
      explanation: `The response to request ${asked} has the id ${found}`,
      details: { fault: 'other-id', asked, found },
    }
  }
  if (!messagesIn(message).some(isJsonRpc)) {
    const explanation = `The response to request ${asked} is JSON, but not JSON-RPC`
    return { explanation, details: { fault: 'not-json-rpc' } }
  }
  return {
    explanation: `The HTTP response to request ${asked} contains no response with that id`,
    details: { fault: 'no-response' },
  }
}

/** Whether it has any member that only messages have. */
const isJsonRpc = (part: Json): boolean =>
  isObject(part) && ['jsonrpc', 'method', 'result', 'error'].some((name) => Object.hasOwn(part, name))

/** Whether text that isn't JSON ends inside a string, an array or an object. */
const isUnfinished = (text: string): boolean => {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]
    if (inString) {
      if (mark === '\\') at++
      else if (mark === '"') inString = false
    } else if (mark === '"') inString = true
    else if (mark === '{' || mark === '[') depth++
    else if ((mark === '}' || mark === ']') && --depth <= 0) return false
  }
  return inString || depth > 0
}
