/** The rows of the list of tests: the sources, and below the open one its tests. */
import type { Step } from '../../replay/index.ts'

export interface SourceRow {
  readonly kind: 'source'
  /** `session`, `file`, or `kept:` and the id of a collection. */
  readonly value: string
  readonly title: string
  readonly count: number
  readonly open: boolean
}

export type TestRow = SourceRow | { readonly kind: 'step'; readonly step: Step }

/**
 * @param open the value of the open source
 * @param steps those of the open source that are shown
 */
export const testRows = (
  sources: readonly Omit<SourceRow, 'kind' | 'open'>[],
  open: string,
  steps: readonly Step[],
): readonly TestRow[] =>
  sources.flatMap((source): readonly TestRow[] => {
    const row = { kind: 'source', ...source, open: source.value === open } as const
    return row.open ? [row, ...steps.map((step) => ({ kind: 'step', step }) as const)] : [row]
  })
