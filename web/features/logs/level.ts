/** The least level of log messages to ask for: of the session (SF-LOG-02), or of each request (SF-LOG-03). */
import type { ServerView } from '../feature.ts'
import { LEVEL_KEY, LEVELS, type Level } from './logs-fold.ts'

const KEPT = 'log-level'

type Asking = Pick<ServerView, 'session' | 'peer' | 'kept'>

/** What its user chose for this server in this tab; asked for again with each new session. */
export const keptLevel = ({ kept }: Asking): Level | undefined => {
  const level = kept?.get(KEPT)
  return LEVELS.find((one) => one === level)
}

/**
 * Asks for it. What the server makes of it is in the Trace. Never throws.
 * @param level `undefined`: with the next requests nothing is asked for; a session's level cannot be taken back
 */
export const askFor = (server: Asking, level: Level | undefined): void => {
  const { session, peer, kept } = server
  kept?.set(KEPT, level ?? null)
  if (!session || !peer || session.state !== 'open') return
  if (peer.era === 'stateless') {
    if (level === undefined) session.requestMeta.delete(LEVEL_KEY)
    else session.requestMeta.set(LEVEL_KEY, level)
  } else if (level !== undefined) session.call('logging/setLevel', { level })
}
