/** The findings of a trace for everything that counts problems: loaded once per trace, with the first reader. */
import { loadLinter } from '../../lint/lazy.ts'
import type { Findings } from '../../lint/index.ts'
import type { Trace } from '../../mcp/index.ts'
import { live } from '../../ui/index.svelte.ts'
import type { ServerView } from '../feature.ts'
import { loadFeatureRules } from '../lint.ts'
import { mutedRulesOf } from './muted-rules.svelte.ts'

class ProblemSource {
  #findings = $state.raw<{ readonly current: Findings }>()

  constructor(trace: Trace) {
    const load = async () => {
      const { sharedLint } = await loadLinter()
      // As long as the trace, which nothing else keeps alive either.
      this.#findings = live(await sharedLint(trace, new AbortController().signal, loadFeatureRules))
    }
    // Without the rules there is nothing to count; the trace reports the failure.
    load().catch(() => {})
  }

  /** Reactive. Absent until the rules are loaded and something was judged. */
  get current(): Findings | undefined {
    return this.#findings?.current
  }
}

const sources = new WeakMap<Trace, ProblemSource>()

const sourceOf = (trace: Trace): ProblemSource => {
  let source = sources.get(trace)
  if (!source) sources.set(trace, (source = new ProblemSource(trace)))
  return source
}

export const problemFindings = (trace: Trace): Findings | undefined => sourceOf(trace).current

/** Reactive: violations of MUST and SHOULD by a server, without muted rules. */
export const problemCount = (server: Pick<ServerView, 'trace' | 'link' | 'kept'>): number => {
  const findings = sourceOf(server.trace).current
  if (!findings) return 0
  const muted = mutedRulesOf(server)
  let count = 0
  for (const { link, rule, keyword, count: times } of findings.byRule.values())
    if (link === server.link && (keyword === 'MUST' || keyword === 'SHOULD') && !muted.has(rule)) count += times
  return count
}
