/**
 * How the last run of a tab's content ended, by server and feature: told by panels, shown on their tabs. Not part of
 * `TabFeature`, because that is loaded before anything is connected.
 */
import { getOrInsert, Signal } from '../mcp/index.ts'
import type { ServerView } from './feature.ts'

class TabOutcomes {
  /** By feature id, the number of failures; absent before a run has ended. */
  current: ReadonlyMap<string, number> = new Map()
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe

  /** @param failures `undefined` if the run says nothing, because it was stopped early */
  set(feature: string, failures: number | undefined): void {
    const others = [...this.current].filter(([id]) => id !== feature)
    this.current = new Map(failures === undefined ? others : [...others, [feature, failures]])
    this.#changes.emit()
  }
}

const bySlot = new Map<string, TabOutcomes>()

export const tabOutcomesOf = ({ slot }: Pick<ServerView, 'slot'>): TabOutcomes =>
  getOrInsert(bySlot, slot, () => new TabOutcomes())
