/** Expectations on a response, and whether they are met. */
import { resolvePointer } from '../json/index.ts'
import type { Json, JsonObject } from '../mcp/index.ts'
import { diffOf } from './diff.ts'
import type { Expectation, Outcome } from './steps.ts'

export interface ExpectationResult {
  readonly expectation: Expectation
  readonly met: boolean
  /** The actual value, as short JSON or in ms; absent if the expectation is met. */
  readonly found?: string
}

export interface Judges {
  /**
   * Validates a value against a JSON Schema; `undefined` if it is valid. If this callback is absent, the check can't
   * pass.
   */
  readonly validate?: (schema: JsonObject, value: Json) => string | undefined | Promise<string | undefined>
  /** Violations of a MUST caused by the step. */
  readonly musts: number
}

/** Characters of the actual value to report. */
const TOLD = 200

export const judged = async (
  expectations: readonly Expectation[],
  outcome: Outcome,
  judges: Judges,
): Promise<ExpectationResult[]> => {
  const results: ExpectationResult[] = []
  for (const expectation of expectations) {
    const found = await faultOf(expectation, outcome, judges)
    results.push({ expectation, met: found === undefined, found })
  }
  return results
}

export const statusOf = (outcome: Outcome): 'ok' | 'tool-error' | 'error' | 'cancelled' | 'timeout' | 'lost' => {
  if ('ended' in outcome) return outcome.ended
  if ('error' in outcome) return 'error'
  return outcome.result.isError === true ? 'tool-error' : 'ok'
}

/** Expects the recorded status again; `undefined` for a call without a response. */
export const statusExpectation = (outcome: Outcome): Extract<Expectation, { kind: 'status' }> | undefined => {
  const status = statusOf(outcome)
  if (status !== 'ok' && status !== 'tool-error' && status !== 'error') return undefined
  return { kind: 'status', status, ...('error' in outcome ? { code: outcome.error.code } : {}) }
}

const faultOf = async (
  expectation: Expectation,
  outcome: Outcome,
  { validate, musts }: Judges,
): Promise<string | undefined> => {
  const answer: Json | undefined = 'result' in outcome ? outcome.result : undefined
  switch (expectation.kind) {
    case 'status': {
      const status = statusOf(outcome)
      const code = 'error' in outcome ? outcome.error.code : undefined
      if (status !== expectation.status) return code === undefined ? status : `${status} ${code}`
      return expectation.code === undefined || expectation.code === code ? undefined : `${status} ${code}`
    }
    case 'equals': {
      const value = resolvePointer(answer, expectation.pointer)
      const { counting } = await diffOf(expectation.value, value, { rules: [], method: '' })
      return counting === 0 ? undefined : foundText(value)
    }
    case 'matches': {
      const value = resolvePointer(answer, expectation.pointer ?? '')
      if (value === undefined) return 'nothing'
      return validate ? await validate(expectation.schema, value) : "a schema that can't be validated"
    }
    case 'contains': {
      const text = textOf(outcome)
      return text.includes(expectation.text) ? undefined : foundText(text)
    }
    case 'under':
      return outcome.took < expectation.limit ? undefined : `${Math.round(outcome.took)} ms`
    case 'no-must':
      return musts === 0 ? undefined : String(musts)
  }
}

/** The text of text blocks, and everything else as JSON. */
const textOf = (outcome: Outcome): string => {
  if ('ended' in outcome) return ''
  const whole = 'result' in outcome ? outcome.result : outcome.error
  const content = 'result' in outcome && Array.isArray(outcome.result.content) ? outcome.result.content : []
  const texts = (content as readonly Json[]).flatMap((block) => {
    const text = (block as { readonly text?: Json } | null)?.text
    return typeof text === 'string' ? [text] : []
  })
  return [...texts, JSON.stringify(whole)].join('\n')
}

const foundText = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > TOLD ? `${text.slice(0, TOLD)}…` : text
}
