/** Judges a message from a file like one from the wire. */
import { LONG } from '../../json/index.ts'
import { isDeep, judge, parseLong, read, shallow, utf8Length, utf8LengthInSteps } from '../../mcp/index.ts'
import type { FrameDraft, Json, Link, MessageDraft } from '../../mcp/index.ts'

export type Messages = Pick<MessageDraft, 'direction' | 'carrier' | 'eventId' | 'eventName'> & { readonly link: Link }

/** Above this many characters the text is always stored: comparing would cost more than it saves. */
const COMPARE_LIMIT = 64 * 1024

/** The frame of a text. Never rejects: for invalid JSON, the frame says so. */
export const messageOfText = async (text: string, common: Messages): Promise<FrameDraft> => {
  const size = text.length > LONG ? await utf8LengthInSteps(text) : utf8Length(text)
  const parsed = text.length > LONG ? await long(text) : read(text)
  const { type, message, findings } = parsed
  const kept = message !== undefined && isDeep(text) ? shallow(message) : message
  const same = kept !== undefined && text.length <= COMPARE_LIMIT && JSON.stringify(kept) === text
  return {
    kind: 'message',
    ...common,
    type,
    ...(kept === undefined ? {} : { message: kept }),
    ...(same ? {} : { raw: text }),
    size,
    ...(common.direction === 'sent' || findings.length === 0 ? {} : { findings }),
  }
}

const long = async (text: string): Promise<ReturnType<typeof read>> => {
  try {
    return judge((await parseLong(text)).value)
  } catch {
    // It reports the reason, and is equally fast for invalid text.
    return read(text)
  }
}

/** The frame of a value whose exact text is unknown. */
export const messageOfValue = (value: Json, common: Messages): FrameDraft => {
  const { type, findings } = judge(value)
  return {
    kind: 'message',
    ...common,
    type,
    message: value,
    size: utf8Length(JSON.stringify(value)),
    ...(common.direction === 'sent' || findings.length === 0 ? {} : { findings }),
  }
}

/** Whether it is a JSON-RPC message, or a batch of them. */
export const isRpc = (value: unknown): boolean => {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value]
  return (
    parts.length > 0 &&
    parts.slice(0, 1000).every((part) => {
      if (typeof part !== 'object' || part === null) return false
      const { jsonrpc, method } = part as { jsonrpc?: unknown; method?: unknown }
      return jsonrpc === '2.0' && (typeof method === 'string' || 'result' in part || 'error' in part)
    })
  )
}
