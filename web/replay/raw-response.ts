/**
 * Waits for the responses to a manually written text: no call of the session awaits them, so this watches the Trace.
 */
import { exchanges, isErrorObject, isObject, messageOf, TransportError } from '../mcp/index.ts'
import type { Exchange, Json, Seq, Session } from '../mcp/index.ts'
import type { Outcome } from './steps.ts'

type Ended<O = Outcome> = O extends Outcome ? Omit<O, 'took'> : never

export interface RawResult {
  /** The frame of the sent text. */
  readonly seq: Seq | undefined
  /** The outcome of its last request; absent if it contained none. */
  readonly last: Ended | undefined
  /** Why the server or the network didn't accept it. */
  readonly refused: string | undefined
}

/**
 * Sends a text and waits until every request in it has ended, or `limit` ms have passed; the Trace then records that
 * the requests were given up.
 * @param from the length of the trace before
 * @throws {UsageError} `not-open`; or it couldn't be sent at all
 */
export const responsesTo = async (
  session: Pick<Session, 'raw' | 'trace' | 'link'>,
  text: string,
  from: Seq,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<RawResult> => {
  const { trace, link } = session
  const state = exchanges.initial()
  let seq: Seq | undefined
  let own: readonly Exchange[] = []
  let wake = () => {}
  const stop = trace.subscribe((frame) => {
    if (frame.link !== link || frame.seq < from) return
    if (seq === undefined && frame.kind === 'message' && frame.byHand) seq = frame.seq
    // Pair only the requests of this text: the fold needn't see other pending requests.
    if (seq !== undefined) exchanges.step(state, frame)
    if (frame.seq === seq) own = state.all.filter(({ request }) => request === seq)
    if (own.every(({ status }) => status !== 'pending')) wake()
  })
  let refused: string | undefined
  try {
    try {
      await session.raw(text)
    } catch (error) {
      // It was sent but not accepted: that is its outcome.
      if (seq === undefined || !(error instanceof TransportError)) throw error
      refused = messageOf(error)
    }
    if (own.some(({ status }) => status === 'pending')) {
      const timeout = AbortSignal.timeout(Math.ceil(limit))
      const over = signal ? AbortSignal.any([timeout, signal]) : timeout
      await new Promise<void>((resolve) => {
        wake = resolve
        over.addEventListener('abort', () => resolve(), { once: true })
        if (over.aborted) resolve()
      })
      const left = own.filter(({ status }) => status === 'pending')
      if (seq !== undefined && left.length > 0) {
        const [why, explanation] = timeout.aborted
          ? (['timeout', `No response within ${Math.round(limit) / 1000} s`] as const)
          : (['cancelled', 'The run was stopped'] as const)
        for (const { request } of left) {
          trace.append({ kind: 'session', phase: 'gave-up', link, request, why, explanation })
        }
      }
    }
  } finally {
    stop()
  }
  const last = own.at(-1)
  return { seq, refused, last: last && endOf(last, trace) }
}

const endOf = ({ status, response, error, id }: Exchange, trace: Session['trace']): Ended => {
  const frame = response === undefined ? undefined : trace.at(response)
  const message = frame?.kind === 'message' ? frame.message : undefined
  const parts = Array.isArray(message) ? (message as readonly Json[]) : [message]
  const part = parts.find((each) => isObject(each) && each.id === id) ?? (parts.length === 1 ? parts[0] : undefined)
  if (isObject(part) && isObject(part.result)) return { result: part.result }
  if (isObject(part) && isErrorObject(part.error)) return { error: part.error }
  if (error) return { error }
  return { ended: status === 'cancelled' || status === 'timeout' ? status : 'lost' }
}
