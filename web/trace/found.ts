/** What was found in the frames, violations and advice, from whoever judges them. Rules may be loaded after the first frames. */
import type { FindingOrAdvice, Frame, Revision, Seq } from '../mcp/index.ts'

export type Keyword = FindingOrAdvice['keyword']
export type Counts = { readonly [K in Keyword]: number }

export interface Found extends FindingOrAdvice {
  /** The revision it was judged by. */
  readonly revision?: Revision
  /** A fault of ours: it counts for no server. */
  readonly by?: 'client'
  /** Another frame that belongs to it. */
  readonly related?: Seq
}

export interface FindingSource {
  readonly current: {
    readonly bySeq: ReadonlyMap<Seq, readonly Found[]>
    /** All of them, also those that are only counted. */
    readonly counts: Counts
    /** How often each rule was broken on a connection; `kept` of these have their frames in `bySeq`. */
    readonly byRule: ReadonlyMap<
      string,
      { readonly link: string; readonly rule: string; readonly count: number; readonly kept: number }
    >
  }
  /** Frames before this one were judged. */
  readonly reached: Seq
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void
}

const NONE: readonly Found[] = []

/** Of a frame that nobody judged yet: what was found when it was captured. */
export const findingsOf = (frame: Frame, source: FindingSource | undefined): readonly Found[] => {
  if (source && frame.seq < source.reached) return source.current.bySeq.get(frame.seq) ?? NONE
  return ('findings' in frame ? frame.findings : undefined) ?? NONE
}

/** As far as it was judged. */
export const findingsAt = (seq: Seq, source: FindingSource | undefined): readonly Found[] =>
  (source && seq < source.reached && source.current.bySeq.get(seq)) || NONE

export const noCounts = () => ({ MUST: 0, SHOULD: 0, MAY: 0, ADVICE: 0 })

/** Counts of what was found from a frame on. Without the first frames only what is kept is counted: `bySeq` is bounded. */
export const countsFrom = ({ bySeq, counts }: FindingSource['current'], from: Seq): Counts => {
  if (from === 0) return { ...counts }
  const found = noCounts()
  for (const [seq, list] of bySeq)
    if (seq >= from) for (const { keyword, by } of list) if (by !== 'client') found[keyword]++
  return found
}
