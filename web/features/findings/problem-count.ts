/** The findings of a trace for everything that counts problems: loaded once per trace, with the first reader. */
import { loadLinter } from '../../lint/lazy.ts'
import type { Findings, SharedFindings } from '../../lint/index.ts'
import { Signal, type Trace } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'
import { loadFeatureRules } from '../lint.ts'
import { mutedRulesOf } from './muted-rules.ts'

class TraceFindings {
  #shared: SharedFindings | undefined
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe

  constructor(trace: Trace) {
    const load = async () => {
      const { sharedLint } = await loadLinter()
      // As long as the trace, which nothing else keeps alive either.
      this.#shared = await sharedLint(trace, new AbortController().signal, loadFeatureRules)
      this.#shared.subscribe(() => this.#changes.emit())
      this.#changes.emit()
    }
    // Without the rules there is nothing to count; the trace reports the failure.
    load().catch(() => {})
  }

  /** Absent until the rules are loaded and something was judged. The same object, which grows. */
  get current(): Findings | undefined {
    return this.#shared?.current
  }
}

const known = new WeakMap<Trace, TraceFindings>()

/** Shared by all readers of a trace. */
export const findingsOf = (trace: Trace): TraceFindings => {
  let findings = known.get(trace)
  if (!findings) known.set(trace, (findings = new TraceFindings(trace)))
  return findings
}

type Judged = Pick<ServerView, 'trace' | 'link' | 'kept'>

/** Violations of MUST and SHOULD by a server, without muted rules: the one number that every screen tells. */
export const problemCountOf = (server: Judged) => ({
  get current(): number {
    const findings = findingsOf(server.trace).current
    if (!findings) return 0
    const muted = mutedRulesOf(server).current
    let count = 0
    for (const { link, rule, keyword, count: times } of findings.byRule.values())
      if (link === server.link && (keyword === 'MUST' || keyword === 'SHOULD') && !muted.has(rule)) count += times
    return count
  },
  subscribe(listener: () => void): () => void {
    const stops = [findingsOf(server.trace), mutedRulesOf(server)].map((source) => source.subscribe(listener))
    return () => stops.forEach((stop) => stop())
  },
})
