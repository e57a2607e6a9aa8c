/** The state of one connection, as folded and as shown. Immutable, so that readers can compare by identity. */
import type { ServerView } from '../../features/feature.ts'
import { NO_PROCESS, type ProcessFacts } from '../../features/overview/index.ts'
import {
  messageOf,
  ProtocolError,
  TransportError,
  type Evidence,
  type JsonObject,
  type Link,
  type Peer,
  type Phase,
  type Seq,
  type Trace,
  type Trouble,
} from '../../mcp/index.ts'
import type { Ended } from '../remembered.ts'

/** ms without a response after which a connection is explained, while it is still being opened. */
export const SILENCE = 2_000

export type ConnectionState = 'idle' | 'connecting' | 'open' | 'failed' | 'closed'

/** One step of connecting. */
export interface OpeningStep {
  readonly step: Phase
  /** ms it may take. */
  readonly limit: number
  readonly seq: Seq
  /** ms since the trace began. */
  readonly at: number
  readonly endedAt?: number
  readonly outcome: 'running' | 'done' | 'failed' | 'stopped'
}

export interface Failure {
  readonly seq: Seq
  readonly at: number
  /** A TransportErrorCode, or `internal`. */
  readonly code: string
  readonly explanation: string
  readonly details: JsonObject
  /** The observations of the server up to then. */
  readonly evidence: readonly Evidence[]
}

/** The last HTTP exchange of an attempt: the evidence when it failed. */
export interface HttpEvidence {
  readonly request: Seq
  readonly method: string
  readonly url: string
  /** ms since the trace began: when it was sent, and when the headers of its response arrived. */
  readonly at: number
  readonly answeredAt?: number
  readonly response?: Seq
  readonly status?: number
  readonly statusText?: string
  readonly contentType?: string
  /** `WWW-Authenticate` and `Retry-After`, as they came. */
  readonly challenge?: string
  readonly retryAfter?: string
  /** The final URL after redirects that the browser followed. */
  readonly redirectedTo?: string
  readonly body?: string
  /** The connection broke before its body was complete. */
  readonly cut?: true
  /** It waited for a connection while this many older requests were open. */
  readonly queued?: number
  /** The POST that was refused before this GET. */
  readonly refused?: HttpEvidence
  /** The one before it, which counts again if this one only carries our response to a request of the server. */
  readonly before?: HttpEvidence
}

export interface Connection {
  readonly state: ConnectionState
  /** An open session was found dead, and a new one is being opened in its place. */
  readonly renewing: boolean
  /** Number of attempts, from 1. */
  readonly attempt: number
  readonly begunAt: number
  readonly steps: readonly OpeningStep[]
  /** The server's latest information about itself; kept when the connection closes. */
  readonly peer?: Peer
  readonly transport?: string
  readonly opened?: { readonly seq: Seq; readonly at: number }
  readonly failure?: Failure
  readonly closed?: {
    readonly seq: Seq
    readonly at: number
    readonly why: string
    readonly code?: string
    readonly details: JsonObject
  }
  readonly http?: HttpEvidence
  /** The exchange of `server/discover` during detection of the protocol era. */
  readonly probe?: HttpEvidence
  /** The browser refused a request, so requests go through the local proxy from here on. */
  readonly detoured?: true
  /** The URL in the endpoint event of HTTP+SSE, while connecting. */
  readonly endpoint?: { readonly seq: Seq; readonly named: string }
  readonly process: ProcessFacts
}

export const IDLE: Connection = {
  state: 'idle',
  renewing: false,
  attempt: 0,
  begunAt: 0,
  steps: [],
  process: NO_PROCESS,
}

/**
 * The state of a connection as shown. `degraded`: open, but the last attempt to reach the server failed. `lost`: it
 * ended unexpectedly. `reconnecting`: it was lost and is being reopened. `sign-in`: the server requires one, which isn't
 * a failure.
 */
export type ShownState = ConnectionState | 'degraded' | 'lost' | 'reconnecting' | 'sign-in'

export const shownStateOf = (
  status: ConnectionState,
  { failure, closed }: Connection,
  trouble: Trouble | undefined,
  retrying = false,
): ShownState => {
  if (status === 'open') return trouble ? 'degraded' : 'open'
  if (retrying) return 'reconnecting'
  if (status === 'failed' && failure?.code === 'unauthorized') return 'sign-in'
  return status === 'closed' && closed?.code !== undefined ? 'lost' : status
}

/** How a connection ended, if the user didn't end it; `undefined` while it is open or being opened. */
export const endOf = (state: ShownState, { process: { exit } }: Pick<Connection, 'process'>): Ended | undefined => {
  if (state === 'sign-in') return state
  if (state !== 'failed' && state !== 'lost') return undefined
  const how = exit?.signal ?? exit?.code
  return how == null ? 'failed' : `exit ${how}`
}

/** Why a connection ended, or an attempt failed. */
export interface Lost {
  /** A TransportErrorCode. */
  readonly code: string
  readonly why: string
  /** The HTTP status, if there is one. */
  readonly status?: number
}

/** What an error of a connection attempt says about the server. */
export const lostBy = (error: unknown): Lost => {
  const why = messageOf(error)
  if (error instanceof TransportError) {
    const { status } = error.details
    return { code: error.code, why, ...(typeof status === 'number' ? { status } : {}) }
  }
  // An error from the server itself: it is running but rejects the connection. A gateway's error has its status.
  const status = error instanceof ProtocolError ? error.status : undefined
  return status === undefined ? { code: 'bad-handshake', why } : { code: 'http-status', why, status }
}

/** Records an attempt that ended before there was a session to record it. */
export const tellFailed = (trace: Trace, link: Link, error: unknown): Lost => {
  const known = error instanceof TransportError
  const details: JsonObject = known ? error.details : {}
  const code = known ? error.code : 'internal'
  const explanation = messageOf(error)
  trace.append({ kind: 'session', phase: 'failed', link, code, explanation, details })
  return { code, why: explanation }
}

/** A server that is shown: a live one, or one in a recording. */
export interface ShownServer extends ServerView {
  readonly shownState: ShownState
}
