/**
 * The rule that responds to a trusted server automatically: off until the user turns it on, and rate-limited per minute
 * (CF-SAMP-15). It leaves to the user what a person should review (CF-SAMP-02): an invalid request, a tool loop
 * (CF-SAMP-11), an unsuitable response.
 */
import type { TimedValidator } from '../../forms/index.ts'
import { loadPageValidator } from '../../forms/lazy.ts'
import { relayFetch, type JsonObject } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'
import type { ServerRequest } from '../server-request.ts'
import { problemsOf, hasToolUse, inputProblemsOf } from './answer.ts'
import { EndpointError } from './endpoint-format.ts'
import { findingsOf, MOST_ROUNDS } from './findings.ts'
import { readRequest, toolRounds } from './request.ts'
import { settingsOf, type HoldReason, type SamplingSettings } from './sampling-settings.ts'

export const PER_MINUTE = 5
export const MOST_PER_MINUTE = 60

/** An integer from 1 to 60. */
export const perMinuteOf = (typed: number): number =>
  Number.isFinite(typed) ? Math.min(MOST_PER_MINUTE, Math.max(1, Math.round(typed))) : PER_MINUTE

/**
 * @param loadValidator loads the validator that checks a response's tool calls against the offered tools
 * @returns `undefined`, or a promise of it, if the user must respond
 */
export const autoAnswer = (
  request: Pick<ServerRequest, 'id' | 'params'>,
  server: Pick<ServerView, 'trace' | 'link' | 'kept' | 'peer' | 'relay'>,
  signal: AbortSignal,
  now: () => number = () => performance.now(),
  loadValidator: () => Promise<TimedValidator> = async () => (await loadPageValidator()).pageValidator,
): JsonObject | Promise<JsonObject | undefined> | undefined => {
  const settings = settingsOf(server)
  const { rule } = settings
  if (!rule) return undefined
  const hold = (why: HoldReason): undefined => void settings.recordAutoResult(request.id, { by: 'nobody', why })
  const { params } = request
  const revision = server.peer?.revision ?? '2025-11-25'
  if (findingsOf(params, revision).some(({ level }) => level === 'breach')) return hold({ code: 'breach' })
  const rounds = toolRounds(readRequest(params).messages)
  if (rounds > MOST_ROUNDS) return hold({ code: 'rounds', rounds })
  const fits = (answer: JsonObject) =>
    !problemsOf(answer, params, revision, undefined).some(({ level }) => level === 'breach')
  if (rule.by.kind === 'saved') {
    const { name } = rule.by
    const saved = settings.saved.find((one) => one.name === name)
    if (!saved) return hold({ code: 'no-saved', name })
    if (!fits(saved.result)) return hold({ code: 'misfit' })
    const give = () => {
      if (!settings.take(now())) return hold({ code: 'rate', perMinute: rule.perMinute })
      settings.recordAutoResult(request.id, { by: 'saved', name })
      return saved.result
    }
    if (!hasToolUse(saved.result)) return give()
    const checkAndGive = async () => {
      const found = await inputProblemsOf(saved.result, params, await loadValidator())
      // Turned off in the meantime: leave it to the user.
      if (settings.rule !== rule) return undefined
      return found.length > 0 ? hold({ code: 'misfit' }) : give()
    }
    return checkAndGive()
  }
  if (!settings.take(now())) return hold({ code: 'rate', perMinute: rule.perMinute })
  const askEndpoint = async (): Promise<JsonObject | undefined> => {
    // Loaded with the first call to a model.
    const { askModel, endpointProblem } = await import('./endpoint.ts')
    const { endpoint } = settings
    const fetchWith = fetchFor(settings, server)
    if (endpointProblem(endpoint) !== undefined || !fetchWith) return hold({ code: 'endpoint-unset' })
    try {
      const { maxTokens: most } = params
      const { model, notes, result } = await askModel(
        endpoint,
        params,
        { most, revision },
        { fetch: fetchWith, signal },
      )
      // Turned off while the model was responding: drop its response and leave the request to the user.
      if (settings.rule !== rule) return undefined
      if (notes.some(({ code }) => code === 'over-limit')) return hold({ code: 'over-limit' })
      if (!fits(result) || (await inputProblemsOf(result, params, await loadValidator())).length > 0) {
        return hold({ code: 'misfit' })
      }
      settings.recordAutoResult(request.id, { by: 'endpoint', model })
      return result
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error
      return error.code === 'cancelled' ? undefined : hold({ code: 'failed', error })
    }
  }
  return askEndpoint()
}

/** The `fetch` for the endpoint; `undefined` if it needs a relay but there is none. */
export const fetchFor = (
  settings: Pick<SamplingSettings, 'choice'>,
  { relay }: Pick<ServerView, 'relay'>,
): typeof fetch | undefined => {
  if (settings.choice.route === 'page') return (input, init) => fetch(input, init)
  return relay && relayFetch(relay)
}
