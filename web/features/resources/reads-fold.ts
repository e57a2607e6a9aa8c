/**
 * Which requests read which resource: the last few for each URI of each connection. What became of them is told by the
 * exchanges, which this fold does not repeat.
 *
 * A read is one or more requests: a server may ask for input first (MRTR-06), or lose the session under it.
 */
import { isObject, isRequestId } from '../../mcp/index.ts'
import type { ErrorObject, Exchange, Exchanges, Fold, Json, JsonObject, Link, Seq, Trace } from '../../mcp/index.ts'

/** Reads remembered per URI, and URIs per connection; older ones are still in the Trace. */
export const READS_KEPT = 20
export const URIS_KEPT = 2000

/** The frames of its requests, in order; at least one. */
export type Rounds = readonly Seq[]
/** Connection -> URI -> its reads, oldest first; the URI read last comes last. */
export type Reads = Map<Link, Map<string, readonly Rounds[]>>

export const readsFold: Fold<Reads> = {
  initial: () => new Map(),

  step(reads, frame) {
    if (frame.kind !== 'message' || frame.direction !== 'sent') return false
    const parts = Array.isArray(frame.message) ? (frame.message as readonly Json[]) : [frame.message]
    let moved = false
    for (const part of parts) {
      if (!isObject(part) || part.method !== 'resources/read' || !isRequestId(part.id)) continue
      const uri = isObject(part.params) ? part.params.uri : undefined
      if (typeof uri !== 'string') continue
      let uris = reads.get(frame.link)
      if (!uris) reads.set(frame.link, (uris = new Map<string, readonly Rounds[]>()))
      add(uris, uri, frame.seq, frame.follows)
      moved = true
    }
    return moved ? undefined : false
  },
}

const add = (uris: Map<string, readonly Rounds[]>, uri: string, seq: Seq, follows: Seq | undefined): void => {
  const before = uris.get(uri) ?? []
  const carriesOn = follows !== undefined && before.some((rounds) => rounds.at(-1) === follows)
  const now = carriesOn
    ? before.map((rounds) => (rounds.at(-1) === follows ? [...rounds, seq] : rounds))
    : [...before, [seq]].slice(-READS_KEPT)
  uris.delete(uri)
  uris.set(uri, now)
  if (uris.size > URIS_KEPT) uris.delete(uris.keys().next().value!)
}

/** What became of one read. */
export interface ReadOutcome {
  /** The frame of the first request. */
  readonly seq: Seq
  readonly rounds: Rounds
  /** Of the last round. */
  readonly exchange: Readonly<Exchange>
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
  const base = { seq, rounds, exchange: { ...exchange }, ...took, ...error }
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
