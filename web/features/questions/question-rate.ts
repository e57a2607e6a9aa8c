/** How often a server asks (CF-ELIC-06, CF-SAMP-15). */
import type { ServerView } from '../feature.ts'
import type { Question } from '../question.ts'
import { questionsFold } from './questions-fold.ts'

/** ms */
const MINUTE = 60_000

/** More questions of one kind within a minute than this are a burst: its user is warned. */
export const BURST = 10

/** Questions of the same kind and server within the minute that ends with this one, itself included. */
export const askedWithin = (server: Pick<ServerView, 'state'>, { link, at, id, method }: Question): number => {
  let count = 0
  for (const other of server.state(questionsFold).current.all.values()) {
    if (other.link !== link || other.method !== method || other.at > at || at - other.at >= MINUTE) continue
    if (other.id !== id) count++
  }
  return count + 1
}
