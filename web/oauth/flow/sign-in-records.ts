/**
 * Sign-ins as the screen shows them: per link, its flows with their steps, the requests of each, credential events, and
 * refreshes and revocations. A recording shows the same as a live sign-in.
 *
 * Returned objects are immutable: a frame replaces what it changes and leaves the rest identical. Bounded: the newest
 * are kept, and the others are counted; the frames themselves are in the Trace.
 */
import {
  signInsOf,
  type AuthCheck,
  type AuthFault,
  type AuthFrame,
  type AuthStep,
  type Fold,
  type Json,
  type JsonObject,
  type Link,
  type RequestRecord,
  type Seq,
  type SignIns,
  type StepRun,
} from '../../mcp/index.ts'

type RunStatus = 'running' | 'waiting' | 'ok' | 'forced' | 'failed' | 'undone'

/** One run of a step; going back or retrying creates another. */
export interface RunRecord {
  /** The frame that started it. */
  readonly begun: Seq
  readonly startedAt: number
  readonly endedAt?: number
  /** `waiting`: a fault waits for the user's decision. */
  readonly status: RunStatus
  /** The frame with its outcome. */
  readonly done?: Seq
  readonly checks: readonly AuthCheck[]
  /** The fault it waits for, or ended with. */
  readonly fault?: AuthFault
  /** All faults it waited for, in order, including those that the user skipped. */
  readonly stops: readonly AuthFault[]
  readonly learned: JsonObject
  readonly requests: readonly RequestRecord[]
  /** Number of requests that are no longer listed. */
  readonly earlier: number
}

/** `planned`: not started yet. `known`: its results were found before the page was reloaded. */
type StepStatus = RunStatus | 'planned' | 'known'

export interface StepRecord {
  readonly step: AuthStep
  readonly status: StepStatus
  /** The run that counts; absent if there is none (any more). */
  readonly run?: RunRecord
  /** All runs, in order. */
  readonly runs: readonly RunRecord[]
  /** Number of runs that are no longer listed. */
  readonly earlier: number
}

