/**
 * Handles a line of stdout that was dropped because it exceeded the limit. If it was a response, its request must not
 * stay pending: the first and last bytes of the line usually show which request that was.
 */
import { TransportError } from '../errors.ts'
import { idKey, isRequestId, type RequestId } from '../jsonrpc.ts'
import type { Sink } from './transport.ts'

export interface LostLine {
  readonly stream: 'stdin' | 'stdout' | 'stderr'
  readonly what: string
  /** Bytes. */
  readonly size: number
  /** The first and last characters of the line. */
  readonly head: string
  readonly tail: string
}

/** Records it in the Trace, and fails the matching request if there is exactly one candidate. */
export const tellLostLine = (sink: Sink, { stream, what, size, head, tail }: LostLine): void => {
  const requests = stream === 'stdout' ? answeredBy(head, tail, sink.awaited?.() ?? []) : []
  const facts = requests.length === 0 ? {} : { requests }
  sink.tap.append({ kind: 'process', event: 'lost', what, size, ...facts })
  const [id] = requests
  if (id === undefined || requests.length > 1) return
  const mega = (size / 1024 / 1024).toFixed(1)
  sink.lost(
    id,
    new TransportError('proxy-refused', `The response was too large and was dropped: ${what} (${mega} MB)`, {
      id,
      size,
    }),
  )
}

/** @returns the requests that the line may have responded to; none if it wasn't a response to any of them */
export const answeredBy = (head: string, tail: string, awaited: readonly RequestId[]): readonly RequestId[] => {
  const start = /^\uFEFF?\s*([[{])/.exec(head)
  if (!start) return []
  if (start[1] === '{') {
    for (const members of [membersAtStart(head.slice(start[0].length)), membersAtEnd(tail)]) {
      if ('method' in members) return []
      const { id } = members
      if (isRequestId(id)) return awaited.filter((each) => idKey(each) === idKey(id))
    }
  }
  return awaited
}

const SCALAR = String.raw`(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)`
const MEMBER = String.raw`\s*"(?:[^"\\]|\\.)*"\s*:\s*${SCALAR}\s*`
const AT_START = new RegExp(`^(?:${MEMBER},)+`)
/** Without a `}` or `]` between them and the end, they are the message's own members. */
const AT_END = new RegExp(`(?:,${MEMBER})+(?=}\\s*$)`)

/** Members with short values at the start of the message. */
const membersAtStart = (text: string): Record<string, unknown> => {
  const members = AT_START.exec(text)?.[0].slice(0, -1) ?? ''
  const named = /^\s*"method"\s*:/.test(text.slice(members === '' ? 0 : members.length + 1))
  return { ...parsed(members), ...(named ? { method: '' } : {}) }
}

const membersAtEnd = (text: string): Record<string, unknown> => parsed(AT_END.exec(text)?.[0].slice(1) ?? '')

const parsed = (members: string): Record<string, unknown> => {
  try {
    return JSON.parse(`{${members}}`) as Record<string, unknown>
  } catch {
    return {}
  }
}
