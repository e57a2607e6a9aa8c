/** How a connection stands, for people: what the session's state, its trouble and the attempts to reconnect say together. */
import type { Trouble } from '../../mcp/index.ts'
import type { Connection, ConnectionState } from './connection.ts'

/**
 * `degraded`: open, but the server could not be reached last. `lost`: it ended, not by our wish. `reconnecting`: it was lost
 * and is being opened again. `sign-in`: the server wants one, which is no failure.
 */
export type Standing = ConnectionState | 'degraded' | 'lost' | 'reconnecting' | 'sign-in'

export const standingOf = (
  status: ConnectionState,
  connection: Connection,
  trouble: Trouble | undefined,
  retrying = false,
): Standing => {
  if (status === 'open') return trouble ? 'degraded' : 'open'
  if (retrying) return 'reconnecting'
  if (status === 'failed' && connection.failure?.code === 'unauthorized') return 'sign-in'
  return status === 'closed' && connection.closed?.code !== undefined ? 'lost' : status
}
