/** The findings of frames, violations and advice, from their source. Rules may be loaded after the first frames. */
import type { FindingOrAdvice, Frame, Revision, Seq } from '../mcp/index.ts'

export type Keyword = FindingOrAdvice['keyword']
export type Counts = { readonly [K in Keyword]: number }

export interface Found extends FindingOrAdvice {
  /** The protocol version it was judged by. */
  readonly revision?: Revision
  /** Our own mistake: never counted against the server. */
  readonly by?: 'client'
  /** Another frame that belongs to it. */
  readonly related?: Seq
}

export interface FindingSource {
  readonly current: {
    readonly bySeq: ReadonlyMap<Seq, readonly Found[]>
    /** All findings, including those that are only counted. */
    readonly counts: Counts
    /** How often each rule was violated on a connection; `kept` of these have their frames in `bySeq`. */
    readonly byRule: ReadonlyMap<
      string,
      { readonly link: string; readonly rule: string; readonly count: number; readonly kept: number }
    >
  }
  /** Frames before this one have been judged. */
  readonly reached: Seq
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void
}

const NONE: readonly Found[] = []

/** For a frame that hasn't been judged: the findings from its capture. */
export const findingsOf = (frame: Frame, source: FindingSource | undefined): readonly Found[] => {
  if (source && frame.seq < source.reached) return source.current.bySeq.get(frame.seq) ?? NONE
  return ('findings' in frame ? frame.findings : undefined) ?? NONE
}

/** As far as it has been judged. */
export const findingsAt = (seq: Seq, source: FindingSource | undefined): readonly Found[] =>
  (source && seq < source.reached && source.current.bySeq.get(seq)) || NONE

export const noCounts = () => ({ MUST: 0, SHOULD: 0, MAY: 0, ADVICE: 0 })

/**
 * Counts findings from a frame on. Unless that is the first frame, only retained findings are counted: `bySeq` is
 * limited.
 */
export const countsFrom = ({ bySeq, counts }: FindingSource['current'], from: Seq): Counts => {
  if (from === 0) return { ...counts }
  const found = noCounts()
  for (const [seq, list] of bySeq)
    if (seq >= from) for (const { keyword, by } of list) if (by !== 'client') found[keyword]++
  return found
}

/** The rule texts that the dock needs to explain a finding, provided by the owner of the requirements list. */
interface RuleText {
  /** The violation in a few words, in the reader's language; `undefined` if the catalogue has none. */
  readonly title?: (() => string | undefined) | undefined
  /** The rule in words, in English. */
  readonly statement: string
  /** The same in the reader's language; `undefined` in English, and until it has loaded. */
  readonly translated?: (() => string | undefined) | undefined
  /** `https:` URL of its page. */
  readonly url?: string | undefined
}

/** @returns `undefined` for an ID that isn't in the list */
export type RuleBook = (id: string) => Promise<RuleText | undefined>
