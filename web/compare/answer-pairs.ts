/** Pairs the responses of two servers or sessions to the same requests, for comparison. */
import { isObject } from '../mcp/index.ts'
import type { JsonObject } from '../mcp/index.ts'
import { key } from './schema-keywords.ts'
import type { Step } from '../replay/index.ts'

export interface AnswerPair {
  readonly method: string
  readonly was: Step
  readonly is: Step
}

/** Lists and handshakes are compared as offers instead. */
const OFFERED = /^(initialize|ping|server\/discover|(tools|resources|resources\/templates|prompts)\/list)$/

/** Maximum number of pairs. */
const MOST = 1000

/**
 * Pairs the nth request of a kind with the nth equal request of the other side, in the order of the first. IDs and
 * `_meta` are ignored.
 */
export const answerPairs = (before: readonly Step[], after: readonly Step[]): readonly AnswerPair[] => {
  const waiting = new Map<string, Step[]>()
  for (const step of after) {
    const asked = askedBy(step)
    if (asked === undefined) continue
    const like = waiting.get(asked)
    if (like) like.push(step)
    else waiting.set(asked, [step])
  }
  const taken = new Map<string, number>()
  const pairs: AnswerPair[] = []
  for (const was of before) {
    const asked = askedBy(was)
    if (asked === undefined || pairs.length >= MOST) continue
    const at = taken.get(asked) ?? 0
    taken.set(asked, at + 1)
    const is = waiting.get(asked)?.[at]
    if (is) pairs.push({ method: was.method, was, is })
  }
  return pairs
}

/** The response in the form it is displayed. */
export const answerOf = ({ recorded }: Pick<Step, 'recorded'>): JsonObject | undefined => {
  if (!recorded || 'ended' in recorded) return undefined
  return 'result' in recorded ? recorded.result : { error: recorded.error as unknown as JsonObject }
}

/** `undefined` if the step has no response to compare. */
const askedBy = (step: Step): string | undefined => {
  if (step.kind !== 'request' || OFFERED.test(step.method) || !answerOf(step)) return undefined
  const { _meta, ...params } = isObject(step.params) ? step.params : {}
  return `${step.method} ${key(params)}`
}
