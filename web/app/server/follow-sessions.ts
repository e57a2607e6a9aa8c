/** What happens to open sessions by themselves, and what must follow: new lists, or another connection. */
import type { ServerView } from '../../features/feature.ts'
import { features } from '../../features/index.ts'
import type { Health } from '../../features/overview/index.ts'
import type { Link, Projection, Trace } from '../../mcp/index.ts'
import type { Lost } from './back-off.ts'
import type { Settings } from '../connect/index.ts'

export interface Followed {
  readonly settings: Settings
  readonly session: object | undefined
  lost(lost: Lost): void
}

export interface Followers<Server extends Followed> {
  server(link: Link): Server | undefined
  /** A new session replaced the one before, or a subscription was restored: lists may be stale. */
  anew(server: Server): void
  /** So many pings in a row had no answer. */
  silent(server: Server, pings: number): void
}

/** Pings in a row without an answer, after which a server counts as gone (UT-PING-03). */
const PINGS_MISSED = 2

/** Acts a moment after the frame, because whatever appended it is still running. */
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
        if (renewing.delete(link) && server) setTimeout(() => server.session && followers.anew(server))
        break
      // SUB-09: what changed while it was cut is unknown.
      case 'listening-again':
        if (server) setTimeout(() => server.session && followers.anew(server))
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

/** A session opened, or opened again: the features fetch what their panels need. The fault of one keeps none of the others. */
export const tellOpened = (server: ServerView, report: (fault: unknown) => void): void => {
  for (const feature of features) {
    try {
      feature.opened?.(server)
    } catch (error) {
      report(error)
    }
  }
}
