/**
 * The fold that tells of sign-ins: per link its flows with their steps, the requests of each, what became of credentials,
 * and refreshes and revocations. A recording shows the same as what is under way.
 *
 * What is given out is never changed: what a frame changes is new, all else is the same as before. Bounded: of what goes
 * on for ever the newest stay, and it is counted what went before; the frames themselves are in the Trace.
 */
import type {
  AuthCheck,
  AuthFault,
  AuthStep,
  Fold,
  Frame,
  FrameOf,
  Json,
  JsonObject,
  Link,
  Seq,
} from '../../mcp/index.ts'

type AuthFrame<Event extends FrameOf<'auth'>['event']> = Extract<FrameOf<'auth'>, { event: Event }>

/** One HTTP exchange of a step. Times are in ms since the trace began. */
export interface RequestRecord {
  /** The frame of the request; its head and body are there. */
  readonly seq: Seq
  readonly startedAt: number
  readonly method: string
  readonly url: string
  readonly relayed: boolean
  /** The frames of the answer's head, and of its end or failure. */
  readonly response?: Seq
  readonly end?: Seq
  readonly status?: number
  readonly endedAt?: number
  /** No answer, or half of one. `hidden`: a browser told nothing, as it does for want of CORS headers. */
  readonly failed?: { readonly error: string; readonly aborted?: string; readonly hidden: boolean }
}

export type RunStatus = 'running' | 'waiting' | 'ok' | 'forced' | 'failed' | 'undone'

/** One run of a step: going back, and trying again, make another. */
export interface RunRecord {
  /** The frame that began it. */
  readonly begun: Seq
  readonly startedAt: number
  readonly endedAt?: number
  /** `waiting`: it stands still for a fault until its user decides. */
  readonly status: RunStatus
  /** The frame of its outcome. */
  readonly done?: Seq
  readonly checks: readonly AuthCheck[]
  /** What it stands still for, or ended with. */
  readonly fault?: AuthFault
  /** What it stood still for, in order; those that its user went past among them. */
  readonly stops: readonly AuthFault[]
  readonly learned: JsonObject
  readonly requests: readonly RequestRecord[]
  /** Requests that are not listed any more. */
  readonly earlier: number
}

/** `planned`: its turn has not come. `known`: what it would find was found in another life of the page. */
export type StepStatus = RunStatus | 'planned' | 'known'

export interface StepRecord {
  readonly step: AuthStep
  readonly status: StepStatus
  /** The run that counts; absent where none does (any more). */
  readonly run?: RunRecord
  /** All of them, in order. */
  readonly runs: readonly RunRecord[]
  /** Runs that are not listed any more. */
  readonly earlier: number
}

export interface FlowRecord {
  readonly link: Link
  /** As its frames name it. */
  readonly flow: string
  /** The frame that began it. */
  readonly begun: Seq
  readonly startedAt: number
  readonly endedAt?: number
  readonly grant: string
  readonly revision: string
  readonly why: AuthFrame<'flow'>['why']
  readonly outcome: 'running' | AuthFrame<'end'>['outcome']
  readonly fault?: AuthFault
  readonly steps: readonly StepRecord[]
}

/** A refresh or a revocation: a step outside of any flow. */
export interface AfterwardsRecord extends StepRecord {
  readonly flow: string
  readonly run: RunRecord
}

export interface CredentialRecord {
  readonly seq: Seq
  readonly at: number
  readonly what: AuthFrame<'credential'>['what']
  readonly details: JsonObject
}

export interface LinkRecord {
  readonly flows: readonly FlowRecord[]
  readonly afterwards: readonly AfterwardsRecord[]
  readonly credentials: readonly CredentialRecord[]
  /** How many of each are not listed any more. */
  readonly earlier: { readonly flows: number; readonly afterwards: number; readonly credentials: number }
}

export type AuthFolded = ReadonlyMap<Link, LinkRecord>

const MOST = { flows: 40, afterwards: 60, credentials: 200, runs: 30, requests: 60, steps: 40, open: 500 } as const

const NOTHING: LinkRecord = {
  flows: [],
  afterwards: [],
  credentials: [],
  earlier: { flows: 0, afterwards: 0, credentials: 0 },
}

/** Where a run stands. */
interface Place {
  readonly link: Link
  /** The frame that began its flow; absent for what is outside of any. */
  readonly flow?: Seq
  readonly step: AuthStep
}

interface State extends Map<Link, LinkRecord> {
  /** By the frame that began a run. */
  readonly places: Map<Seq, Place>
  /** By the frame of a request: the frame that began its run. */
  readonly requests: Map<Seq, Seq>
}

