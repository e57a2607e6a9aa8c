/** Findings of level MUST on what a step caused. The rules load with the first step that is held to them. */
import { sharedLint, type SharedFindings } from '../../lint/index.ts'
import type { Link, Seq, Trace } from '../../mcp/index.ts'
import { loadFeatureRules } from '../lint.ts'

/** ms that the judgement may be behind the traffic. */
const LIMIT = 10_000

export class MustCount {
  readonly #signal: AbortSignal
  readonly #found = new Map<Trace, Promise<SharedFindings>>()

  /** @param signal ends the watch */
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
    }, LIMIT)
    look()
  })
