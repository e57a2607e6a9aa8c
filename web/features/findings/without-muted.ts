/** Findings without those of muted rules, for readers that count or mark frames. */
import { tallyKey, type Findings, type SharedFindings } from '../../lint/index.ts'
import type { Seq } from '../../mcp/index.ts'

/** @param muted keys of a connection and a rule: `tallyKey` */
export const withoutMuted = (source: SharedFindings, muted: ReadonlySet<string>): SharedFindings =>
  muted.size === 0 ? source : new Unmuted(source, muted)

class Unmuted implements SharedFindings {
  readonly #source: SharedFindings
  readonly #muted: ReadonlySet<string>
  #known: { readonly total: number; readonly findings: Findings } | undefined

  constructor(source: SharedFindings, muted: ReadonlySet<string>) {
    this.#source = source
    this.#muted = muted
  }

  get reached(): Seq {
    return this.#source.reached
  }

  /** Made anew only when there are more findings, because the retained ones are thousands at most. */
  get current(): Findings {
    const { current } = this.#source
    const { MUST, SHOULD, MAY, ADVICE } = current.counts
    const total = MUST + SHOULD + MAY + ADVICE
    if (this.#known?.total !== total) this.#known = { total, findings: this.#filtered(current) }
    return this.#known.findings
  }

  subscribe(listener: () => void): () => void {
    return this.#source.subscribe(listener)
  }

  #filtered({ bySeq, byRule, byLink, counts }: Findings): Findings {
    const left = { ...counts }
    const links = new Map([...byLink].map(([link, tally]) => [link, { ...tally }]))
    const rules = new Map(byRule)
    for (const [key, { link, keyword, count }] of byRule) {
      if (!this.#muted.has(key)) continue
      rules.delete(key)
      left[keyword] -= count
      const tally = links.get(link)
      if (tally) tally[keyword] -= count
    }
    const found = new Map<Seq, Findings['bySeq'] extends ReadonlyMap<Seq, infer List> ? List : never>()
    for (const [seq, list] of bySeq) {
      const loud = list.filter(({ link, rule }) => !this.#muted.has(tallyKey(link, rule)))
      if (loud.length > 0) found.set(seq, loud)
    }
    return { bySeq: found, byRule: rules, byLink: links, counts: left }
  }
}
