/** The lint's problems in a trace, while a component lives; `undefined` until the rules are loaded. */
import { loadSharedLint, loadRequirementList, loadLintTexts } from '../../lint/lazy.ts'
import type { SharedFindings, Requirement } from '../../lint/index.ts'
import type { Trace } from '../../mcp/index.ts'
import { loadFeatureRules } from '../lint.ts'

export interface Judged {
  readonly source: SharedFindings
  readonly requirements: Readonly<Record<string, Requirement>>
  readonly titleOf: (rule: string) => string | undefined
}

/** Call during component setup. */
export const judged = (trace: () => Trace): { readonly current: Judged | undefined } => {
  let current = $state.raw<Judged>()
  $effect(() => {
    const leaving = new AbortController()
    const load = async (of: Trace) => {
      const [{ sharedLint }, { loadRequirements }, { titleOf }] = await Promise.all([
        loadSharedLint(),
        loadRequirementList(),
        loadLintTexts(),
      ])
      const [source, list] = await Promise.all([sharedLint(of, leaving.signal, loadFeatureRules), loadRequirements()])
      if (leaving.signal.aborted) return
      current = { source, titleOf, requirements: Object.fromEntries(list.map((row) => [row.id, row])) }
    }
    load(trace()).catch((reason: unknown) => {
      if (!leaving.signal.aborted) throw reason
    })
    return () => {
      leaving.abort(new Error('The overview is not shown any more'))
      current = undefined
    }
  })
  return {
    get current() {
      return current
    },
  }
}
