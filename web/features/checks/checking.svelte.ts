/* eslint-disable svelte/prefer-svelte-reactivity -- no Map or Set here is read by the screen */
/** The state of a server's Tests tab: steps, target servers, rules and results so far. */
import { resolvePointer } from '../../json/index.ts'
import { pageValidator } from '../../forms/index.svelte.ts'
import {
  type Json,
  type JsonObject,
  type Link,
  type Seq,
  Signal,
  type Trace,
  getOrInsert,
  messageOf,
} from '../../mcp/index.ts'
import {
  type Collection,
  type Outcome,
  type Step,
  type StepReport,
  type VolatileRule,
  rejudged,
  rerun,
  rulesOf,
  stepsOf,
} from '../../replay/index.ts'
import { shelf } from '../saved-calls/index.svelte.ts'
import type { ServerView } from '../feature.ts'
import { tabOutcomesOf } from '../tab-outcomes.ts'
import { askingCalls, changed, summaryOf, typedValue, wantedIn, type AskingCalls } from './steps.ts'
import { type SharedFindings, sharedLint } from '../../lint/index.ts'
import { loadFeatureRules } from '../lint.ts'

/** The servers that a run or a comparison may use, including this one. */
export const serversOf = (server: ServerView): readonly ServerView[] => {
  const all = server.others ?? server.pendingRequests?.servers ?? []
  const once = all.filter(({ slot }, at) => all.findIndex((other) => other.slot === slot) === at)
  return once.some(({ slot }) => slot === server.slot) ? once : [server, ...once]
}

/** ms that the lint may lag behind the traffic. */
const LINT_LIMIT = 10_000

/** Counts the server's MUST violations since a step began. The rules load with the first step that checks them. */
class MustCount {
  readonly #signal: AbortSignal
  readonly #found = new Map<Trace, Promise<SharedFindings>>()

  /** @param signal stops observing */
  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  async since(trace: Trace, link: Link, from: Seq): Promise<number> {
    let loading = this.#found.get(trace)
    if (!loading) this.#found.set(trace, (loading = sharedLint(trace, this.#signal, loadFeatureRules)))
    const found = await loading
    const until = trace.length
    await reached(found, until, this.#signal)
    let count = 0
    for (let seq = from; seq < until; seq++) {
      const here = found.current.bySeq.get(seq) ?? []
      count += here.filter(
        (finding) => finding.link === link && finding.keyword === 'MUST' && finding.by !== 'client',
      ).length
    }
    return count
  }
}

const reached = (found: SharedFindings, until: Seq, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (found.reached < until && !signal.aborted) return
      clearTimeout(timer)
      leave()
      resolve()
    }
    const leave = found.subscribe(look)
    const timer = setTimeout(() => {
      leave()
      resolve()
    }, LINT_LIMIT)
    look()
  })

/** Steps that need confirmation because they call tools that ask first. */
export interface Confirming extends AskingCalls {
  readonly steps: readonly Step[]
}

export type Source =
  | { readonly kind: 'session' }
  | { readonly kind: 'collection'; readonly id: string }
  | { readonly kind: 'file'; readonly name: string }

/** The collection was deleted, perhaps in another browser tab. */
const GONE: Collection = { name: '', steps: [] }

/** Reports by step id. They can arrive faster than the screen updates. */
class Reports {
  current = new Map<string, readonly StepReport[]>()
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe

  add(report: StepReport): void {
    const { id } = report.step
    const before = report.run === 1 ? [] : (this.current.get(id) ?? [])
    this.current.set(id, [...before, report])
    this.#changes.emit()
  }

  replace(id: string, reports: readonly StepReport[]): void {
    this.current.set(id, reports)
    this.#changes.emit()
  }

  forget(ids: Iterable<string>): void {
    for (const id of ids) this.current.delete(id)
    this.#changes.emit()
  }
}

export class Checking {
  readonly link: Link
  readonly slot: string
  mode = $state<'run' | 'compare'>('run')
  source = $state.raw<Source>({ kind: 'session' })
  /** Steps from a session or file. Collections are read from the store. */
  #loaded = $state.raw<Collection>({ name: '', steps: [] })
  /** The values typed for variables. They may be secret, so they are never stored. */
  values = $state.raw<Readonly<Record<string, string>>>({})
  /** The server that replaces each recorded connection. */
  targets = $state.raw<Readonly<Record<Link, Link>>>({})
  readonly reports = new Reports()
  picked = $state<string>()
  tab = $state<'answer' | 'request' | 'expect'>('answer')
  side = $state<'step' | 'rules'>('step')
  filter = $state<'all' | 'failed'>('all')
  confirming = $state.raw<Confirming>()
  fault = $state<string>()
  /** The step that is running. */
  sending = $state<string>()
  #stop = $state.raw<AbortController>()
  /** Requests sent by a run, which must not be listed as steps of the session. */
  readonly #own = new Set<Seq>()
  #taken: Record<string, Json> = {}
  /** The last write to the store. A run awaits it, so that it includes edits made just before the click. */
  #kept: Promise<unknown> = Promise.resolve()
  loaded = $state(false)

