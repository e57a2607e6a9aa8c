/** Checks the tool calls in a response (`tool_use`) against the inputSchema of the tools that the request offers. */
import type { Problem as SchemaProblem, Validator } from '../../forms/index.ts'
import { isObject } from '../../mcp/index.ts'
import type { JsonObject } from '../../mcp/index.ts'
import { answerBlocks, type Problem } from './answer.ts'
import { readRequest, typeOf } from './request.ts'

/** Most calls checked per response, and most problems listed per call. */
const MOST_CALLS = 50
const MOST_PROBLEMS = 5

export interface InputProblem extends Problem {
  readonly code: 'use-input'
  /** The violation; `explain` describes it in any language. */
  readonly broken: SchemaProblem
}

/** Whether the response contains tool calls to check. */
export const hasToolUse = (answer: JsonObject): boolean =>
  answerBlocks(answer).some((block) => typeOf(block) === 'tool_use')

/**
 * Never rejects; what can't be checked isn't a problem.
 * @param params of the request it responds to
 */
export const inputProblemsOf = async (
  answer: JsonObject,
  params: JsonObject,
  validator: Validator,
): Promise<readonly InputProblem[]> => {
  if (!hasToolUse(answer)) return []
  const { tools } = readRequest(params)
  const found: InputProblem[] = []
  const calls = [...answerBlocks(answer).entries()]
    .filter(([, block]) => typeOf(block) === 'tool_use')
    .slice(0, MOST_CALLS)
  for (const [at, block] of calls) {
    if (!isObject(block)) continue
    const tool = tools.find(({ name }) => name === block.name)
    if (!tool?.schema) continue
    const { problems } = await validator.validate(tool.schema, block.input ?? {})
    for (const broken of problems.filter(({ severity }) => severity === 'error').slice(0, MOST_PROBLEMS)) {
      const pointer = `/content/${at}/input${broken.pointer}`
      found.push({ code: 'use-input', rule: 'CF-SAMP-07', level: 'breach', pointer, found: tool.name, broken })
    }
  }
  return found
}
