/**
 * The fold that ties what a sign-in consists of: the flow, its steps from their beginning to their outcome, and the HTTP
 * requests that each step sent.
 */
import type { AuthStep, Fold, Frame, FrameOf, Link, Seq } from '../mcp/index.ts'
import type { HttpRuns } from './runs.ts'

type Outcome = Extract<FrameOf<'auth'>, { event: 'done' }>['outcome']

/** One step. Its fields change as frames arrive. */
export interface StepRun {
  readonly link: Link
  readonly flow: string
  readonly step: AuthStep
  /** The frame that began the sign-in that it is part of. */
  readonly of?: Seq
  /** The frame that began it. */
  readonly begun: Seq
  readonly startedAt: number
  /** The last time that it stood still; `waits` while it does. */
  waiting?: Seq
  waits: boolean
  done?: Seq
  /** `cut`: the whole sign-in ended before it had an outcome of its own. */
  outcome?: Outcome | 'cut'
  endedAt?: number
  /** All other frames of it, in order: HTTP requests, waits, its outcome. */
  readonly frames: Seq[]
  /** Its HTTP requests, in order. */
  readonly requests: Seq[]
}

/** One sign-in. Its fields change as frames arrive. */
export interface FlowRun {
  readonly link: Link
  readonly flow: string
  /** The frame that began it. */
  readonly begun: Seq
  readonly startedAt: number
  end?: Seq
  outcome?: Extract<FrameOf<'auth'>, { event: 'end' }>['outcome']
  endedAt?: number
  /** The frames that began its steps, in order. */
  readonly steps: Seq[]
}

export interface SignIns {
  /** By the seq of the frame that began it. */
  readonly steps: ReadonlyMap<Seq, StepRun>
  /** By the seq of the frame that began it, and by that of the frame that ended it. */
  readonly flows: ReadonlyMap<Seq, FlowRun>
  /** Steps and flows without an end. */
  open: number
  /** The steps that the last frame of a sign-in gave their end. */
  settled: readonly StepRun[]
}

interface State extends SignIns {
  readonly steps: Map<Seq, StepRun>
  readonly flows: Map<Seq, FlowRun>
  settled: StepRun[]
  /** The one of each name that began last. */
  readonly named: Map<string, FlowRun>
  /** Steps without an end, by the name of their flow. */
  readonly running: Map<string, Set<StepRun>>
}

const nameOf = ({ link, flow }: { readonly link: Link; readonly flow: string }): string => `${link} ${flow}`

export const signIns: Fold<SignIns> = {
  initial: (): State => ({
    steps: new Map(),
    flows: new Map(),
    open: 0,
    settled: [],
    named: new Map(),
    running: new Map(),
  }),

  step(shown, frame) {
    const state = shown as State
    if (frame.kind === 'http') {
      const run = frame.phase === 'request' ? state.steps.get(frame.step ?? -1) : undefined
      if (!run) return false
      run.requests.push(frame.seq)
      run.frames.push(frame.seq)
      return
    }
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
        run.frames.push(frame.seq)
        if (frame.event === 'done') return settle(state, run, frame.outcome, frame)
        run.waiting = frame.seq
        run.waits = run.endedAt === undefined
        return
      }
      case 'end':
        return flowEnded(state, frame)
      default:
        return false
    }
  },
}

const flowBegun = (state: State, frame: FrameOf<'auth'>): void => {
  const { link, flow, seq, at } = frame
  const run: FlowRun = { link, flow, begun: seq, startedAt: at, steps: [] }
  state.flows.set(seq, run)
  state.named.set(nameOf(frame), run)
  state.open++
}

const stepBegun = (state: State, frame: Extract<FrameOf<'auth'>, { event: 'step' }>): void => {
  const { link, flow, step, seq, at } = frame
  const name = nameOf(frame)
  const whole = state.named.get(name)
  const run: StepRun = {
    link,
    flow,
    step,
    ...(whole ? { of: whole.begun } : {}),
    begun: seq,
    startedAt: at,
    waits: false,
    frames: [],
    requests: [],
  }
  whole?.steps.push(seq)
  state.steps.set(seq, run)
  state.open++
  const running = state.running.get(name)
  if (running) running.add(run)
  else state.running.set(name, new Set([run]))
}

/** The first outcome stands; what a recording says again changes nothing. */
const settle = (state: State, run: StepRun, outcome: Outcome | 'cut', frame: Frame): void => {
  if (run.endedAt !== undefined) return
  run.outcome = outcome
  run.endedAt = frame.at
  run.waits = false
  if (outcome !== 'cut') run.done = frame.seq
  state.open--
  state.settled.push(run)
  const name = nameOf(run)
  const running = state.running.get(name)
  running?.delete(run)
  if (running?.size === 0) state.running.delete(name)
}

const flowEnded = (state: State, frame: Extract<FrameOf<'auth'>, { event: 'end' }>): void => {
  const name = nameOf(frame)
  for (const run of [...(state.running.get(name) ?? [])]) settle(state, run, 'cut', frame)
  const run = state.named.get(name)
  if (!run || run.endedAt !== undefined) return
  state.flows.set(frame.seq, run)
  run.end = frame.seq
  run.outcome = frame.outcome
  run.endedAt = frame.at
  state.open--
}

/** The step that a frame belongs to: its own, or that of its HTTP exchange. */
export const stepRunOf = (frame: Frame, { steps }: SignIns, runs: HttpRuns): StepRun | undefined => {
  if (frame.kind === 'auth') {
    if (frame.event === 'step') return steps.get(frame.seq)
    return frame.event === 'done' || frame.event === 'waiting' ? steps.get(frame.begun) : undefined
  }
  if (frame.kind !== 'http') return undefined
  const run = runs.get(frame.phase === 'request' ? frame.seq : frame.request)
  return run?.step === undefined ? undefined : steps.get(run.step)
}
