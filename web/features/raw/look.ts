/** Classifies a text while it is being typed. It can be sent in any case. */
import { judge, messagesIn } from '../../mcp/index.ts'
import type { Json, JsonObject, MessageKind, Revision } from '../../mcp/index.ts'
import { JsonSyntaxError, readJson } from '../../json/index.ts'

/** Why a client of that version never sends this message: shown as a warning. */
export type Refusal =
  /** BP-11: a stateless client sends no responses. */
  | 'answer'
  /** BP-25: only 2025-03-26 has batches. */
  | 'batch'
  /** BP-22 */
  | 'initialize-in-batch'
  /** BP-23 */
  | 'mixed-batch'

export const RULE_OF: Readonly<Record<Refusal, string>> = {
  answer: 'BP-11',
  batch: 'BP-25',
  'initialize-in-batch': 'BP-22',
  'mixed-batch': 'BP-23',
}

export interface Look {
  readonly kind: 'empty' | 'not-json' | 'too-long' | MessageKind
  readonly message?: Json
  /** The position of the JSON syntax error. */
  readonly fault?: JsonSyntaxError
  readonly refusals: readonly Refusal[]
}

/** Most characters examined on each keystroke. A longer text is sent unexamined. */
const LOOKED_AT = 1_000_000

export const look = (text: string, revision: Revision): Look => {
  if (text.trim() === '') return { kind: 'empty', refusals: [] }
  if (text.length > LOOKED_AT) return { kind: 'too-long', refusals: [] }
  let message: Json
  try {
    message = JSON.parse(text) as Json
  } catch {
    return { kind: 'not-json', refusals: [], ...faultIn(text) }
  }
  return { kind: judge(message).type, message, refusals: refusalsOf(message, revision) }
}

const faultIn = (text: string): Pick<Look, 'fault'> => {
  try {
    readJson(text)
    return {}
  } catch (error) {
    return error instanceof JsonSyntaxError ? { fault: error } : {}
  }
}

const refusalsOf = (message: Json, revision: Revision): readonly Refusal[] => {
  const parts = messagesIn(message)
  const answers = parts.filter((part) => !('method' in part) && ('result' in part || 'error' in part)).length
  const refusals: Refusal[] = []
  if (answers > 0 && revision >= '2026-07-28') refusals.push('answer')
  if (!Array.isArray(message)) return refusals
  if (revision !== '2025-03-26') return [...refusals, 'batch']
  if (parts.some(({ method }) => method === 'initialize')) refusals.push('initialize-in-batch')
  if (answers > 0 && answers < parts.length) refusals.push('mixed-batch')
  return refusals
}

/**
 * The text as it is sent. On stdio a message is one line (TR-STDIO-02): line breaks in formatted JSON become spaces,
 * which are equivalent. Text that isn't JSON is sent unchanged, as several lines.
 */
export const outgoing = (text: string, { message }: Look, lines: boolean): string =>
  lines && message !== undefined ? text.replace(/[\r\n]+/g, ' ') : text

/** A message to start from, formatted for reading. */
export const templateText = (
  method: string,
  kind: 'request' | 'notification',
  params: JsonObject,
  id: string,
): string =>
  JSON.stringify(
    {
      jsonrpc: '2.0',
      ...(kind === 'request' ? { id } : {}),
      method,
      ...(Object.keys(params).length > 0 ? { params } : {}),
    },
    null,
    2,
  )
