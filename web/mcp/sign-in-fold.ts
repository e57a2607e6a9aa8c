/**
 * The fold of sign-ins: flows (one authorization each), the runs of their steps, and the HTTP requests of a run, from
 * `auth` frames and the requests that name a step. The trace, the rules and the Auth tab all read it.
 */
import type { AuthCheck, AuthFault, AuthStep, Frame, FrameOf, JsonObject, Link, Seq } from './frame.ts'
import { setBounded } from './maps.ts'
import type { Revision } from './revision.ts'
import type { Fold } from './projection.ts'

export type AuthFrame<Event extends FrameOf<'auth'>['event']> = Extract<FrameOf<'auth'>, { event: Event }>

/** One HTTP exchange of a sign-in; replaced instead of changed. Times are in ms since the trace began. */
export interface RequestRecord {
  /** The frame of the request, which contains its head and body. */
  readonly seq: Seq
  readonly startedAt: number
  readonly method: string
  readonly url: string
  readonly relayed: boolean
  /** The frames of the response's head, and of its end or failure. */
  readonly response?: Seq
  readonly end?: Seq
  readonly status?: number
  readonly endedAt?: number
  /** No response, or an incomplete one. `hidden`: the browser gave no reason, as when CORS headers are missing. */
  readonly failed?: { readonly error: string; readonly aborted?: string; readonly hidden: boolean }
}

/** One run of a step; going back or retrying creates another. Its fields change as frames arrive. */
export interface StepRun {
  readonly link: Link
  readonly flow: string
  readonly step: AuthStep
  /** The flow that it is part of; absent for refreshes and revocations. */
  readonly of?: FlowRun
  /** The frame of its start. */
  readonly begun: Seq
  readonly startedAt: number
  /** The last frame that says it waits for the user; `waits` is true from then until its outcome. */
  waiting?: Seq
  waits: boolean
  done?: Seq
  /** `cut`: the whole flow ended before the step had an outcome. */
  outcome?: AuthFrame<'done'>['outcome'] | 'cut'
  endedAt?: number
  /** The reason it waits, or failed; cleared when it continues and sends something. */
  fault?: AuthFault
  /** All reasons it waited, in order, including those that the user skipped. */
  stops: readonly AuthFault[]
  checks: readonly AuthCheck[]
  learned: JsonObject
  /** All its other frames, in order: HTTP requests, waits, its outcome. */
  readonly frames: Seq[]
  /** Its HTTP requests, in order. */
  readonly requests: RequestRecord[]
}

/** One sign-in. Its fields change as frames arrive. */
export interface FlowRun {
  readonly link: Link
  readonly flow: string
  readonly revision: Revision
  /** The frame of its start. */
  readonly begun: Seq
  readonly startedAt: number
  end?: Seq
  outcome?: AuthFrame<'end'>['outcome']
  fault?: AuthFault
  endedAt?: number
  /** The first frames of its steps, in order. */
  readonly steps: Seq[]
}

export interface SignInRequest {
  record: RequestRecord
  /** Absent if no step sent it. */
  readonly run?: StepRun
}

export interface SignIns {
  /** By the seq of the first frame. */
  readonly steps: ReadonlyMap<Seq, StepRun>
  /** By the seqs of the first and the last frame. */
  readonly flows: ReadonlyMap<Seq, FlowRun>
  /** Requests that haven't ended, by seq. */
  readonly requests: ReadonlyMap<Seq, SignInRequest>
  /** Number of steps and flows that haven't ended. */
  open: number
  /** The steps that ended with the last sign-in frame. */
  settled: readonly StepRun[]
  /** What the last frame belongs to. */
  last: { readonly run?: StepRun | undefined; readonly request?: SignInRequest | undefined }
}

interface State extends SignIns {
  readonly steps: Map<Seq, StepRun>
  readonly flows: Map<Seq, FlowRun>
  readonly requests: Map<Seq, SignInRequest>
  settled: StepRun[]
  readonly most: number
  /** Running flows, by name; the latest one of each name. */
  readonly named: Map<string, FlowRun>
  /** Running steps, by the name of their flow. */
  readonly running: Map<string, Set<StepRun>>
}

/** Waits listed per run. */
const MOST_STOPS = 30

/** @param most how many flows, steps and open requests are remembered; the oldest are dropped */
export const signInsOf = (most = Infinity): Fold<SignIns> => ({
  initial: (): State => ({
    steps: new Map(),
    flows: new Map(),
    requests: new Map(),
    open: 0,
    settled: [],
    last: {},
    most,
    named: new Map(),
    running: new Map(),
  }),

  step(shown, frame) {
    const state = shown as State
    state.last = {}
    if (frame.kind === 'http') return exchanged(state, frame)
    if (frame.kind !== 'auth') return false
    state.settled = []
    switch (frame.event) {
      case 'flow':
        return flowBegun(state, frame)
      case 'step':
        return stepBegun(state, frame)
      case 'waiting':
      case 'done': {
        const run = state.steps.get(frame.begun)
        if (!run) return false
        state.last = { run }
        run.frames.push(frame.seq)
        return frame.event === 'done' ? stepDone(state, run, frame) : stepWaits(run, frame)
      }
      case 'end':
        return flowEnded(state, frame)
      default:
        return false
    }
  },
})

