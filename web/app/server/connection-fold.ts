/**
 * How each connection stands, read from the Trace.
 *
 * A Connection is replaced, never changed, so that a reader may compare by identity.
 */
import { NO_PROCESS, stepProcess, type ProcessFacts } from '../../features/overview/index.ts'
import type { Evidence, Fold, Frame, FrameOf, JsonObject, Link, Peer, Phase, Seq } from '../../mcp/index.ts'

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
  /** What had been seen of the server by then. */
  readonly evidence: readonly Evidence[]
}

/** The last HTTP exchange of an attempt: the evidence when it failed. */
export interface HttpEvidence {
  readonly request: Seq
  readonly method: string
  readonly url: string
  readonly response?: Seq
  readonly status?: number
  readonly statusText?: string
  readonly contentType?: string
  readonly body?: string
  /** It waited for a connection while so many older requests were open. */
  readonly queued?: number
}

export interface Connection {
  readonly state: ConnectionState
  /** An open session was found dead and a new one is being opened in its place. */
  readonly renewing: boolean
  /** Counts attempts, from 1. */
  readonly attempt: number
  readonly begunAt: number
  readonly steps: readonly OpeningStep[]
  /** What the server said of itself last; stays when the connection closes. */
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
  /** The exchange of `server/discover` while the era was being found out. */
  readonly probe?: HttpEvidence
  /** What the endpoint event of HTTP+SSE named, while connecting. */
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

export const connections: Fold<Map<Link, Connection>> = {
  initial: () => new Map(),
  step(state, frame) {
    const before = state.get(frame.link) ?? IDLE
    const after = stepConnection(before, frame)
    if (after === before) return false
    state.set(frame.link, after)
  },
}

/** The connection after one more of its frames; the same object where it changes nothing. */
const stepConnection = (connection: Connection, frame: Frame): Connection => {
  switch (frame.kind) {
    case 'session':
      return stepSession(connection, frame)
    case 'process': {
      const process = stepProcess(connection.process, frame)
      return process === connection.process ? connection : { ...connection, process }
    }
    case 'http': {
      // Once open, requests come by the thousand and are no evidence of anything here.
      if (connection.state !== 'connecting') return connection
      const http = stepHttp(connection.http, frame)
      if (http === connection.http) return connection
      const probing = connection.steps.at(-1)?.step === 'probing'
      return { ...connection, http, ...(probing ? { probe: http } : {}) }
    }
    case 'stream': {
      if (connection.state !== 'connecting' || frame.event !== 'data' || frame.name !== 'endpoint') return connection
      return { ...connection, endpoint: { seq: frame.seq, named: (frame.data ?? '').slice(0, 500) } }
    }
    default:
      return connection
  }
}

const stepSession = (connection: Connection, frame: FrameOf<'session'>): Connection => {
  const { seq, at } = frame
  switch (frame.phase) {
    case 'opening': {
      const step: OpeningStep = { step: frame.step, limit: frame.limit, seq, at, outcome: 'running' }
      if (connection.renewing || connection.state === 'connecting') {
        return { ...connection, steps: [...endStep(connection.steps, at, 'done'), step] }
      }
      const { attempt, peer, transport } = connection
      return {
        state: 'connecting',
        renewing: false,
        attempt: attempt + 1,
        begunAt: at,
        steps: [step],
        ...(peer ? { peer } : {}),
        ...(transport ? { transport } : {}),
        process: NO_PROCESS,
      }
    }
    case 'open':
      return {
        ...connection,
        state: 'open',
        renewing: false,
        // A transport that has no steps worth naming opens without one.
        attempt: Math.max(1, connection.attempt),
        steps: endStep(connection.steps, at, 'done'),
        peer: frame.peer,
        transport: frame.transport,
        opened: { seq, at },
        failure: undefined,
        closed: undefined,
      }
    case 'failed': {
      const { code, explanation, details = {}, evidence = [] } = frame
      const steps = endStep(connection.steps, at, 'failed')
      return {
        ...connection,
        state: 'failed',
        renewing: false,
        steps,
        failure: { seq, at, code, explanation, details, evidence },
      }
    }
    case 'closed': {
      const { why, code, details = {} } = frame
      const closed = { seq, at, why, ...(code === undefined ? {} : { code }), details }
      return {
        ...connection,
        state: 'closed',
        renewing: false,
        steps: endStep(connection.steps, at, 'stopped'),
        closed,
      }
    }
    case 'renewing':
      return { ...connection, renewing: true, steps: [] }
    default:
      return connection
  }
}

const endStep = (steps: readonly OpeningStep[], at: number, outcome: OpeningStep['outcome']): readonly OpeningStep[] =>
  steps.map((step) => (step.outcome === 'running' ? { ...step, endedAt: at, outcome } : step))

/** Characters of a body that are shown as evidence. */
const BODY_SHOWN = 2_000

const stepHttp = (http: HttpEvidence | undefined, frame: FrameOf<'http'>): HttpEvidence | undefined => {
  if (frame.phase === 'request') {
    // Over HTTP+SSE a GET comes first, and may be all there is.
    return frame.purpose === 'message' || (frame.purpose === 'listen' && !http)
      ? { request: frame.seq, method: frame.method, url: frame.url }
      : http
  }
  if (http?.request !== frame.request) return http
  switch (frame.phase) {
    case 'response': {
      const contentType = frame.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
      const { status, statusText } = frame
      return { ...http, response: frame.seq, status, statusText, ...(contentType === undefined ? {} : { contentType }) }
    }
    case 'queued':
      return { ...http, queued: frame.open }
    case 'end':
      return frame.body === undefined ? http : { ...http, body: frame.body.slice(0, BODY_SHOWN) }
    default:
      return http
  }
}
