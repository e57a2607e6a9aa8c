/** A server that is looked at: a live one, or one of a recording. */
import type { ServerView } from '../../features/feature.ts'
import type { Standing } from './standing.ts'

export interface Viewed extends ServerView {
  /** Plain enough for an id in the document. */
  readonly slot: string
  readonly standing: Standing
}
