/** How often a server sends requests (CF-ELIC-06, CF-SAMP-15). */
import type { ServerView } from '../feature.ts'
import type { ServerRequest } from '../server-request.ts'
import { serverRequestsFold } from './server-requests-fold.ts'

/** In ms. */
const MINUTE = 60_000

/** More requests of one method within a minute count as a burst, and the user is warned. */
export const BURST = 10

/** Requests of the same method and server within the minute that ends with this one, including it. */
export const requestsWithinMinute = (
  server: Pick<ServerView, 'state'>,
  { link, at, id, method }: ServerRequest,
): number => {
  let count = 0
  for (const other of server.state(serverRequestsFold).current.all.values()) {
    if (other.link !== link || other.method !== method || other.at > at || at - other.at >= MINUTE) continue
    if (other.id !== id) count++
  }
  return count + 1
}
