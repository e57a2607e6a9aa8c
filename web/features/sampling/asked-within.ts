/** How often a server asks (CF-SAMP-15). */
import type { ServerView } from '../feature.ts'
import type { Question } from '../question.ts'
import { questionsFold } from '../questions-fold.ts'
import { METHOD } from './request.ts'

/** Sampling requests of the same server within the minute that ends with this one, itself included. */
export const askedWithin = (server: Pick<ServerView, 'state'>, { link, at, id }: Question): number => {
  let count = 0
  for (const other of server.state(questionsFold).current.all.values()) {
    if (other.link !== link || other.method !== METHOD || other.at > at || at - other.at >= 60_000) continue
    if (other.id !== id) count++
  }
  return count + 1
}
