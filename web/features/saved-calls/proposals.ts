/** The expectations that a result suggests for the test made of it. */
import { resolvePointer } from '../../json/index.ts'
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'
import { statusExpectation, type Expectation, type Outcome } from '../../replay/index.ts'

export interface Proposal {
  readonly expectation: Exclude<Expectation, { readonly kind: 'equals' | 'no-must' }>
  /** Sensible for most tests; the others are offered unchecked. */
  readonly likely: boolean
}

/** Characters of a text to look for. */
const LONGEST_TEXT = 200
/** Levels and members described by a schema: enough to notice a change, short enough to read. */
const DEEPEST = 4
const MOST_MEMBERS = 50
/** Shortest time limit in ms, the times that the recorded call may be exceeded, and the step of the limit in ms. */
const TIME = { least: 1000, factor: 3, step: 500 } as const

/** In the order in which they are shown; none for a call without a response. */
export const proposalsFrom = (outcome: Outcome): readonly Proposal[] => {
  const status = statusExpectation(outcome)
  if (!status) return []
  const text = lineOf(outcome)
  const structured = 'result' in outcome ? outcome.result.structuredContent : undefined
  const limit = Math.max(TIME.least, Math.ceil((outcome.took * TIME.factor) / TIME.step) * TIME.step)
  return [
    { expectation: status, likely: true },
    ...(text === undefined
      ? []
      : [{ expectation: { kind: 'contains', text } as const, likely: structured === undefined }]),
    ...(structured === undefined
      ? []
      : [
          {
            expectation: { kind: 'matches', pointer: '/structuredContent', schema: structureOf(structured) } as const,
            likely: true,
          },
        ]),
    { expectation: { kind: 'under', limit }, likely: false },
  ]
}

/** The first line that says something, of a text block or an error. */
const lineOf = (outcome: Outcome): string | undefined => {
  if ('ended' in outcome) return undefined
  if ('error' in outcome) return cut(outcome.error.message)
  const content = resolvePointer<Json>(outcome.result, '/content')
  for (const block of Array.isArray(content) ? (content as readonly Json[]) : []) {
    const text = isObject(block) && block.type === 'text' ? block.text : undefined
    const line = typeof text === 'string' ? cut(text) : undefined
    if (line !== undefined) return line
  }
  return undefined
}

const cut = (text: string): string | undefined => {
  const line = text.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each))
  return line?.trim().slice(0, LONGEST_TEXT)
}

/** A schema that other values of the same structure satisfy. */
const structureOf = (value: Json, depth = 0): JsonObject => {
  if (value === null) return {}
  if (Array.isArray(value)) {
    const items = value as readonly Json[]
    const found = new Set(items.slice(0, MOST_MEMBERS).map((item) => JSON.stringify(structureOf(item, depth + 1))))
    const [only] = found
    const same = depth < DEEPEST && found.size === 1 && items.length <= MOST_MEMBERS
    return { type: 'array', ...(same && only ? { items: JSON.parse(only) as JsonObject } : {}) }
  }
  if (!isObject(value)) return { type: typeof value }
  const members = Object.entries(value).slice(0, depth < DEEPEST ? MOST_MEMBERS : 0)
  if (members.length === 0) return { type: 'object' }
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([key, member]) => [key, structureOf(member, depth + 1)])),
    required: members.map(([key]) => key),
  }
}
