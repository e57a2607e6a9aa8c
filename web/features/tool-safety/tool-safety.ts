/**
 * The gate before the calls of one server's tools, with what it decides by: the user's policy, the approved tools, and
 * the tools switched off for this session. The session asks it before every call, whatever started the call.
 */
import {
  notAllowed,
  Signal,
  type CallGate,
  type Clearance,
  type Json,
  type JsonObject,
  type LeavingCall,
  type LeavingCalls,
} from '../../mcp/index.ts'
import { approvalOf, type ApprovedTool, type Approvals } from './approvals.ts'
import { definitionOf, isSameDefinition, type Definition } from './definition.ts'
import { claimOf, verdictOf, type AskReason, type ToolPolicy, type Verdict } from './policy.ts'
import type { CallQuestion, CallQuestions } from './questions.ts'

export interface ToolSafetyOptions {
  /** Identifies the server across reloads, without secrets. */
  readonly server: string
  /** As the window names it. */
  readonly name: () => string
  /** The server's tools, as listed last. */
  readonly tools: {
    readonly named: (tool: string) => readonly Json[]
    readonly names: () => readonly string[]
    readonly subscribe: (listener: () => void) => () => void
  }
  /** Unless the user chose one, for this server or as the default. */
  readonly fallback: ToolPolicy
  readonly approvals: Approvals
  readonly questions: Pick<CallQuestions, 'ask'>
}

/** Whether a tool would be called without a question, and why not. */
export type ToolVerdict = Verdict | { readonly off: true }

interface Judged {
  readonly definition: Definition
  readonly verdict: Exclude<ToolVerdict, { off: true }>
  /** The definition that the user approved, if it changed since. */
  readonly before?: Definition
}

/** What the user decided about one call of a message: the definition that was on screen, and how it is recorded. */
interface Decided {
  readonly definition: Definition
  readonly clearance: Clearance
}

export class ToolSafety implements CallGate {
  readonly server: string
  readonly #options: ToolSafetyOptions
  readonly #off = new Set<string>()
  /** Definitions that the user ran once, to show what changed when the same tool asks again. */
  readonly #seen = new Map<string, Definition>()
  /** What the user approved for runs of tests that are going on. */
  readonly #runs = new Set<ReadonlyMap<string, Definition>>()
  /** The definitions with which calls were cleared, to notice a change before they are sent again. */
  readonly #cleared = new WeakMap<readonly Clearance[], readonly Definition[]>()
  readonly #changes = new Signal()

  constructor(options: ToolSafetyOptions) {
    this.#options = options
    this.server = options.server
  }

