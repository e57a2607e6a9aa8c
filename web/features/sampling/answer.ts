/**
 * The response to a sampling request, CreateMessageResult: as a draft, as fields, and checked against its protocol
 * version.
 */
import { type Json, type JsonObject, type Revision, isObject } from '../../mcp/index.ts'
import { blocksOf, readRequest, typeOf } from './request.ts'
import type { Problem as SchemaProblem, TimedValidator } from '../../forms/index.ts'

export type Schema = typeof import('../../mcp/schema/schema.ts')

/** The four values in the specification. Any other string is allowed (CF-SAMP-06). */
export const STOP_REASONS = ['endTurn', 'maxTokens', 'stopSequence', 'toolUse'] as const

/** The initial value of a manual response, with no content of its own. */
export const emptyAnswer = (): JsonObject => ({
  role: 'assistant',
  content: { type: 'text', text: '' },
  model: 'by-hand',
  stopReason: 'endTurn',
})

export const answerBlocks = ({ content }: JsonObject): readonly Json[] => blocksOf(content)

/** A single block isn't wrapped in an array, which every version supports (CF-SAMP-07). */
export const withBlocks = (answer: JsonObject, blocks: readonly Json[]): JsonObject => ({
  ...answer,
  content: blocks.length === 1 ? blocks[0]! : blocks,
})

/** Sets a key, or removes it if the value is absent. The order of the other keys stays. */
export const withKey = (answer: JsonObject, key: string, value: Json | undefined): JsonObject => {
  if (value !== undefined) return { ...answer, [key]: value }
  const { [key]: gone, ...rest } = answer
  void gone
  return rest
}

/** A call of one of the offered tools, with an id that the response doesn't use yet. */
export const toolUse = (answer: JsonObject, name: string): JsonObject => {
  const taken = new Set(answerBlocks(answer).map((block) => (isObject(block) ? block.id : undefined)))
  let number = 1
  while (taken.has(`call_${number}`)) number++
  return { type: 'tool_use', id: `call_${number}`, name, input: {} }
}

/** Adds a call. It replaces the initial empty text. */
export const addToolUse = (answer: JsonObject, name: string): JsonObject => {
  const blocks = answerBlocks(answer).filter(
    (block) => !(isObject(block) && block.type === 'text' && block.text === ''),
  )
  return { ...withBlocks(answer, [...blocks, toolUse(answer, name)]), stopReason: 'toolUse' }
}

export interface Problem {
  readonly code:
    | 'shape'
    | 'role'
    | 'no-content'
    | 'use-not-offered'
    | 'use-unknown'
    | 'use-forbidden'
    | 'use-required'
    | 'use-reason'
    | 'use-input'
    | 'reason-use'
    | 'result-block'
    | 'repeated-id'
  readonly rule: string
  /** `breach`: invalid in the protocol version. `note`: valid, but probably unintended. */
  readonly level: 'breach' | 'note'
  /** JSON pointer (RFC 6901) into the response. */
  readonly pointer?: string
  readonly expected?: string
  readonly found?: string
}

/**
 * The problems of a response (CF-SAMP-06, CF-SAMP-07, CF-SAMP-10); empty if there are none.
 * @param params of the request it responds to
 */
export const problemsOf = (
  answer: JsonObject,
  params: JsonObject,
  revision: Revision,
  schema: Schema | undefined,
): readonly Problem[] => {
  const { tools, toolChoice } = readRequest(params)
  const found: Problem[] = shapeOf(answer, revision, schema)
  const blocks = answerBlocks(answer)
  const uses = blocks.filter((block) => typeOf(block) === 'tool_use')
  const say = (code: Problem['code'], rule: string, level: Problem['level'], what?: string) =>
    found.push({ code, rule, level, ...(what === undefined ? {} : { found: what.slice(0, 100) }) })
  if (answer.role === 'user') say('role', 'CF-SAMP-06', 'note')
  if (Array.isArray(answer.content) && blocks.length === 0) say('no-content', 'CF-SAMP-06', 'note')
  if (blocks.some((block) => typeOf(block) === 'tool_result')) say('result-block', 'CF-SAMP-09', 'note')
  const names = new Set(tools.map(({ name }) => name))
  const ids = new Set<Json | undefined>()
  for (const use of uses) {
    if (!isObject(use)) continue
    if (tools.length > 0 && typeof use.name === 'string' && !names.has(use.name)) {
      say('use-unknown', 'CF-SAMP-07', 'breach', use.name)
    }
    if (ids.has(use.id)) say('repeated-id', 'CF-SAMP-09', 'breach', JSON.stringify(use.id ?? null))
    ids.add(use.id)
  }
  if (uses.length > 0) {
    if (tools.length === 0) say('use-not-offered', 'CF-SAMP-08', 'breach')
    else if (toolChoice === 'none') say('use-forbidden', 'CF-SAMP-10', 'breach')
    if (answer.stopReason !== undefined && answer.stopReason !== 'toolUse') say('use-reason', 'CF-SAMP-06', 'note')
  } else {
    if (toolChoice === 'required' && tools.length > 0) say('use-required', 'CF-SAMP-10', 'breach')
    if (answer.stopReason === 'toolUse') say('reason-use', 'CF-SAMP-06', 'note')
  }
  return found
}

const shapeOf = (answer: JsonObject, revision: Revision, schema: Schema | undefined): Problem[] => {
  if (!schema) return []
  // Since 2026-07-28 the response isn't a message of its own, but its shape is still that of 2025-11-25.
  const judged = revision < '2025-11-25' ? revision : '2025-11-25'
  const message = { jsonrpc: '2.0', id: 0, result: answer }
  return schema
    .verdict(message, { revision: judged, direction: 'sent', method: 'sampling/createMessage' })
    .map(({ rule, pointer, expected, found, severity }) => ({
      code: 'shape' as const,
      rule,
      level: severity === 'breach' ? ('breach' as const) : ('note' as const),
      pointer: pointer.replace(/^\/result/, '') || '/',
      expected,
      found,
    }))
}

/** The first text of a response, or the tools that it calls; at most 200 characters. */
export const gistOfAnswer = (answer: JsonObject): string => {
  const words = answerBlocks(answer)
    .slice(0, 20)
    .map((block) => {
      if (!isObject(block)) return ''
      if (block.type === 'text' && typeof block.text === 'string') return block.text.slice(0, 300)
      return block.type === 'tool_use' && typeof block.name === 'string' ? `${block.name}(…)` : (typeOf(block) ?? '')
    })
  return words.filter(Boolean).join(' ').replace(/\s+/g, ' ').trim().slice(0, 200)
}

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
 * Checks the tool calls in a response (`tool_use`) against the inputSchema of the tools that the request offers. Never
 * rejects; what can't be checked isn't a problem.
 * @param params of the request it responds to
 */
export const inputProblemsOf = async (
  answer: JsonObject,
  params: JsonObject,
  validator: TimedValidator,
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