  constructor({ link, slot }: Pick<ServerView, 'link' | 'slot'>) {
    this.link = link
    this.slot = slot
  }

  get current(): Collection {
    const { source } = this
    return source.kind === 'collection' ? (shelf.of(source.id) ?? GONE) : this.#loaded
  }

  get name(): string {
    return this.current.name
  }

  get steps(): readonly Step[] {
    return this.current.steps
  }

  get rules(): readonly VolatileRule[] {
    return rulesOf(this.current)
  }

  get step(): Step | undefined {
    return this.steps.find(({ id }) => id === this.picked)
  }

  get running(): boolean {
    return this.#stop !== undefined
  }

  /** The open source: `session`, `file`, or `kept:` and the id of a collection. */
  get open(): string {
    return this.source.kind === 'collection' ? `kept:${this.source.id}` : this.source.kind
  }

  get collection(): string | undefined {
    return this.source.kind === 'collection' ? this.source.id : undefined
  }

  /** Loads the requests of this session so far as steps. */
  takeSession(server: ServerView): void {
    const all = stepsOf([...server.trace])
    const steps = all.filter(({ link, seq }) => link === server.link && !(seq !== undefined && this.#own.has(seq)))
    this.#take({ kind: 'session' }, { name: server.name, steps })
  }

  takeCollection(id: string): void {
    const collection = shelf.of(id)
    if (collection) this.#take({ kind: 'collection', id }, collection)
  }

  takeFile(name: string, collection: Collection): void {
    this.#take({ kind: 'file', name }, { ...collection, name: collection.name || name })
  }

  #take(source: Source, collection: Collection): void {
    this.stop()
    this.reports.forget([...this.reports.current.keys()])
    this.#taken = {}
    this.#loaded = collection
    this.source = source
    // Nothing of a session is a test yet.
    this.picked = source.kind === 'session' ? undefined : collection.steps[0]?.id
    this.confirming = undefined
    this.fault = undefined
    this.loaded = true
  }

  /** Changes steps, rules or the name. Changes to a collection are stored. */
  async edit(by: (collection: Collection) => Collection): Promise<void> {
    const id = this.collection
    if (id === undefined) this.#loaded = by(this.#loaded)
    else await (this.#kept = shelf.change(id, by))
  }

  async editSteps(by: (steps: readonly Step[]) => readonly Step[]): Promise<void> {
    await this.edit((collection) => ({ ...collection, steps: by(collection.steps) }))
    if (!this.step) this.picked = this.steps[0]?.id
  }

  async editStep(id: string, by: (step: Step) => Step): Promise<void> {
    await this.editSteps((steps) => changed(steps, id, by))
  }

  /** Also evaluates the existing results again. */
  async editRules(by: (rules: readonly VolatileRule[]) => readonly VolatileRule[] | undefined): Promise<void> {
    await this.edit(({ rules, ...collection }) => {
      const next = by(rulesOf(rules ? { rules } : {}))
      return next ? { ...collection, rules: next } : collection
    })
    await this.#rejudge(this.steps)
  }

  /** Makes this outcome the one that later responses are compared with. */
  async takeAsRecorded(id: string, recorded: Outcome): Promise<void> {
    await this.editStep(id, (step) => ({ ...step, recorded }))
    await this.#rejudge(this.steps.filter((step) => step.id === id))
  }

  async #rejudge(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      const reports = this.reports.current.get(step.id)
      if (!reports) continue
      const judged: StepReport[] = []
      for (const report of reports) judged.push(await rejudged(report, step, this.rules))
      if (this.reports.current.get(step.id) === reports) this.reports.replace(step.id, judged)
    }
  }

  /** Saves the steps as a collection and continues with it. */
  async keepAs(name: string): Promise<void> {
    const id = await shelf.add({ ...this.current, name })
    if (id !== undefined) this.source = { kind: 'collection', id }
  }

  stop(): void {
    this.#stop?.abort(new Error('The re-run was stopped'))
  }

