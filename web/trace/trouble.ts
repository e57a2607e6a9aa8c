/**
 * The exchanges whose row shows an error or a violation, for jumping from one to the next.
 *
 * A status may change with any later frame, so the exact test runs only when somebody jumps or counts, and only for the
 * exchanges of which some frame looked bad once. A frame costs the same in a trace of any length.
 */
import type { Frame, Seq, Trace } from '../mcp/index.ts'
import { describeGroup } from './describe-group.ts'
import { hasFailed, statusOf, type Surroundings } from './facts.ts'
import { findingsOf } from './found.ts'
import { type ExchangeGroup, positionIn } from './groups.ts'

/** Counted and marked at most: more would take a moment in a trace of nothing but errors. */
export const MOST_TROUBLES = 99

/** Frames of an exchange that are searched for violations: a call may have thousands of notifications. */
const SEARCHED = 200

/** The violations that are counted as problems everywhere. */
const violates = (frame: Frame, { findings }: Surroundings): boolean =>
  findingsOf(frame, findings).some(({ keyword, by }) => (keyword === 'MUST' || keyword === 'SHOULD') && by !== 'client')

/** Whether the exchange of this frame may show an error or a violation. */
const looksBad = (frame: Frame, around: Surroundings): boolean => hasFailed(frame, around) || violates(frame, around)

/** @returns the frame that shows the error or the violation of an exchange; `undefined` if nothing is wrong with it */
export const troubleIn = (group: ExchangeGroup, trace: Trace, around: Surroundings): Seq | undefined => {
  const [main, row] = [trace.at(group.main), describeGroup(group, trace, around)]
  if (!main || !row) return undefined
  // A tool's own error is a warning in its row, which nevertheless is where a reader wants to go.
  if (group.kind === 'exchange' && statusOf(main, around) === 'tool-error') return group.main
  if (row.bar === 'bad' || row.tone === 'bad' || row.status?.tone === 'bad') return group.main
  return group.frames.slice(0, SEARCHED).find((seq) => {
    const frame = trace.at(seq)
    return frame !== undefined && violates(frame, around)
  })
}

export class Troubles {
  readonly #trace: Trace
  readonly #around: Surroundings
  /** In the order of their first frames. */
  readonly #suspects: ExchangeGroup[] = []
  readonly #known = new Set<ExchangeGroup>()

  constructor(trace: Trace, around: Surroundings) {
    this.#trace = trace
    this.#around = around
  }

  /** Call it for each frame, and again after its status or its findings have changed. */
  check(frame: Frame, group: ExchangeGroup): void {
    if (this.#known.has(group) || !looksBad(frame, this.#around)) return
    this.#known.add(group)
    this.#suspects.splice(positionIn(this.#suspects, group.first), 0, group)
  }

  /** The first `most` exchanges that show an error or a violation. @param shown whether the list contains an exchange */
  first(most: number, shown: (group: ExchangeGroup) => boolean): ExchangeGroup[] {
    const found: ExchangeGroup[] = []
    for (const group of this.#suspects) {
      if (found.length >= most) break
      if (shown(group) && this.#is(group)) found.push(group)
    }
    return found
  }

  /**
   * The nearest exchange that shows an error or a violation; after the last one, the first.
   *
   * @param from absent: from the beginning, or backwards from the end
   */
  next(
    from: ExchangeGroup | undefined,
    step: 1 | -1,
    shown: (group: ExchangeGroup) => boolean,
  ): ExchangeGroup | undefined {
    const all = this.#suspects
    const count = all.length
    const place = from ? positionIn(all, from.first) : step > 0 ? 0 : count
    let at = step < 0 ? place - 1 : from && all[place] === from ? place + 1 : place
    for (let left = count; left > 0; left--, at += step) {
      const group = all[(at + count) % count]!
      if (shown(group) && this.#is(group)) return group
    }
    return undefined
  }

  #is(group: ExchangeGroup): boolean {
    return troubleIn(group, this.#trace, this.#around) !== undefined
  }
}
