/**
 * Resends the steps of a recording in order to a live server, and compares the responses.
 *
 * The user can see every decision: rules determine which differences count, and all requests and responses are in the
 * session's Trace.
 */
import { resolvePointer } from '../json/index.ts'
import { ErrorCode, isNotAllowed, messageOf, ProtocolError, TransportError } from '../mcp/index.ts'
import type { ErrorObject, Json, JsonObject, Link, RequestId, Seq, Session } from '../mcp/index.ts'
import { holdsMark } from '../secrets/index.ts'
import { REPETITIONS } from './calibration.ts'
import { type Diff, diffOf } from './diff.ts'
import { type ExpectationResult, judged, type Judges } from './expect.ts'
import { type NewIds, responsesTo, withNewIds } from './raw-step.ts'
import { filled, type Outcome, type RecordedAnswer, type Step, type Variables } from './steps.ts'
import type { VolatileRule } from './volatile.ts'

/**
 * `same`: no relevant difference. `different`: a relevant difference. `missing`: a response was recorded, but now there
 * is none. `extra`: the opposite. `skipped`: at the user's request. `not-sent`: it couldn't be sent.
 */
type StepVerdict = 'same' | 'different' | 'missing' | 'extra' | 'skipped' | 'not-sent'

export interface StepReport {
  readonly step: Step
  /** The number of the run, from 1. */
  readonly run: number
  readonly verdict: StepVerdict
  /** All expectations are met, and the verdict is `same` or nothing was recorded to compare with. */
  readonly passed: boolean
  readonly outcome?: Outcome
  readonly diff?: Diff
  readonly expectations: readonly ExpectationResult[]
  /** The factor by which it was slower, if above the limit. */
  readonly slower?: number
  /** The frame of the request in the live session's trace. */
  readonly seq?: Seq
  readonly extra: readonly ExtraQuestion[]
  readonly unasked: readonly RecordedAnswer[]
  /** Why it wasn't sent. */
  readonly problem?: Problem
}

export type Problem =
  | { readonly code: 'no-session'; readonly link: Link }
  | { readonly code: 'unknown-variables'; readonly names: readonly string[] }
  /** Its request isn't what was sent: something was removed from it before it was shared. */
  | { readonly code: 'redacted' }
  | { readonly code: 'refused'; readonly message: string }

/** The part of a Session that is needed here. */
type Callee = Pick<Session, 'call' | 'notify' | 'raw' | 'trace' | 'link'>

export interface RerunOptions {
  /** The live session that replaces a recorded connection. */
  readonly session: (link: Link) => Callee | undefined
  readonly rules: readonly VolatileRule[]
  readonly variables?: Variables
  /** Receives the responses to server requests of the current step; `undefined` when it is over. */
  readonly script?: (answers: ScriptedAnswers | undefined, link: Link) => void
  readonly validate?: Judges['validate']
  /** MUST violations in a session's trace, from frame `from` on. */
  readonly musts?: (link: Link, from: Seq) => number | Promise<number>
  /**
   * A step counts as slower if it takes this many times the recorded time; below `floor` ms it never does. Default: 3
   * and 250.
   */
  readonly slow?: { readonly times: number; readonly floor: number }
  /** Whether a step that differs may be repeated, to learn what differs from one response to the next. Default: none. */
  readonly mayRepeat?: (step: Step) => boolean
  readonly signal?: AbortSignal
  /** When the recording began, in ms since the epoch: only times of its own run may differ. */
  readonly begunAt?: number
  /** ms to wait for a manually written request. Default: 60,000. */
  readonly rawLimit?: number
}

/** A step with more repetitions indicates an invalid file. */
const MOST_RUNS = 1000
const SLOW = { times: 3, floor: 250 }

/** Yields a report after each run of each step. A server's behavior never makes it throw. */
export async function* rerun(steps: Iterable<Step>, options: RerunOptions): AsyncGenerator<StepReport, void> {
  const variables: Record<string, Json> = { ...options.variables }
  const ids = new Map<Link, NewIds>()
  for (const step of steps) {
    if (step.skip) {
      yield { step, run: 1, verdict: 'skipped', passed: true, expectations: [], extra: [], unasked: [] }
      continue
    }
    const runs = Math.min(Math.max(Math.floor(step.repeat ?? 1), 1), MOST_RUNS)
    for (let run = 1; run <= runs; run++) {
      if (options.signal?.aborted) return
      const known = ids.get(step.link) ?? new Map<string, RequestId>()
      ids.set(step.link, known)
      const report = await runStep(step, run, variables, known, options)
      const { outcome } = report
      if (outcome && 'result' in outcome) {
        for (const { name, pointer } of step.take ?? []) {
          const value = resolvePointer<Json>(outcome.result, pointer)
          if (value !== undefined) variables[name] = value
        }
      }
      yield report
    }
  }
}

