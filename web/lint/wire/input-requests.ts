/** Input that a server requests in the middle of a call: `input_required`, and elicitations in URL mode. */
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'
import { objectAt, type Observed } from '../link.ts'
import { group, type Say, show, step } from '../rule.ts'
import { Recent } from '../recent.ts'

// `input_required`: which methods may return it, and what it may request.

const RULES = ['CACHE-10', 'MRTR-01', 'MRTR-08', 'MRTR-09'] as const
type Id = (typeof RULES)[number]

const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])
/** Entries checked per result. */
const MOST = 100

export const rounds = group(RULES, () => ({
  message(heard, say) {
    const { kind, result, revision, method, at, asked } = heard
    if (kind !== 'answer' || result?.resultType !== 'input_required' || revision !== '2026-07-28') return
    const related = asked?.seq
    if (method !== undefined && !MAY_ASK.has(method)) {
      const what = `${show(method)} can't require input; only tools/call, prompts/get and resources/read can`
      say('MRTR-01', what, { pointer: `${at}/result/resultType`, related })
    }
    if (result.inputRequests === undefined && result.requestState === undefined) {
      say('MRTR-08', 'input_required with neither inputRequests nor requestState', { pointer: `${at}/result`, related })
    }
    for (const hint of ['ttlMs', 'cacheScope']) {
      if (Object.hasOwn(result, hint)) {
        const pointer = `${at}/result/${hint}`
        say('CACHE-10', `A result that requires input must not have ${hint}`, { pointer, related })
      }
    }
    questions(heard, say)
  },
}))

const questions = ({ result, asked, at }: Observed, say: Say<Id>): void => {
  const { inputRequests } = result!
  const pointer = `${at}/result/inputRequests`
  const related = asked?.seq
  if (inputRequests === undefined) return
  if (!isObject(inputRequests)) {
    const what = `inputRequests must be an object of requests by key; found ${show(inputRequests)}`
    return say('MRTR-09', what, { pointer, related })
  }
  let left = MOST
  for (const key in inputRequests) {
    if (left-- <= 0) return
    const fault = faultOf(inputRequests[key], asked?.capabilities)
    if (fault !== undefined) say('MRTR-09', fault, { pointer: step(pointer, key), related })
  }
}

const faultOf = (question: Json | undefined, capabilities: JsonObject | undefined): string | undefined => {
  if (!isObject(question)) return `An input request must be an object with a method; found ${show(question)}`
  for (const key of ['jsonrpc', 'id']) if (Object.hasOwn(question, key)) return `An input request must not have ${key}`
  const { method } = question
  const params = objectAt(question, 'params') ?? {}
  const needs = (path: string): string | undefined =>
    capabilities && !has(capabilities, path.split('.'))
      ? `${show(method)}, but the request didn't declare ${path}`
      : undefined
  switch (method) {
    case 'roots/list':
      return needs('roots')
    case 'sampling/createMessage':
      return needs('sampling') ?? (Object.hasOwn(params, 'tools') ? needs('sampling.tools') : undefined)
    case 'elicitation/create': {
      const undeclared = needs('elicitation')
      if (undeclared !== undefined) return undeclared
      if (params.mode === 'url') return needs('elicitation.url')
      // `{}` means form mode.
      return has(capabilities ?? {}, ['elicitation', 'url']) ? needs('elicitation.form') : undefined
    }
    default:
      return `${show(method)} isn't an input request; only elicitation/create, sampling/createMessage and roots/list are`
  }
}

const has = (capabilities: JsonObject, [first, ...rest]: readonly string[]): boolean => {
  const value = first !== undefined && Object.hasOwn(capabilities, first) ? capabilities[first] : undefined
  if (value === undefined || value === null || value === false) return false
  return rest.length === 0 || (isObject(value) && has(value, rest))
}

/** URL-mode elicitation: a completion must match a request (2025-11-25). */
export const elicitation = group(['CF-URL-05'], () => {
  /** By ID: whether its completion came. */
  const asked = new Recent<unknown, boolean>(1_000)
  return {
    message({ kind, method, params, error, at }, say) {
      if (kind === 'request' && method === 'elicitation/create') asked.set(params.elicitationId, false)
      const listed = objectAt(error, 'data')?.elicitations
      if (Array.isArray(listed)) {
        for (const entry of (listed as readonly Json[]).slice(0, 100)) {
          if (isObject(entry)) asked.set(entry.elicitationId, false)
        }
      }
      if (kind !== 'notification' || method !== 'notifications/elicitation/complete') return
      const done = asked.get(params.elicitationId)
      if (done === false) return asked.set(params.elicitationId, true)
      if (asked.forgot && !done) return
      const id = show(params.elicitationId)
      const what = done ? `The elicitation ${id} was completed already` : `No elicitation has the id ${id}`
      say('CF-URL-05', what, { pointer: `${at}/params/elicitationId` })
    },
  }
})
