/** The servers that this one can be held against, itself among them. */
import type { ServerView } from '../feature.ts'

export const serversOf = (server: ServerView): readonly ServerView[] => {
  const all = server.others ?? server.questions?.servers ?? []
  return all.some(({ link }) => link === server.link) ? all : [server, ...all]
}
