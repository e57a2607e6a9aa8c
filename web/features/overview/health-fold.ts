/** How quickly the server responds to `ping`, or to `server/discover` in the version without `ping` (UT-PING-04). */
import { isObject, linkFold, type Frame, type RequestId, type Seq } from '../../mcp/index.ts'

export interface Ping {
  readonly request: Seq
  readonly id: RequestId
  /** ms since the trace began. */
  readonly at: number
  readonly answer?: Seq
  /** ms until the response, which may be an error. */
  readonly took?: number
  /** Why no response is expected. */
  readonly failed?: string
}

export interface Health {
  /** The latest, oldest first. */
  readonly pings: readonly Ping[]
  /** The number of consecutive failures at the end. */
  readonly failed: number
  readonly open: boolean
  /** How the last session ended; absent while one is open. */
  readonly ended?: { readonly seq: Seq; readonly at: number; readonly why: string; readonly lost: boolean }
}

/** Pings stored. */
export const PINGS_KEPT = 60

export const NO_HEALTH: Health = { pings: [], failed: 0, open: false }

export const healthFold = linkFold(NO_HEALTH, (health, frame) => stepHealth(health, frame))

/** The last ping with a response. */
export const lastRoundTrip = ({ pings }: Health): Ping | undefined => pings.findLast(({ took }) => took !== undefined)

const METHODS: ReadonlySet<unknown> = new Set(['ping', 'server/discover'])

const stepHealth = (health: Health, frame: Frame): Health => {
  if (frame.kind === 'session') {
    switch (frame.phase) {
      case 'open':
        return { pings: health.pings, open: true, failed: 0 }
      case 'closed':
      case 'failed': {
        if (!health.open) return health
        const why = frame.phase === 'closed' ? frame.why : frame.explanation
        const ended = { seq: frame.seq, at: frame.at, why, lost: frame.code !== undefined }
        return { ...health, open: false, ended }
      }
      case 'gave-up':
        return frame.why === 'closed' || frame.why === 'cancelled'
          ? without(health, frame.request)
          : settled(health, ({ request }) => request === frame.request, { failed: frame.explanation })
      default:
        return health
    }
  }
  // Probes before a session opens determine the protocol version; they don't measure its health.
  if (frame.kind !== 'message' || !health.open || !isObject(frame.message)) return health
  const { message } = frame
  if (frame.direction === 'sent') {
    if (!METHODS.has(message.method) || frame.byHand || message.id === undefined) return health
    const ping = { request: frame.seq, id: message.id as RequestId, at: frame.at }
    return { ...health, pings: [...health.pings, ping].slice(-PINGS_KEPT) }
  }
  if ('method' in message) return health
  const asked = health.pings.find((ping) => isPending(ping) && ping.id === message.id)
  if (!asked) return health
  return settled(health, (ping) => ping === asked, { answer: frame.seq, took: frame.at - asked.at })
}

const isPending = ({ took, failed }: Ping): boolean => took === undefined && failed === undefined

const settled = (health: Health, which: (ping: Ping) => boolean, how: Partial<Ping>): Health => {
  const at = health.pings.findIndex((ping) => isPending(ping) && which(ping))
  if (at < 0) return health
  const pings = health.pings.with(at, { ...health.pings[at]!, ...how })
  return { ...health, pings, failed: how.failed === undefined ? 0 : health.failed + 1 }
}

const without = (health: Health, request: Seq): Health => {
  const pings = health.pings.filter((ping) => ping.request !== request)
  return pings.length === health.pings.length ? health : { ...health, pings }
}