export const authFold: Fold<AuthFolded> = {
  initial: () => Object.assign(new Map<Link, LinkRecord>(), { places: new Map(), requests: new Map() }),

  step(shown, frame) {
    const state = shown as State
    if (frame.kind === 'http') return exchanged(state, frame)
    if (frame.kind !== 'auth') return false
    switch (frame.event) {
      case 'flow':
        return flowBegun(state, frame)
      case 'step':
        return stepBegun(state, frame)
      case 'waiting':
        return changeRun(state, frame.begun, (run) =>
          run.endedAt === undefined
            ? { ...run, status: 'waiting', fault: frame.fault, stops: newest(run.stops, frame.fault, MOST.runs) }
            : run,
        )
      case 'done':
        return changeRun(state, frame.begun, (run) => (run.endedAt === undefined ? settled(run, frame) : run))
      case 'end':
        return flowEnded(state, frame)
      case 'credential': {
        const { seq, at, what, details } = frame
        return add(state, frame.link, 'credentials', { seq, at, what, details })
      }
      default:
        return false
    }
  },
}

const newest = <Item>(list: readonly Item[], item: Item, most: number): readonly Item[] =>
  list.length < most ? [...list, item] : [...list.slice(list.length - most + 1), item]

type Lists = 'flows' | 'afterwards' | 'credentials'

const add = <Name extends Lists>(state: State, link: Link, name: Name, item: LinkRecord[Name][number]): void => {
  const record = state.get(link) ?? NOTHING
  const list = newest<unknown>(record[name], item, MOST[name])
  const gone = record[name].length + 1 - list.length
  const earlier = gone === 0 ? record.earlier : { ...record.earlier, [name]: record.earlier[name] + gone }
  state.set(link, { ...record, [name]: list, earlier })
}

const flowBegun = (state: State, frame: AuthFrame<'flow'>): void => {
  const { link, flow, seq, at, grant, revision, why, steps } = frame
  const planned = [...new Set(steps)].slice(0, MOST.steps)
  add(state, link, 'flows', {
    link,
    flow,
    begun: seq,
    startedAt: at,
    grant,
    revision,
    why,
    outcome: 'running',
    steps: planned.map((step): StepRecord => ({ step, status: 'planned', runs: [], earlier: 0 })),
  })
}

const stepBegun = (state: State, frame: AuthFrame<'step'>): void | false => {
  const { link, seq, at, step } = frame
  const run: RunRecord = {
    begun: seq,
    startedAt: at,
    status: 'running',
    checks: [],
    stops: [],
    learned: {},
    requests: [],
    earlier: 0,
  }
  const flow = state.get(link)?.flows.findLast((one) => one.flow === frame.flow && one.outcome === 'running')
  if (!flow) {
    place(state, seq, { link, step })
    return add(state, link, 'afterwards', { flow: frame.flow, step, status: 'running', run, runs: [run], earlier: 0 })
  }
  const index = flow.steps.findIndex((one) => one.step === step)
  if (index < 0 && flow.steps.length >= MOST.steps) return false
  place(state, seq, { link, flow: flow.begun, step })
  const before: StepRecord = flow.steps[index] ?? { step, status: 'planned', runs: [], earlier: 0 }
  const runs = newest(before.runs, run, MOST.runs)
  const begun: StepRecord = {
    step,
    status: 'running',
    run,
    runs,
    earlier: before.earlier + before.runs.length + 1 - runs.length,
  }
  const position = index < 0 ? flow.steps.length : index
  const steps = flow.steps.map((one, nth): StepRecord => {
    if (nth === position) return begun
    if (nth > position) return planned(one)
    return one.status === 'planned' ? { ...one, status: 'known' } : one
  })
  putFlow(state, { ...flow, steps: index < 0 ? [...steps, begun] : steps })
}

/** Whoever goes back begins anew from there: what was found later does not count any more. */
const planned = (record: StepRecord): StepRecord => {
  const { run: _, ...rest } = record
  return record.status === 'planned' ? record : { ...rest, status: 'planned' }
}

const settled = (run: RunRecord, frame: AuthFrame<'done'>): RunRecord => {
  const { fault: stoodFor, ...rest } = run
  const { seq, at, outcome, checks, learned } = frame
  // Who stops the sign-in while a step stands still leaves it with the fault that it stood still for.
  const fault = frame.fault ?? (outcome === 'failed' ? stoodFor : undefined)
  return { ...rest, endedAt: at, status: outcome, done: seq, checks, learned, ...(fault ? { fault } : {}) }
}

/** Its user helped: the step goes on, and asks for something. */
const goingOn = (run: RunRecord): RunRecord => {
  const { fault: _, ...rest } = run
  return run.status === 'waiting' ? { ...rest, status: 'running' } : run
}

