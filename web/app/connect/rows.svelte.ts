/** Messages about the rows under More. */
import type { Draft } from './draft.svelte.ts'
import { rowFaults } from './row-faults.ts'
import type { Target } from './target.ts'
import { texts } from '../text/texts.svelte.ts'

export interface RowProblem {
  readonly text: string
  /** Nothing can be sent until it is fixed; otherwise it is only a warning. */
  readonly grave: boolean
}

export const rowProblems = (draft: Draft, target: Target | undefined): RowProblem[] =>
  rowFaults(target, draft.env).map(({ fault, name }) => ({
    grave: fault !== 'header-forbidden',
    text: {
      'header-name': texts.t.headerProblem,
      'header-value': texts.t.headerValueProblem,
      'header-forbidden': texts.t.headerForbidden,
      'variable-name': texts.t.variableProblem,
    }[fault](name),
  }))
