/**
 * Which requests read which resource, and what became of each read: the same for a session and a recording.
 */
import { isObject } from '../../mcp/index.ts'
import type { ErrorObject, Exchange, Exchanges, ExchangeStatus, Json, JsonObject, Seq, Trace } from '../../mcp/index.ts'
import { roundsFold, type Rounds } from '../rounds-fold.ts'

export const readsFold = roundsFold('resources/read', 'uri')

/** What became of one read. */
export interface ReadOutcome {
  /** The frame of the first request. */
  readonly seq: Seq
  readonly rounds: Rounds
  /** Of the last round. */
  readonly exchange: Readonly<Exchange>
  readonly state: ExchangeStatus
  /** The whole answer, and its text where that differs. */
  readonly message?: JsonObject
  readonly raw?: string
  readonly result?: JsonObject
  readonly error?: ErrorObject
  /** UTF-8 bytes of the answer. */
  readonly size?: number
  /** ms from request to end. */
  readonly took?: number
  /** An answer came, but its body is gone. */
  readonly released?: true
}

export const outcomeOf = (rounds: Rounds, { bySeq }: Exchanges, trace: Trace): ReadOutcome | undefined => {
  const [seq, last] = [rounds[0]!, rounds.at(-1)!]
  const exchange = bySeq.get(last)
  if (!exchange) return undefined
  const startedAt = bySeq.get(seq)?.startedAt ?? exchange.startedAt
  const took = exchange.endedAt === undefined ? {} : { took: exchange.endedAt - startedAt }
  const error = exchange.error ? { error: exchange.error } : {}
  const base = { seq, rounds, exchange: { ...exchange }, state: exchange.status, ...took, ...error }
  const frame = exchange.response === undefined ? undefined : trace.at(exchange.response)
  if (frame?.kind !== 'message') return base
  const message = answerIn(frame.message, exchange)
  if (!message) return { ...base, size: frame.size, ...(frame.released ? { released: true } : {}) }
  return {
    ...base,
    message,
    ...(frame.raw !== undefined && message === frame.message ? { raw: frame.raw } : {}),
    ...(isObject(message.result) ? { result: message.result } : {}),
    size: frame.size,
  }
}

/** In a batch, the one that answers. */
const answerIn = (message: Json | undefined, { id }: Exchange): JsonObject | undefined => {
  if (isObject(message)) return message
  if (!Array.isArray(message)) return undefined
  return (message as readonly Json[]).filter(isObject).find((part) => part.id === id && !('method' in part))
}

/** What is wrong with the result of a read, as a code for the catalogues. */
export interface ReadFinding {
  readonly code: 'no-contents' | 'empty-contents'
  readonly rule: string
  readonly keyword: 'MUST' | 'MUST NOT'
}

/** @param revision of the session; from 2026-07-28 on nothing at all is no way to say "not found" (SF-RES-05) */
export const readFindings = ({ contents }: JsonObject, revision?: string): readonly ReadFinding[] => {
  if (!Array.isArray(contents)) return [{ code: 'no-contents', rule: 'SF-RES-03', keyword: 'MUST' }]
  if (contents.length > 0 || (revision !== undefined && revision < '2026-07-28')) return []
  return [{ code: 'empty-contents', rule: 'SF-RES-05', keyword: 'MUST NOT' }]
}

/**
 * Whether an error says that there is no such resource, and how sure that is (BP-35, BP-36). `legacy`: the code of before
 * 2026-07-28 in a later revision. `maybe`: a code that says no more than that something is wrong with the parameters.
 */
export const notFound = (code: number, revision?: string): 'sure' | 'legacy' | 'maybe' | undefined => {
  const modern = revision !== undefined && revision >= '2026-07-28'
  if (code === -32002) return modern ? 'legacy' : 'sure'
  if (code === -32602) return modern ? 'sure' : 'maybe'
  return undefined
}
