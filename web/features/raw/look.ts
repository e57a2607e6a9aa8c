/** What kind of message a text is, while it is being typed. Nothing here keeps it from being sent. */
import { judge, messagesIn } from '../../mcp/index.ts'
import type { Json, JsonObject, MessageKind, Revision } from '../../mcp/index.ts'
import { JsonSyntaxError, readJson } from '../../json/index.ts'

/** Why a client of that version never sends this: shown before it is sent anyway. */
export type Refusal =
  /** BP-11: a client of the stateless era writes no responses. */
  | 'answer'
  /** BP-25: arrays exist in 2025-03-26 alone. */
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
  /** Where it stops being JSON. */
  readonly fault?: JsonSyntaxError
  readonly refusals: readonly Refusal[]
}

/** Characters that are looked at with each key; a longer text is sent without a look. */
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
 * The text as it goes out. On stdio a line is a message (TR-STDIO-02): line ends of laid-out JSON become spaces, which
 * mean the same there; what is no JSON goes out as it stands, as so many lines.
 */
export const outgoing = (text: string, { message }: Look, lines: boolean): string =>
  lines && message !== undefined ? text.replace(/[\r\n]+/g, ' ') : text

/** A message to begin with, laid out for people. */
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
