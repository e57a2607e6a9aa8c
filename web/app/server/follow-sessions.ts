/** Reacts to automatic events of open sessions: reloads lists, or reconnects. */
import type { ServerView } from '../../features/feature.ts'
import { features } from '../../features/index.ts'
import type { Health } from '../../features/overview/index.ts'
import type { Link, Projection, Trace } from '../../mcp/index.ts'
import type { Lost } from './connection.ts'
import type { Settings } from '../connect/index.ts'

export interface Followed {
  readonly settings: Settings
  readonly session: object | undefined
  lost(lost: Lost): void
}

export interface Followers<Server extends Followed> {
  server(link: Link): Server | undefined
  /** A new session replaced the previous one, or a subscription was restored, so lists may be stale. */
  restart(server: Server): void
  /** This many consecutive pings got no response. */
  silent(server: Server, pings: number): void
}

/** Number of consecutive unanswered pings after which a server counts as gone (UT-PING-03). */
const PINGS_MISSED = 2

/** Acts shortly after the frame, because the code that appended it is still running. */
export const followSessions = <Server extends Followed>(
  trace: Trace,
  health: Projection<Map<Link, Health>>,
  followers: Followers<Server>,
): void => {
  /** Links whose session was lost and is being reopened. */
  const renewing = new Set<Link>()
  trace.subscribe((frame) => {
    if (frame.kind !== 'session') return
    const { link } = frame
    const server = followers.server(link)
    switch (frame.phase) {
      case 'renewing':
        renewing.add(link)
        break
      case 'open':
        if (renewing.delete(link) && server) setTimeout(() => server.session && followers.restart(server))
        break
      // SUB-09: changes made while it was interrupted are unknown.
      case 'listening-again':
        if (server) setTimeout(() => server.session && followers.restart(server))
        break
      case 'closed': {
        renewing.delete(link)
        const { code, why } = frame
        if (server && code !== undefined) setTimeout(() => server.lost({ code, why }))
        break
      }
      case 'gave-up': {
        const failed = health.current.get(link)?.failed ?? 0
        if (server?.settings.pingEvery && failed >= PINGS_MISSED) setTimeout(() => followers.silent(server, failed))
        break
      }
      default:
    }
  })
}

/**
 * A session opened, or opened again: the features load what their panels need. An error in one doesn't stop the others.
 */
export const tellOpened = (server: ServerView, report: (fault: unknown) => void): void => {
  for (const feature of features) {
    try {
      feature.opened?.(server)
    } catch (error) {
      report(error)
    }
  }
}
