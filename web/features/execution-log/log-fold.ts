/**
 * The execution log: every call of a tool that was sent or held back, in order, as the trace has it. So a recording has
 * the same log as the session it recorded.
 */
import {
  getOrInsert,
  idKey,
  isObject,
  isRequestId,
  type CallOrigin,
  type Clearance,
  type Exchange,
  type Exchanges,
  type Fold,
  type Frame,
  type HeldBack,
  type Json,
  type JsonObject,
  type Link,
  type MessageFrame,
  type RequestId,
  type Seq,
  type Verdict,
  verdictOf,
} from '../../mcp/index.ts'

export interface LoggedCall {
  readonly seq: Seq
  /** ms since the trace began. */
  readonly at: number
  /** Its place among the calls of the message. */
  readonly index: number
  /** Absent if the text leaves it open, or its body was released. */
  readonly tool?: string
  /** Absent for a call without response: a notification. */
  readonly id?: RequestId
  /** Absent if the recording doesn't say: it is of another tool, or of an earlier version. */
  readonly origin?: CallOrigin
  readonly policy?: string
  readonly by?: Clearance['by']
  /** Why it was not sent. */
  readonly held?: HeldBack
}

type LogsByLink = Map<Link, LoggedCall[]>

export const executionLogFold: Fold<LogsByLink> = {
  initial: () => new Map(),
  step(logs, frame) {
    const calls = callsOf(frame)
    if (calls.length === 0) return false
    getOrInsert(logs, frame.link, () => []).push(...calls)
  },
}

const callsOf = (frame: Frame): readonly LoggedCall[] => {
  const { seq, at } = frame
  if (frame.kind === 'session' && frame.phase === 'held-back') {
    const { tool, origin, policy, why } = frame
    return [{ seq, at, index: 0, ...(tool === undefined ? {} : { tool }), origin, policy, held: why }]
  }
  if (frame.kind !== 'message' || frame.direction !== 'sent') return []
  const { cleared, released } = frame
  const messages = callMessagesIn(frame)
  if (!cleared) {
    if (messages.length > 0) return messages.map((message, index) => ({ seq, at, index, ...factsIn(message) }))
    return released?.method === 'tools/call' ? [{ seq, at, index: 0, ...idOf(released.id) }] : []
  }
  return cleared.map(({ tool, origin, policy, by }, index) => {
    const message = messages.length === cleared.length ? messages[index] : undefined
    // The gate says which tool it is: a text may name two.
    return {
      seq,
      at,
      index,
      ...idOf(message?.id ?? released?.id),
      ...(tool === undefined ? {} : { tool }),
      origin,
      policy,
      by,
    }
  })
}

const callMessagesIn = ({ message }: MessageFrame): readonly JsonObject[] => {
  const parts: readonly Json[] = message === undefined ? [] : Array.isArray(message) ? message : [message]
  return parts.filter((part): part is JsonObject => isObject(part) && part.method === 'tools/call')
}

const factsIn = ({ id, params }: JsonObject): Pick<LoggedCall, 'tool' | 'id'> => ({
  ...(isObject(params) && typeof params.name === 'string' ? { tool: params.name } : {}),
  ...idOf(id),
})

const idOf = (id: Json | undefined): Pick<LoggedCall, 'id'> => (isRequestId(id) ? { id } : {})

/** The arguments as sent; `undefined` if there are none, or its body was released. */
export const argumentsOf = ({ index }: LoggedCall, frame: Frame | undefined): Json | undefined => {
  const message = frame?.kind === 'message' ? callMessagesIn(frame)[index] : undefined
  return message && isObject(message.params) ? message.params.arguments : undefined
}

/** What became of a call. `held-back`: it was not sent. `no-response`: none is due. */
type CallResult =
  | { readonly outcome: Verdict; readonly exchange: Exchange }
  | { readonly outcome: 'held-back' | 'no-response'; readonly exchange?: undefined }

export const resultOf = ({ seq, id, held }: LoggedCall, exchanges: Pick<Exchanges, 'all' | 'bySeq'>): CallResult => {
  if (held) return { outcome: 'held-back' }
  if (id === undefined) return { outcome: 'no-response' }
  const isIt = (exchange: Exchange) => exchange.request === seq && idKey(exchange.id) === idKey(id)
  // Only the exchanges of a batch share a frame.
  const first = exchanges.bySeq.get(seq)
  const exchange = first && isIt(first) ? first : exchanges.all.find(isIt)
  return exchange ? { outcome: verdictOf(exchange), exchange } : { outcome: 'no-response' }
}

/** ms from the request to its end. */
export const tookOf = ({ exchange }: CallResult): number | undefined =>
  exchange?.endedAt === undefined ? undefined : exchange.endedAt - exchange.startedAt