/** Every sign-in of a trace, without a limit. */
export const signIns = signInsOf()

const nameOf = ({ link, flow }: { readonly link: Link; readonly flow: string }): string => `${link} ${flow}`

const flowBegun = (state: State, frame: AuthFrame<'flow'>): void => {
  const { link, flow, revision, seq, at } = frame
  const begun: FlowRun = { link, flow, revision, begun: seq, startedAt: at, steps: [] }
  setBounded(state.flows, seq, begun, state.most)
  setBounded(state.named, nameOf(frame), begun, state.most)
  state.open++
}

const stepBegun = (state: State, frame: AuthFrame<'step'>): void => {
  const { link, flow, step, seq, at } = frame
  const name = nameOf(frame)
  const of = state.named.get(name)
  const run: StepRun = {
    ...{ link, flow, step, begun: seq, startedAt: at, waits: false, of },
    ...{ stops: [], checks: [], learned: {}, frames: [], requests: [] },
  }
  state.last = { run }
  of?.steps.push(seq)
  setBounded(state.steps, seq, run, state.most)
  state.open++
  const running = state.running.get(name)
  if (running) running.add(run)
  else setBounded(state.running, name, new Set([run]), state.most)
}

const stepWaits = (run: StepRun, { seq, fault }: AuthFrame<'waiting'>): void => {
  run.waiting = seq
  if (run.endedAt !== undefined) return
  run.waits = true
  run.fault = fault
  run.stops = [...run.stops, fault].slice(-MOST_STOPS)
}

/** The first outcome counts; a repetition in a recording changes nothing. */
const stepDone = (state: State, run: StepRun, frame: AuthFrame<'done'>): void => {
  if (run.endedAt !== undefined) return
  const { seq, outcome, checks, learned } = frame
  // Stopped while waiting: it ends with the fault that it waited for.
  const fault = frame.fault ?? (outcome === 'failed' ? run.fault : undefined)
  Object.assign(run, { done: seq, checks, learned })
  if (fault) run.fault = fault
  else delete run.fault
  settle(state, run, outcome, frame)
}

const settle = (state: State, run: StepRun, outcome: NonNullable<StepRun['outcome']>, { at }: Frame): void => {
  run.outcome = outcome
  run.endedAt = at
  run.waits = false
  state.open--
  state.settled.push(run)
  const name = nameOf(run)
  const running = state.running.get(name)
  running?.delete(run)
  if (running?.size === 0) state.running.delete(name)
}

const flowEnded = (state: State, frame: AuthFrame<'end'>): void | false => {
  const name = nameOf(frame)
  const running = [...(state.running.get(name) ?? [])]
  const flow = state.named.get(name)
  if (running.length === 0 && !flow) return false
  for (const run of running) settle(state, run, 'cut', frame)
  if (!flow) return
  state.named.delete(name)
  setBounded(state.flows, frame.seq, flow, state.most)
  flow.end = frame.seq
  flow.outcome = frame.outcome
  flow.endedAt = frame.at
  if (frame.fault) flow.fault = frame.fault
  state.open--
}

const exchanged = (state: State, frame: FrameOf<'http'>): void | false => {
  if (frame.phase === 'request') {
    const run = state.steps.get(frame.step ?? -1)
    if (!run && frame.purpose !== 'authorization') return false
    const { seq, at, method, url, relayed = false } = frame
    const record: RequestRecord = { seq, startedAt: at, method, url, relayed }
    const request: SignInRequest = { record, run }
    state.last = { run, request }
    setBounded(state.requests, seq, request, state.most)
    if (!run) return false
    run.requests.push(record)
    run.frames.push(seq)
    // The user resolved it, so it continues.
    if (run.waits) delete run.fault
    return
  }
  const request = state.requests.get(frame.request)
  state.last = { run: request?.run, request }
  if (!request || frame.phase === 'queued') return false
  if (frame.phase !== 'response') state.requests.delete(frame.request)
  request.record = answered(request.record, frame)
  const { run, record } = request
  if (!run) return false
  const index = run.requests.findLastIndex(({ seq }) => seq === record.seq)
  run.requests[index] = record
}

const answered = (
  request: RequestRecord,
  frame: Exclude<FrameOf<'http'>, { phase: 'request' | 'queued' }>,
): RequestRecord => {
  switch (frame.phase) {
    case 'response':
      return { ...request, response: frame.seq, status: frame.status }
    case 'end':
      return { ...request, end: frame.seq, endedAt: frame.at }
    case 'failed': {
      const { error, aborted, stage } = frame
      const hidden = stage === 'headers' && aborted === undefined && !request.relayed
      return { ...request, end: frame.seq, endedAt: frame.at, failed: { error, hidden, aborted } }
    }
  }
}
