/** What a connection is waiting for: a server that hangs is explained long before its time limit. */
import { mayDownload, type NetworkVerdict, type ProcessFinding } from '../../doctor/index.ts'
import { isObject, isRequestId, type Json, type Link, type RequestId, type Seq, type Trace } from '../../mcp/index.ts'
import { type Connection, SILENCE } from '../server/index.ts'
import type { Target } from '../connect/index.ts'
import type { FailedAttempt } from './failed-attempt.ts'
import { judgeFailure, type Page } from './failure.ts'
import type { Remedy } from './verdict.ts'

export type Silence =
  /** The page has no connection to the server left. */
  | { readonly is: 'queued'; readonly open: number }
  /** No headers of a response. `network`: what the local proxy found, once it has. `probed`: it was the probe, and the server responds to others. */
  | { readonly is: 'headers'; readonly network?: NetworkVerdict; readonly probed?: true }
  /** The server responds, but not to the preflight. `seq`: of the request that shows it. */
  | { readonly is: 'preflight'; readonly seq: Seq }
  /** A stream, but no message on it. */
  | { readonly is: 'event'; readonly status: number }
  /** Headers, but no complete body. */
  | { readonly is: 'body'; readonly status: number }
  /** The local proxy was asked to start a process, and hasn't responded. */
  | { readonly is: 'proxy' }
  /** A process that has written nothing to stdout. `probed`: only the probe was sent, which older servers ignore. */
  | { readonly is: 'process'; readonly downloads: boolean; readonly probed: boolean }
  /** A process whose lines say why it can't be used. */
  | { readonly is: 'cause'; readonly finding: ProcessFinding }
  /** A process that has written only other lines. */
  | { readonly is: 'noise' }
  /** A process that has sent a response with another id, or another message. */
  | { readonly is: 'other-id'; readonly found: Json; readonly asked: RequestId }
  | { readonly is: 'other-message'; readonly method: string }

/** The last message of a process since a step began, and the id of the request that it hasn't responded to. */
export interface Heard {
  readonly asked?: RequestId
  readonly id?: Json
  readonly method?: string
}

/** Frames that are searched: this runs twice a second, and a process may write thousands of lines. */
const SEARCHED = 200

/** @param from the frame at which the step began */
export const heardSince = (trace: Trace, link: Link, from: number): Heard => {
  let heard: Heard = {}
  for (let seq = Math.max(from, trace.length - SEARCHED); seq < trace.length; seq++) {
    const frame = trace.at(seq)
    if (frame?.link !== link || frame.kind !== 'message' || !isObject(frame.message)) continue
    const { id, method } = frame.message
    if (frame.direction === 'sent') {
      if (typeof method === 'string' && isRequestId(id)) heard = { ...heard, asked: id }
    } else heard = { ...heard, ...(typeof method === 'string' ? { method } : { id: id ?? null }) }
  }
  return heard
}

/** What else is known. */
interface Known {
  readonly network?: NetworkVerdict | undefined
  /** Whether the server responds to another request. */
  readonly responds?: boolean | undefined
  /** The request without a response to its preflight, if the server responds to others. */
  readonly preflight?: Seq | undefined
  /** Why the process can't be used. */
  readonly finding?: ProcessFinding | undefined
  readonly heard?: Heard
}

/**
 * @param now ms since the trace began
 * @returns `undefined` unless the other side has been silent for at least 2 s, or has sent nothing usable
 */
export const silenceOf = (
  { state, steps, http, process }: Connection,
  now: number,
  { network, responds, preflight, finding, heard = {} }: Known = {},
): Silence | undefined => {
  const step = steps.at(-1)
  if (state !== 'connecting' || step?.outcome !== 'running') return undefined
  if (process.spawn) {
    const probing = step.step === 'probing'
    if (!(probing || step.step === 'waiting-for-answer')) return undefined
    // What is known of the process stays true when the next message is sent, and its silence lasts.
    const isSame = finding !== undefined || (process.spoke === undefined && process.noise === 0)
    const since = isSame && steps.at(-2)?.step === 'probing' ? steps.at(-2)! : step
    if (now - since.at < SILENCE) return undefined
    if (finding) return { is: 'cause', finding }
    if (heard.id !== undefined && heard.asked !== undefined)
      return { is: 'other-id', found: heard.id, asked: heard.asked }
    if (heard.method !== undefined) return { is: 'other-message', method: heard.method }
    if (process.noise > 0) return { is: 'noise' }
    return { is: 'process', downloads: mayDownload(process.spawn), probed: probing }
  }
  if (step.step === 'starting-process') return now - step.at < SILENCE ? undefined : { is: 'proxy' }
  if (!http || now - (http.answeredAt ?? http.at) < SILENCE) return undefined
  if (http.response === undefined || http.status === undefined) {
    if (http.queued !== undefined) return { is: 'queued', open: http.queued }
    if (preflight !== undefined) return { is: 'preflight', seq: preflight }
    const probed = responds === true && step.step === 'probing' && (network === undefined || network === 'reachable')
    return { is: 'headers', ...(network ? { network } : {}), ...(probed ? { probed } : {}) }
  }
  const isStream = /^\s*text\/event-stream/i.test(http.contentType ?? '')
  return { is: isStream ? 'event' : 'body', status: http.status }
}

/** A step that takes longer than its limit, which activity restarts: what a failure there would advise. */
interface Overdue {
  /** ms. */
  readonly limit: number
  readonly failed: FailedAttempt
  readonly remedies: readonly Remedy[]
}

/**
 * A process may be active without ever responding, so the user gets advice while the attempt goes on. It omits "be patient",
 * and the remedy that the finding shows already.
 */
export const overdueOf = (
  { state, steps, process }: Connection,
  target: Target,
  page: Page,
  now: number,
  finding?: ProcessFinding,
): Overdue | undefined => {
  const step = steps.at(-1)
  if (state !== 'connecting' || step?.outcome !== 'running' || !process.spawn || now - step.at <= step.limit)
    return undefined
  const failed: FailedAttempt = {
    code: 'timeout',
    step: step.step,
    noise: process.noise,
    stderr: process.stderr.length,
    ...(finding ? { finding } : {}),
  }
  const { remedies } = judgeFailure(failed, target, page)
  const left = remedies.filter((remedy) => remedy !== 'be-patient' && !remedy.startsWith('fix-process-'))
  return { limit: step.limit, failed, remedies: left }
}
