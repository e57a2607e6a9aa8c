/**
 * Multi round-trip requests (2026-07-28): a result with input requests, the responses, and the parameters of the next
 * round.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import type { PendingCall, Round } from './call.ts'
import { wait } from './deadline.ts'
import { messageOf, TransportError } from './errors.ts'
import type { Json, JsonObject } from './frame.ts'
import type { AnswerDesk } from './inbound.ts'
import { isObject } from './jsonrpc.ts'

/** MRTR-11: the limit on rounds, for a server that keeps requesting input. */
const MOST_ROUNDS = 20
/** More input requests than this in one round are invalid. */
const MOST_QUESTIONS = 1000
/** MRTR-03: first and longest delay, in ms, before retrying a request that the server only postponed. */
const FIRST_DELAY = 200
const LONGEST_DELAY = 5_000

export class Rounds {
  readonly #desk: AnswerDesk
  readonly #over: AbortSignal

  constructor(desk: AnswerDesk, over: AbortSignal) {
    this.#desk = desk
    this.#over = over
  }

  /**
   * Responds to every input request (MRTR-02) and returns the additions for the next round: bare responses under the
   * same keys (MRTR-10), and the state exactly as received, or none (MRTR-04, MRTR-05).
   * @throws {TransportError} `unanswered` if one can't be responded to, or there were too many rounds
   */
  async answer(pending: PendingCall, { questions, state }: { questions: JsonObject; state?: Json }): Promise<Round> {
    const number = pending.round.number + 1
    const { method } = pending
    if (number > MOST_ROUNDS) {
      throw new TransportError('unanswered', `${method} requested input ${MOST_ROUNDS} times, which is the limit`, {
        method,
      })
    }
    const entries = Object.entries(questions)
    if (entries.length > MOST_QUESTIONS) {
      throw new TransportError(
        'unanswered',
        `${entries.length} server requests at once; the limit is ${MOST_QUESTIONS}`,
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

  async #ask(pending: PendingCall, key: string, question: Json | undefined, signal: AbortSignal): Promise<JsonObject> {
    const method = isObject(question) && typeof question.method === 'string' ? question.method : undefined
    if (method === undefined) {
      throw new TransportError('unanswered', `The request "${key.slice(0, 100)}" has no method`, { key })
    }
    try {
      const params = isObject(question) && isObject(question.params) ? question.params : {}
      return await this.#desk.ask(method, params, { signal, call: pending.seq, key })
    } catch (error) {
      const what = `${pending.method} requested ${method}, which got no response: ${messageOf(error)}`
      throw new TransportError('unanswered', what, { key, method }, { cause: error })
    }
  }
}
