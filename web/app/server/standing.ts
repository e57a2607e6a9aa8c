/** The state of a connection as shown, combined from the session's state, its trouble and the attempts to reconnect. */
import type { Trouble } from '../../mcp/index.ts'
import type { Connection, ConnectionState } from './connection.ts'

/**
 * `degraded`: open, but the last attempt to reach the server failed. `lost`: it ended unexpectedly. `reconnecting`: it
 * was lost and is being reopened. `sign-in`: the server requires one, which isn't a failure.
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