  /** For `live()`: always the same object, read again after each change. */
  get current(): this {
    return this
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const stops = [this.#decided(listener), this.#options.tools.subscribe(listener)]
    return () => stops.forEach((stop) => stop())
  }

  #decided(listener: () => void): () => void {
    const stops = [this.#changes.subscribe(listener), this.#options.approvals.subscribe(listener)]
    return () => stops.forEach((stop) => stop())
  }

  get policy(): ToolPolicy {
    return this.ownPolicy ?? this.defaultPolicy
  }

  /** The user's policy for this server. */
  get ownPolicy(): ToolPolicy | undefined {
    return this.#options.approvals.of(this.server).policy
  }
  set ownPolicy(policy: ToolPolicy | undefined) {
    this.#options.approvals.setPolicy(this.server, policy)
  }

  /** @param on false ends only trust: a stricter policy of the user's stays */
  trust(on: boolean): void {
    if (on) this.ownPolicy = 'never'
    else if (this.ownPolicy === 'never') this.ownPolicy = undefined
  }

  /** The policy of servers without one of their own. */
  get defaultPolicy(): ToolPolicy {
    return this.#options.approvals.default ?? this.builtInPolicy
  }

  /** The default, unless the user chose another. */
  get builtInPolicy(): ToolPolicy {
    return this.#options.fallback
  }

  /** Names of the tools as listed last, each once. */
  get names(): readonly string[] {
    return [...new Set(this.#options.tools.names())]
  }

  /** Approved until their definition changes, or the user withdraws it. */
  get approved(): readonly ApprovedTool[] {
    return this.#options.approvals.of(this.server).approved
  }

  approve(tool: string): void {
    this.#options.approvals.approve(this.server, tool, this.#definitionOf(tool))
  }

  withdraw(tool: string): void {
    this.#options.approvals.withdraw(this.server, tool)
  }

  /** Tools that aren't called in this session, whatever the policy. */
  get switchedOff(): ReadonlySet<string> {
    return this.#off
  }

  switchOff(tool: string, off: boolean): void {
    if (off) this.#off.add(tool)
    else this.#off.delete(tool)
    this.#changes.emit()
  }

  verdictOf(tool: string): ToolVerdict {
    return this.#off.has(tool) ? { off: true } : this.#judge(tool).verdict
  }

  /** The approved definition of a tool that changed since, and the present one. */
  changeOf(tool: string): { readonly before: Definition; readonly now: Definition } | undefined {
    const { before, definition: now } = this.#judge(tool)
    return before && { before, now }
  }

  /**
   * The user approved these tools for one run of tests: until it is over, and only while their definitions stay as they
   * are. A policy that asks before every call asks anyway.
   */
  approveForRun(tools: readonly string[], over: AbortSignal): void {
    if (over.aborted) return
    const run = new Map(tools.map((tool) => [tool, this.#definitionOf(tool)]))
    this.#runs.add(run)
    over.addEventListener('abort', () => this.#runs.delete(run), { once: true })
  }

  /** Everything that decides about this server's tools, for a file. */
  exported(): JsonObject {
    const { ownPolicy, policy, approved } = this
    return {
      server: this.server,
      policy,
      policySetFor: ownPolicy ? 'server' : 'default',
      approved: approved.map(({ tool, at, definition }) => ({
        tool,
        approvedAt: new Date(at).toISOString(),
        definition: definition.length === 1 ? definition[0]! : [...definition],
      })),
      switchedOff: [...this.#off],
    }
  }

  /** @throws {TransportError} `not-allowed` */
  clear(leaving: LeavingCalls): readonly Clearance[] | Promise<readonly Clearance[]> {
    const definitions = leaving.before && this.#cleared.get(leaving.before)
    const decided = leaving.calls.map((_, at): Decided | undefined => {
      const [definition, clearance] = [definitions?.[at], leaving.before?.[at]]
      if (!definition || !clearance) return undefined
      return { definition, clearance: leaving.again ? { ...clearance, by: 'retry' } : clearance }
    })
    const found = this.#look(leaving, decided)
    return 'ask' in found ? this.#ask(leaving, decided) : found.cleared
  }

  /** Asks until nothing is left to ask, because a definition may change while the user reads. */
  async #ask(leaving: LeavingCalls, decided: (Decided | undefined)[]): Promise<readonly Clearance[]> {
    for (;;) {
      const found = this.#look(leaving, decided)
      if (!('ask' in found)) return found.cleared
      const { at, ask: question } = found
      const { tool, definition } = question
      // What the user decides about another call may answer this one as well.
      const again = new AbortController()
      const stop = this.#decided(() => again.abort())
      const decision = await this.#options.questions.ask(question, AbortSignal.any([leaving.signal, again.signal]))
      stop()
      if (decision === 'withdrawn') {
        if (leaving.signal.aborted) throw notAllowed('withdrawn', question.policy)
        continue
      }
      if (decision === 'decline') throw notAllowed('declined', question.policy)
      const { policy, origin } = question
      decided[at] = { definition, clearance: { ...named(tool), origin, policy, by: 'user' } }
      if (tool !== undefined) this.#seen.set(tool, definition)
      const { approvals } = this.#options
      const isApproved = this.approved.some((one) => one.tool === tool)
      if (tool !== undefined && (decision === 'approve' || (decision === 'trust' && isApproved)))
        approvals.approve(this.server, tool, definition)
      if (decision === 'trust') this.ownPolicy = 'never'
    }
  }

  /** The clearances of all calls in a message, or the first question that is open. */
  #look(
    { calls, origin }: LeavingCalls,
    decided: readonly (Decided | undefined)[],
  ): { readonly cleared: readonly Clearance[] } | { readonly at: number; readonly ask: Omit<CallQuestion, 'id'> } {
    const { policy } = this
    const definitions: Definition[] = []
    const cleared: Clearance[] = []
    for (const [at, { tool, params }] of calls.entries()) {
      if (tool === undefined ? this.#off.size > 0 : this.#off.has(tool)) throw notAllowed('switched-off', policy)
      const { definition, verdict, before } = this.#judge(tool)
      const common = { ...named(tool), origin, policy }
      const own = decided[at]
      const inRun = origin === 'test' && policy !== 'always' && this.#isInRun(tool, definition)
      definitions.push(definition)
      if (own && isSameDefinition(own.definition, definition)) cleared.push(own.clearance)
      else if (!verdict.ask) cleared.push({ ...common, by: verdict.by })
      else if (inRun) cleared.push({ ...common, by: 'run' })
      else {
        // Decided on a definition that is another by now.
        const why: AskReason = own ? 'changed' : verdict.why
        const changed = own?.definition ?? before
        const ask = { ...common, ...(params ? { params } : {}), server: this.#options.name(), why, definition }
        return { at, ask: { ...ask, ...(changed ? { before: changed } : {}) } }
      }
    }
    this.#cleared.set(cleared, definitions)
    return { cleared }
  }

  #judge(tool: LeavingCall['tool']): Judged {
    const listed = tool === undefined ? [] : this.#options.tools.named(tool)
    const definition = definitionOf(listed)
    const approved = this.approved.find((one) => one.tool === tool)?.definition
    const verdict = verdictOf(this.policy, claimOf(listed), approvalOf(approved, definition))
    if (!verdict.ask || listed.length === 0) return { definition, verdict }
    const before = approved ?? (tool === undefined ? undefined : this.#seen.get(tool))
    if (!before || isSameDefinition(before, definition)) return { definition, verdict }
    return { definition, verdict: { ask: true, why: 'changed' }, before }
  }

  #definitionOf(tool: string): Definition {
    return definitionOf(this.#options.tools.named(tool))
  }

  #isInRun(tool: LeavingCall['tool'], definition: Definition): boolean {
    if (tool === undefined) return false
    return [...this.#runs].some((run) => {
      const approved = run.get(tool)
      return approved !== undefined && isSameDefinition(approved, definition)
    })
  }
}

const named = (tool: string | undefined): { readonly tool?: string } => (tool === undefined ? {} : { tool })
