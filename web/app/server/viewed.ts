/** A server that is shown: a live one, or one in a recording. */
import type { ServerView } from '../../features/feature.ts'
import type { Standing } from './standing.ts'

export interface Viewed extends ServerView {
  /** Plain enough to be part of an element id. */
  readonly slot: string
  readonly standing: Standing
}
