/**
 * Multi round-trip requests (2026-07-28): a server may respond to a call with `input_required`, the requests it needs a
 * response to, and a state. The call is then sent again with the responses and the unchanged state.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import { wait } from './deadline.ts'
import { messageOf, TransportError } from './errors.ts'
import type { Json, JsonObject, Seq } from './frame.ts'
import { isObject } from './jsonrpc.ts'
import type { ServerRequests } from './server-requests.ts'

/** Additions to the parameters from a previous round (MRTR-06): input responses and state, or nothing. */
export interface Round {
  readonly number: number
  readonly extra: JsonObject
}

/** A call whose result required input. */
interface InterruptedCall {
  readonly method: string
  readonly seq: Seq | undefined
  readonly round: Round
  readonly abort: AbortController
}

/** MRTR-11: the limit on rounds, for a server that keeps requesting input. */
const MOST_ROUNDS = 20
/** More input requests than this in one round are invalid. */
const MOST_REQUESTS = 1000
/** MRTR-03: first and longest delay, in ms, before retrying a request that the server only postponed. */
const FIRST_DELAY = 200
const LONGEST_DELAY = 5_000

export class InputRounds {
  readonly #serverRequests: ServerRequests
  readonly #over: AbortSignal

  constructor(serverRequests: ServerRequests, over: AbortSignal) {
    this.#serverRequests = serverRequests
    this.#over = over
  }

  /**
   * Responds to every input request (MRTR-02) and returns the additions for the next round: bare responses under the
   * same keys (MRTR-10), and the state exactly as received, or none (MRTR-04, MRTR-05).
   * @throws {TransportError} `unanswered` if one can't be responded to, or there were too many rounds
   */
  async answer(
    pending: InterruptedCall,
    { questions, state }: { questions: JsonObject; state?: Json },
  ): Promise<Round> {
    const number = pending.round.number + 1
    const { method } = pending
    if (number > MOST_ROUNDS) {
      throw new TransportError('unanswered', `${method} requested input ${MOST_ROUNDS} times, which is the limit`, {
        method,
      })
    }
    const entries = Object.entries(questions)
    if (entries.length > MOST_REQUESTS) {
      throw new TransportError(
        'unanswered',
        `${entries.length} server requests at once; the limit is ${MOST_REQUESTS}`,
        {
          method,
        },
      )
    }
    const signal = AbortSignal.any([pending.abort.signal, this.#over])
    if (entries.length === 0) await wait(Math.min(FIRST_DELAY * 2 ** (number - 1), LONGEST_DELAY), signal)
    const answers = await Promise.all(
      entries.map(async ([key, question]) => [key, await this.#ask(pending, key, question, signal)] as const),
    )
    return {
      number,
      extra: {
        ...(entries.length > 0 ? { inputResponses: Object.fromEntries(answers) } : {}),
        ...(state === undefined ? {} : { requestState: state }),
      },
    }
  }

  async #ask(
    pending: InterruptedCall,
    key: string,
    question: Json | undefined,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const method = isObject(question) && typeof question.method === 'string' ? question.method : undefined
    if (method === undefined) {
      throw new TransportError('unanswered', `The request "${key.slice(0, 100)}" has no method`, { key })
    }
    try {
      const params = isObject(question) && isObject(question.params) ? question.params : {}
      return await this.#serverRequests.ask(method, params, { signal, call: pending.seq, key })
    } catch (error) {
      const what = `${pending.method} requested ${method}, which got no response: ${messageOf(error)}`
      throw new TransportError('unanswered', what, { key, method }, { cause: error })
    }
  }
}
