/** The servers that this one can be compared with, including itself. */
import type { ServerView } from '../feature.ts'

export const serversOf = (server: ServerView): readonly ServerView[] => {
  const all = server.others ?? server.pendingRequests?.servers ?? []
  const once = all.filter(({ slot }, at) => all.findIndex((other) => other.slot === slot) === at)
  return once.some(({ slot }) => slot === server.slot) ? once : [server, ...once]
}