  /** The server that receives the steps of a recorded connection: the user's choice, or the first that is open. */
  targetOf(link: Link, servers: readonly ServerView[]): ServerView | undefined {
    const open = servers.filter(({ session }) => session !== undefined)
    const wanted = this.targets[link] ?? this.link
    return open.find((server) => server.link === wanted) ?? open[0]
  }

  /** Runs steps, after one confirmation for all tools that would ask. */
  async begin(pick: (steps: readonly Step[]) => readonly Step[], servers: readonly ServerView[]): Promise<void> {
    await this.#kept
    const steps = pick(this.steps)
    if (this.running || steps.length === 0) return
    const calls = askingCalls(steps, (link) => this.targetOf(link, servers), asksBefore)
    if (calls.tools.length > 0) this.confirming = { steps, ...calls }
    else await this.run(steps, servers)
  }

  /** @param approved by the user, for this run */
  async run(steps: readonly Step[], servers: readonly ServerView[], approved?: AskingCalls): Promise<void> {
    if (this.running) return
    this.confirming = undefined
    this.fault = undefined
    const stop = (this.#stop = new AbortController())
    for (const { server, tools } of approved?.servers ?? []) server.toolSafety?.approveForRun(tools, stop.signal)
    if (steps.length === this.steps.length) this.#taken = {}
    this.reports.forget(steps.map(({ id }) => id))
    const musts = new MustCount(stop.signal)
    const target = (link: Link) => this.targetOf(link, servers)
    try {
      const going = rerun(this.#announced(steps), {
        session: (link) => target(link)?.session,
        rules: this.rules,
        variables: { ...this.#environment(steps, servers), ...this.#taken, ...this.#given() },
        script: (answers, link) => {
          const to = target(link)
          to?.pendingRequests?.script(to.link, answers)
        },
        validate: faultBySchema,
        musts: async (link, from) => {
          const to = target(link)
          return to ? await musts.since(to.trace, to.link, from) : 0
        },
        signal: stop.signal,
      })
      for await (const report of going) this.#came(report)
    } catch (error) {
      this.fault = messageOf(error)
    } finally {
      const { failed, notSent } = summaryOf(this.reports.current.values())
      const unfinished = stop.signal.aborted || this.fault !== undefined
      tabOutcomesOf(this).set('checks', unfinished ? failed + notSent || undefined : failed + notSent)
      stop.abort(new Error('The re-run is over'))
      if (this.#stop === stop) this.#stop = undefined
      this.sending = undefined
    }
  }

  #came(report: StepReport): void {
    const { step, outcome, seq } = report
    if (seq !== undefined) this.#own.add(seq)
    if (outcome && 'result' in outcome) {
      for (const { name, pointer } of step.take ?? []) {
        const value = resolvePointer<Json>(outcome.result, pointer)
        if (value !== undefined) this.#taken[name] = value
      }
    }
    this.reports.add(report)
  }

  /** Yields the same steps, and publishes each one as running when it is taken. */
  *#announced(steps: readonly Step[]): Generator<Step> {
    for (const step of steps) {
      this.sending = step.id
      yield step
    }
  }

  /** Values of the active environment, as strings. */
  #environment(steps: readonly Step[], servers: readonly ServerView[]): JsonObject {
    const source = servers.find(({ variables }) => variables)?.variables
    const names = wantedIn(steps).filter((name) => source?.scope.variables.get(name)?.value)
    // Each connection masks the secrets that are sent on it.
    const values = (of: ServerView) =>
      names.map((name) => [name, of.variables?.forSending(`{{${name}}}`).value as string])
    return Object.fromEntries(servers.flatMap(values)) as JsonObject
  }

  #given(): JsonObject {
    const given = Object.entries(this.values).filter(([, text]) => text !== '')
    return Object.fromEntries(given.map(([name, text]) => [name, typedValue(text)]))
  }
}

/** A changed definition, and a policy that asks before every call, need the question for each call itself. */
const asksBefore = ({ toolSafety }: ServerView, tool: string): boolean => {
  const verdict = toolSafety?.verdictOf(tool)
  return verdict !== undefined && 'ask' in verdict && verdict.ask && !['changed', 'every-call'].includes(verdict.why)
}

/** The validator's message; `undefined`: the value is valid. */
const faultBySchema = async (schema: JsonObject, value: Json): Promise<string | undefined> => {
  const { state, problems, unchecked } = await pageValidator.validate(schema, value)
  if (state === 'valid') return undefined
  const first = problems.find(({ severity }) => severity === 'error')
  return first ? `${first.pointer || '/'} ${first.message}` : unchecked?.message
}

const bySlot = new Map<string, Checking>()

export const checkingOf = (server: ServerView): Checking => getOrInsert(bySlot, server.slot, () => new Checking(server))
