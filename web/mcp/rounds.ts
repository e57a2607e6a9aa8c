/**
 * Multi round-trip requests (2026-07-28): a result that asks, the answers, and what the next round says.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import type { PendingCall, Round } from './call.ts'
import { wait } from './deadline.ts'
import { messageOf, TransportError } from './errors.ts'
import type { Json, JsonObject } from './frame.ts'
import type { AnswerDesk } from './inbound.ts'
import { isObject } from './jsonrpc.ts'

/** MRTR-11: a server that never has enough is left alone after so many rounds. */
const MOST_ROUNDS = 20
/** More questions in one round than this are no questions. */
const MOST_QUESTIONS = 1000
/** MRTR-03: first and longest wait, in ms, before a request is sent again that the server only put off. */
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
   * Answers every question (MRTR-02) and gives what the next round adds: bare answers under the same keys (MRTR-10), and the
   * state exactly as it came, or none (MRTR-04, MRTR-05).
   * @throws {TransportError} `unanswered` when one cannot be answered, or there were too many rounds
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
