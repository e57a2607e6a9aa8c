/** What the user chose for the columns of each view, stored in the browser. */
import { browserStorage, storedJson } from '../ui/index.ts'
import { choiceFrom, type ColumnChoice, NO_CHOICE, type TraceView } from './columns.ts'

/** Stored: the widths, the hidden columns and the sorting of each view. */
const COLUMNS = 'periscope.trace-columns'

export class ColumnChoices {
  readonly #local = browserStorage('local')
  #choices = $state.raw<Readonly<Record<TraceView, ColumnChoice>>>({ exchanges: NO_CHOICE, frames: NO_CHOICE })

  constructor() {
    const { exchanges, frames } = (storedJson(this.#local, COLUMNS) ?? {}) as Readonly<Record<string, unknown>>
    this.#choices = { exchanges: choiceFrom(exchanges), frames: choiceFrom(frames) }
  }

  of(view: TraceView): ColumnChoice {
    return this.#choices[view]
  }

  set(view: TraceView, choice: ColumnChoice): void {
    this.#choices = { ...this.#choices, [view]: choice }
    this.#local.setItem(COLUMNS, JSON.stringify(this.#choices))
  }
}