interface Sent {
  readonly outcome?: Outcome
  readonly seq?: Seq | undefined
}

const runStep = async (
  step: Step,
  count: number,
  variables: Variables,
  ids: NewIds,
  options: RerunOptions,
): Promise<StepReport> => {
  const nothing = { step, run: count, expectations: [], extra: [], unasked: [] }
  const unsent = (problem: Problem): StepReport => ({ ...nothing, verdict: 'not-sent', passed: false, problem })
  const session = options.session(step.link)
  if (!session) return unsent({ code: 'no-session', link: step.link })
  const missing = new Set<string>()
  const written = step.templated && step.params ? (filled(step.params, variables, missing) as JsonObject) : step.params
  const { paramsText } = step
  const exact = step.templated && paramsText !== undefined ? inText(paramsText, variables) : paramsText
  if (missing.size > 0) return unsent({ code: 'unknown-variables', names: [...missing] })

  // The server would be given a mark instead of the value.
  if (holdsMark(JSON.stringify(written ?? '') + (step.text ?? '')))
    return { ...nothing, verdict: 'skipped', passed: true, problem: { code: 'redacted' } }

  const run = async (script: ScriptedAnswers): Promise<Sent> => {
    options.script?.(script, step.link)
    try {
      return step.kind === 'raw'
        ? await sendRaw(session, step, ids, options)
        : await send(session, step, written, exact, options.signal)
    } finally {
      options.script?.(undefined, step.link)
    }
  }
  const script = new ScriptedAnswers(step.answers ?? [])
  const from = session.trace.length
  let sent: Sent
  try {
    sent = await run(script)
  } catch (error) {
    return unsent({ code: 'refused', message: messageOf(error) })
  }
  const { outcome, seq } = sent
  const common = { ...nothing, outcome, seq, extra: script.extra, unasked: script.unasked }
  // A notification has no response, so there is nothing to compare.
  if (!outcome) return { ...common, verdict: 'same', passed: true }
  let { verdict, diff } = await compared(step, outcome, options)
  if (verdict === 'different' && diff && options.mayRepeat?.(step)) {
    const repeated: JsonObject[] = []
    for (let count = 0; count < REPETITIONS; count++) {
      const again = await run(new ScriptedAnswers(step.answers ?? [])).catch(() => ({ outcome: undefined }))
      const answer = answerOf(again.outcome)
      if (answer) repeated.push(answer)
    }
    ;({ verdict, diff } = await compared(step, outcome, { ...options, repeated }))
  }
  const musts = step.expect?.some(({ kind }) => kind === 'no-must') ? await options.musts?.(step.link, from) : 0
  const judges: Judges = { musts: musts ?? 0, validate: options.validate }
  const expectations = await judged(step.expect ?? [], outcome, judges)
  const slower = slowness(step, outcome, options.slow ?? SLOW)
  const likeBefore = verdict === 'same' || (verdict === 'extra' && !step.recorded)
  return {
    ...common,
    verdict,
    passed: likeBefore && script.extra.length === 0 && expectations.every(({ met }) => met),
    expectations,
    diff,
    slower,
  }
}

/** The same run, judged by the current rules and the current step; its expectations aren't evaluated again. */
export const rejudged = async (report: StepReport, step: Step, rules: readonly VolatileRule[]): Promise<StepReport> => {
  const { outcome, extra, expectations, diff: _, ...rest } = report
  if (!outcome) return { ...report, step }
  const { verdict, diff } = await compared(step, outcome, { rules })
  const likeBefore = verdict === 'same' || (verdict === 'extra' && !step.recorded)
  const passed = likeBefore && extra.length === 0 && expectations.every(({ met }) => met)
  return { ...rest, step, outcome, extra, expectations, verdict, passed, diff }
}

/** Replaces variables in the exact text of the parameters: each is inside a JSON string, which its value replaces. */
const inText = (text: string, variables: Variables): string =>
  text.replace(/"(?:[^"\\]|\\.)*"/g, (written) => {
    if (!written.includes('{{')) return written
    const value = filled(JSON.parse(written) as string, variables, new Set())
    return JSON.stringify(value)
  })

