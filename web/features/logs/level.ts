/**
 * The minimum log level to request: `logging/setLevel` once per session (SF-LOG-02), or `_meta` in each request
 * (SF-LOG-03).
 */
import { META } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'
import { LEVELS, type Level } from './logs-fold.ts'

const KEPT = 'log-level'

type Asking = Pick<ServerView, 'session' | 'peer' | 'kept'>

/** The level that the user chose for this server in this browser tab; requested again in each new session. */
export const storedLevel = ({ kept }: Asking): Level | undefined => {
  const level = kept?.get(KEPT)
  return LEVELS.find((one) => one === level)
}

/**
 * Requests the level. The outcome is in the Trace. Never throws.
 * @param level `undefined`: later requests carry no level; the level of a session can't be reset
 */
export const requestLevel = (server: Asking, level: Level | undefined): void => {
  const { session, peer, kept } = server
  kept?.set(KEPT, level ?? null)
  if (!session || !peer || session.state !== 'open') return
  if (peer.era === 'stateless') {
    if (level === undefined) session.requestMeta.delete(META.logLevel)
    else session.requestMeta.set(META.logLevel, level)
  } else if (level !== undefined) session.call('logging/setLevel', { level })
}
