/**
 * Answers to the server's questions out of a recording: each recorded answer is given once, to the question that it was
 * given to, or to the next one of its method.
 */
import { ErrorCode, ProtocolError } from '../mcp/index.ts'
import type { ErrorObject, JsonObject } from '../mcp/index.ts'
import type { RecordedAnswer } from './steps.ts'

/** A question without a recorded answer. */
export interface ExtraQuestion {
  readonly method: string
  readonly params: JsonObject
}

export class ScriptedAnswers {
  readonly #left: RecordedAnswer[]
  readonly #extra: ExtraQuestion[] = []

  constructor(answers: readonly RecordedAnswer[]) {
    this.#left = answers.filter(({ result, error }) => result !== undefined || error !== undefined)
  }

  /** Asked now, and not when it was recorded. */
  get extra(): readonly ExtraQuestion[] {
    return this.#extra
  }

  /** Recorded, and not asked this time. */
  get unasked(): readonly RecordedAnswer[] {
    return this.#left
  }

  /**
   * @param key of the question among those of one result
   * @throws {ProtocolError} as it was refused in the recording; -32603 where nothing was recorded
   */
  answer(method: string, params: JsonObject, key?: string): JsonObject {
    const same = JSON.stringify(params)
    const ranked = [
      this.#left.findIndex((each) => each.method === method && key !== undefined && each.key === key),
      this.#left.findIndex((each) => each.method === method && JSON.stringify(each.params) === same),
      this.#left.findIndex((each) => each.method === method),
    ]
    const at = ranked.find((index) => index >= 0)
    if (at === undefined) {
      this.#extra.push({ method, params })
      throw new ProtocolError(ErrorCode.InternalError, `The recording holds no answer to this ${method}`)
    }
    const [{ result, error }] = this.#left.splice(at, 1) as [RecordedAnswer]
    if (result !== undefined) return result
    const { code, message, data } = error as ErrorObject
    throw new ProtocolError(code, message, data)
  }
}