const flowEnded = (state: State, frame: AuthFrame<'end'>): void | false => {
  const flow = state.get(frame.link)?.flows.findLast((one) => one.flow === frame.flow && one.outcome === 'running')
  if (!flow) return false
  const { at, outcome, fault } = frame
  // Only of a recording that lost frames: a step has its outcome before its flow has.
  const steps = flow.steps.map((one): StepRecord => {
    if (one.run === undefined || one.run.endedAt !== undefined) return one
    return withRun(one, { ...one.run, status: 'failed', endedAt: at })
  })
  putFlow(state, { ...flow, steps, endedAt: at, outcome, ...(fault ? { fault } : {}) })
}

const exchanged = (state: State, frame: FrameOf<'http'>): void | false => {
  if (frame.phase === 'request') {
    if (frame.step === undefined) return false
    const { seq, at, method, url, step, relayed = false } = frame
    const request: RequestRecord = { seq, startedAt: at, method, url, relayed }
    const changed = changeRun(state, step, (before) => {
      const run = goingOn(before)
      const requests = newest(run.requests, request, MOST.requests)
      return { ...run, requests, earlier: run.earlier + run.requests.length + 1 - requests.length }
    })
    if (changed !== false) keep(state.requests, seq, step)
    return changed
  }
  const begun = state.requests.get(frame.request)
  if (begun === undefined || frame.phase === 'queued') return false
  if (frame.phase !== 'response') state.requests.delete(frame.request)
  return changeRun(state, begun, (run) => {
    const index = run.requests.findLastIndex(({ seq }) => seq === frame.request)
    return index < 0 ? run : { ...run, requests: run.requests.with(index, answered(run.requests[index]!, frame)) }
  })
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
      const failed = { error, hidden, ...(aborted === undefined ? {} : { aborted }) }
      return { ...request, end: frame.seq, endedAt: frame.at, failed }
    }
  }
}

const changeRun = (state: State, begun: Seq, change: (run: RunRecord) => RunRecord): void | false => {
  const place = state.places.get(begun)
  const record = place && state.get(place.link)
  if (!record) return false
  if (place.flow === undefined) {
    const index = record.afterwards.findLastIndex(({ run }) => run.begun === begun)
    const before = record.afterwards[index]
    const run = before && change(before.run)
    if (!run || run === before.run) return false
    const afterwards = record.afterwards.with(index, { ...before, run, runs: [run], status: run.status })
    state.set(place.link, { ...record, afterwards })
    return
  }
  const flow = record.flows.findLast((one) => one.begun === place.flow)
  const at = flow?.steps.findIndex(({ step }) => step === place.step) ?? -1
  const before = flow?.steps[at]?.runs.findLast((one) => one.begun === begun)
  const run = before && change(before)
  if (!flow || !run || run === before) return false
  putFlow(state, { ...flow, steps: flow.steps.with(at, withRun(flow.steps[at]!, run)) })
}

const withRun = (record: StepRecord, run: RunRecord): StepRecord => {
  const runs = record.runs.map((one) => (one.begun === run.begun ? run : one))
  return record.run?.begun === run.begun ? { ...record, runs, run, status: run.status } : { ...record, runs }
}

const putFlow = (state: State, flow: FlowRecord): void => {
  const record = state.get(flow.link)!
  const flows = record.flows.map((one) => (one.begun === flow.begun ? flow : one))
  state.set(flow.link, { ...record, flows })
}

const place = (state: State, begun: Seq, where: Place): void => keep(state.places, begun, where)

/** Runs and requests without an end are few, unless somebody makes them many. */
const keep = <Value>(map: Map<Seq, Value>, seq: Seq, value: Value): void => {
  map.set(seq, value)
  if (map.size > MOST.open) map.delete(map.keys().next().value!)
}

/** Something learned, and the frame that tells of it. */
export interface Fact {
  readonly value: Json
  readonly step: AuthStep
  readonly seq: Seq
}

/** What is known by now, each by its name in `learned.ts`; what a later step learned stands for what an earlier one did. */
export const knownOf = (flow: FlowRecord): ReadonlyMap<string, Fact> => {
  const known = new Map<string, Fact>()
  for (const { step, run } of flow.steps) {
    if (run?.done === undefined || (run.status !== 'ok' && run.status !== 'forced')) continue
    for (const name in run.learned) {
      const value = run.learned[name]
      if (value !== undefined) known.set(name, { value, step, seq: run.done })
    }
  }
  return known
}

/** The step to look at: the one under way, else where it ended. */
export const currentStep = (flow: FlowRecord): AuthStep | undefined =>
  (flow.steps.findLast(({ run }) => run !== undefined) ?? flow.steps[0])?.step

/** The sign-in that a frame belongs to. */
export const flowAt = (folded: AuthFolded, { link, seq }: Pick<Frame, 'link' | 'seq'>): FlowRecord | undefined =>
  folded.get(link)?.flows.findLast(({ begun }) => begun <= seq)
