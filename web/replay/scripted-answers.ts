/**
 * Responds to server requests from a recording: each recorded response is used once, for the request it belonged to, or
 * the next one with the same method.
 */
import { ErrorCode, ProtocolError } from '../mcp/index.ts'
import type { ErrorObject, JsonObject } from '../mcp/index.ts'
import type { RecordedAnswer } from './steps.ts'

/** A server request without a recorded response. */
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

  /** Requests that weren't in the recording. */
  get extra(): readonly ExtraQuestion[] {
    return this.#extra
  }

  /** Recorded requests that didn't occur this time. */
  get unasked(): readonly RecordedAnswer[] {
    return this.#left
  }

  /**
   * @param key of the request among those of one result
   * @throws {ProtocolError} the refusal from the recording; -32603 if nothing was recorded
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