const send = async (
  session: Callee,
  step: Step,
  params: JsonObject | undefined,
  paramsText: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Sent> => {
  if (step.kind === 'notification') {
    await session.notify(step.method, params, 'test')
    return {}
  }
  const begun = performance.now()
  const exactly = paramsText === undefined ? {} : { paramsText }
  const call = session.call(step.method, params, { ...exactly, origin: 'test' })
  const stop = () => call.cancel('The re-run was stopped')
  signal?.addEventListener('abort', stop, { once: true })
  // A call cancelled in the recording may never get a response, so don't wait indefinitely.
  const { recorded } = step
  const ended = recorded && 'ended' in recorded ? recorded : undefined
  const timer = ended ? setTimeout(() => call.cancel('As in the recording'), Math.min(ended.took, 60_000)) : undefined
  try {
    const result = await call.result
    return { outcome: { took: performance.now() - begun, result }, seq: call.seq }
  } catch (error) {
    // Its policy was not met, so there is no outcome to judge.
    if (isNotAllowed(error)) throw error
    return { outcome: { took: performance.now() - begun, ...failureOf(error) }, seq: call.seq }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** IDs that no session reaches by counting. */
const RAW_IDS = 1_000_000_000

/** Sends a manually written text with new IDs, and waits until each request in it has its response. */
const sendRaw = async (
  session: Callee,
  { text = '', recorded }: Step,
  ids: NewIds,
  { signal, rawLimit = 60_000 }: RerunOptions,
): Promise<Sent> => {
  const { trace } = session
  const from = trace.length
  let count = 0
  const fresh = (old: RequestId): RequestId => {
    const number = RAW_IDS + from + count++
    return typeof old === 'number' ? number : `raw-${number}`
  }
  const begun = performance.now()
  // Without a response in the recording, don't wait longer than it took there.
  const limit = recorded && 'ended' in recorded ? Math.min(recorded.took, rawLimit) : rawLimit
  const { seq, last, refused } = await responsesTo(session, withNewIds(text, ids, fresh), from, limit, signal)
  const at = seq === undefined ? {} : { seq }
  // Notifications, and texts without a request: there is no response unless the server refuses them.
  if (!last) return refused === undefined ? at : { ...at, outcome: { took: performance.now() - begun, ended: 'lost' } }
  return { ...at, outcome: { took: performance.now() - begun, ...last } }
}

const failureOf = (
  error: unknown,
): Pick<Extract<Outcome, { error: unknown }>, 'error'> | { ended: 'cancelled' | 'timeout' | 'lost' } => {
  if (error instanceof ProtocolError) {
    const { code, message, data, more } = error
    return { error: { ...more, code, message, ...(data === undefined ? {} : { data }) } }
  }
  if (error instanceof TransportError && (error.code === 'cancelled' || error.code === 'timeout')) {
    return { ended: error.code }
  }
  return { ended: 'lost' }
}

const compared = async (
  { recorded, method, at }: Step,
  outcome: Outcome,
  { rules, begunAt, repeated }: Pick<RerunOptions, 'rules' | 'begunAt'> & { readonly repeated?: readonly JsonObject[] },
): Promise<{ readonly verdict: StepVerdict; readonly diff?: Diff }> => {
  if (!recorded) return { verdict: 'ended' in outcome ? 'missing' : 'extra' }
  const [was, is] = [answerOf(recorded), answerOf(outcome)]
  if (was === undefined && is === undefined) {
    return {
      verdict:
        'ended' in recorded && 'ended' in outcome && isSilence(recorded.ended, outcome.ended) ? 'same' : 'different',
    }
  }
  if (is === undefined) return { verdict: 'missing' }
  if (was === undefined) return { verdict: 'extra' }
  const clock = begunAt === undefined || at === undefined ? undefined : { was: begunAt + at, is: Date.now() }
  const diff = await diffOf(was, is, { rules, method, clock, repeated })
  return { verdict: diff.counting === 0 && !diff.more ? 'same' : 'different', diff }
}

/** No response then, and none now. A call is cancelled here when it was given up there, for whatever reason. */
const isSilence = (before: string, now: string): boolean => before === now || now === 'cancelled'

/** The response as it is compared and shown. Errors are under a key of their own: a result that became an error differs entirely. */
export const answerOf = (outcome: Outcome | undefined): JsonObject | undefined => {
  if (!outcome || 'ended' in outcome) return undefined
  return 'result' in outcome ? outcome.result : { error: outcome.error as unknown as JsonObject }
}

const slowness = ({ recorded }: Step, { took }: Outcome, { times, floor }: { times: number; floor: number }) => {
  if (!recorded || took < floor) return undefined
  const ratio = took / Math.max(recorded.took, 1)
  return ratio > times ? ratio : undefined
}

// Responds to server requests from a recording: each recorded response is used once, for the request it belonged to, or
// the next one with the same method.

/** A server request without a recorded response. */
interface ExtraQuestion {
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
