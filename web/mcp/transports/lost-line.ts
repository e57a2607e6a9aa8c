/**
 * A line of stdout was over the limit and was dropped. Where it was a response, its request must not stay pending: what is
 * left of the line, its first and last bytes, usually tells which one it was.
 */
import { TransportError } from '../errors.ts'
import { idKey, isRequestId, type RequestId } from '../jsonrpc.ts'
import type { Sink } from './transport.ts'

export interface LostLine {
  readonly stream: 'stdin' | 'stdout' | 'stderr'
  readonly what: string
  /** Bytes. */
  readonly size: number
  /** The first and the last characters of the line. */
  readonly head: string
  readonly tail: string
}

/** Tells the Trace, and fails the request that the line answered, where only one can be meant. */
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

/** @returns the requests of which the line may have answered one: none where it was no response to any of them */
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
/** No `}` or `]` stands between them and the end, so they are the message's own. */
const AT_END = new RegExp(`(?:,${MEMBER})+(?=}\\s*$)`)

/** Members with short values that come before any other. */
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