export interface FlowRecord {
  readonly link: Link
  /** The id used in its frames. */
  readonly flow: string
  /** The frame that started it. */
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

/** A refresh or a revocation: a step outside any flow. */
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
  /** Numbers of records that are no longer listed. */
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

interface State extends Map<Link, LinkRecord> {
  readonly signIns: SignIns
}

const signIns = signInsOf(MOST.open)

export const authFold: Fold<AuthFolded> = {
  initial: () => Object.assign(new Map<Link, LinkRecord>(), { signIns: signIns.initial() }),

  step(shown, frame) {
    const state = shown as State
    if (frame.kind !== 'http' && frame.kind !== 'auth') return false
    signIns.step(state.signIns, frame)
    const { run } = state.signIns.last
    if (frame.kind === 'http') return run && frame.phase !== 'queued' ? changeRun(state, run) : false
    switch (frame.event) {
      case 'flow':
        return flowBegun(state, frame)
      case 'step':
        return stepBegun(state, run!)
      case 'waiting':
      case 'done':
        return run ? changeRun(state, run) : false
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

const snapshot = (run: StepRun): RunRecord => {
  const { begun, startedAt, endedAt, done, outcome, checks, fault, stops, learned, requests } = run
  const status = outcome === 'cut' ? 'failed' : (outcome ?? (fault ? 'waiting' : 'running'))
  return {
    ...{ begun, startedAt, endedAt, status, done, checks, fault, stops, learned },
    requests: requests.slice(-MOST.requests),
    earlier: Math.max(0, requests.length - MOST.requests),
  }
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

const stepBegun = (state: State, began: StepRun): void | false => {
  const { link, step } = began
  const run = snapshot(began)
  if (!began.of) {
    return add(state, link, 'afterwards', { flow: began.flow, step, status: 'running', run, runs: [run], earlier: 0 })
  }
  const flow = flowOf(state, began)
  if (!flow) return false
  const index = flow.steps.findIndex((one) => one.step === step)
  if (index < 0 && flow.steps.length >= MOST.steps) return false
  const before: StepRecord = flow.steps[index] ?? { step, status: 'planned', runs: [], earlier: 0 }
  const runs = newest(before.runs, run, MOST.runs)
  const earlier = before.earlier + before.runs.length + 1 - runs.length
  const begun: StepRecord = { step, status: 'running', run, runs, earlier }
  const position = index < 0 ? flow.steps.length : index
  const steps = flow.steps.map((one, nth): StepRecord => {
    if (nth === position) return begun
    if (nth > position) return planned(one)
    return one.status === 'planned' ? { ...one, status: 'known' } : one
  })
  putFlow(state, { ...flow, steps: index < 0 ? [...steps, begun] : steps })
}

const flowOf = (state: State, { link, of }: StepRun): FlowRecord | undefined =>
  state.get(link)?.flows.findLast(({ begun }) => begun === of?.begun)

/** Going back restarts from there, so the results of later steps no longer count. */
const planned = (record: StepRecord): StepRecord => {
  const { run: _, ...rest } = record
  return record.status === 'planned' ? record : { ...rest, status: 'planned' }
}

const flowEnded = (state: State, { seq }: AuthFrame<'end'>): void | false => {
  const { flows, settled } = state.signIns
  // Only in a recording that lost frames: normally a step has its outcome before its flow does.
  const cut = settled.map((run) => changeRun(state, run) !== false)
  const ended = flows.get(seq)
  const flow = ended && state.get(ended.link)?.flows.findLast(({ begun }) => begun === ended.begun)
  if (!flow) return cut.includes(true) ? undefined : false
  const { endedAt = 0, outcome = 'failed', fault } = ended
  putFlow(state, { ...flow, endedAt, outcome, fault })
}

const changeRun = (state: State, run: StepRun): void | false => {
  const { link, step, begun } = run
  const record = state.get(link)
  if (!record) return false
  if (!run.of) {
    const index = record.afterwards.findLastIndex((one) => one.run.begun === begun)
    const before = record.afterwards[index]
    if (!before) return false
    const changed = snapshot(run)
    const afterwards = record.afterwards.with(index, {
      ...before,
      run: changed,
      runs: [changed],
      status: changed.status,
    })
    state.set(link, { ...record, afterwards })
    return
  }
  const flow = flowOf(state, run)
  const at = flow?.steps.findIndex((one) => one.step === step) ?? -1
  if (!flow?.steps[at]?.runs.some((one) => one.begun === begun)) return false
  putFlow(state, { ...flow, steps: flow.steps.with(at, withRun(flow.steps[at], snapshot(run))) })
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

/** A discovered value, and the frame that reports it. */
interface Fact {
  readonly value: Json
  readonly step: AuthStep
  readonly seq: Seq
}

/** What is known by now, by the names in `step-frames.ts`; a later step overrides an earlier one. */
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

/** AU-FLOW-10: codes that mean the response may belong to another sign-in, or come from an issuer that wasn't asked. */
const STRANGE: ReadonlySet<string> = new Set(['iss-mismatch', 'iss-missing', 'state-mismatch', 'repeated-parameter'])

/** The response may have been written by someone else. */
export const isStrange = ({ stops, fault, checks }: RunRecord): boolean =>
  [...stops, ...(fault ? [fault] : [])].some(({ code }) => STRANGE.has(code)) ||
  checks.some(
    ({ ok, say }) => ok === false && (say === 'iss-differs' || say === 'iss-missing' || say === 'state-differs'),
  )

type Returned =
  | { readonly shown: true; readonly parameters: readonly (readonly [name: string, value: string])[] }
  /** `judged`: not checked yet; `strange`: it may be someone else's. */
  | { readonly shown: false; readonly why: 'judged' | 'strange' }

/** @returns `undefined` if nothing has come back yet */
export const returnedOf = ({ steps }: FlowRecord): Returned | undefined => {
  const run = steps.find(({ step }) => step === 'authorization')?.run
  const query = run?.learned.returned
  if (typeof query !== 'string') return undefined
  const callback = steps.find(({ step }) => step === 'callback')?.run
  if (callback && isStrange(callback)) return { shown: false, why: 'strange' }
  // The frame with the results of the checks is recorded at the end of the step. A later fault
  // also means that they passed.
  const passed = callback && (callback.endedAt !== undefined || callback.fault !== undefined)
  if (!passed) return { shown: false, why: 'judged' }
  return { shown: true, parameters: [...new URLSearchParams(query)].slice(0, 50) }
}

/** The step to show: the current one, or the one where the flow ended. */
export const currentStep = (flow: FlowRecord): AuthStep | undefined =>
  (flow.steps.findLast(({ run }) => run !== undefined) ?? flow.steps[0])?.step
