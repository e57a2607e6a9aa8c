/** The state of each connection, folded from the Trace. */
import { NO_PROCESS, stepProcess } from '../../features/overview/index.ts'
import { headerIn, linkFold, type Frame, type FrameOf } from '../../mcp/index.ts'
import { IDLE, type Connection, type HttpEvidence, type OpeningStep } from './connection.ts'

export const connections = linkFold(IDLE, (connection, frame) => stepConnection(connection, frame))

/** The connection after another of its frames; the same object if nothing changes. */
const stepConnection = (connection: Connection, frame: Frame): Connection => {
  switch (frame.kind) {
    case 'session':
      return stepSession(connection, frame)
    case 'process': {
      const process = stepProcess(connection.process, frame)
      return process === connection.process ? connection : { ...connection, process }
    }
    case 'http': {
      const now = connection.detoured ? connection : withDetour(connection, frame)
      // Only exchanges of the attempt are evidence; an open connection has thousands more.
      if (now.state !== 'connecting') return now
      const http = stepHttp(now.http, frame)
      if (http === now.http) return now
      const probing = now.steps.at(-1)?.step === 'probing'
      return { ...now, http, ...(probing ? { probe: http } : {}) }
    }
    case 'message': {
      const { http, state } = connection
      // The server may send requests before its response to ours, which says nothing about how that one fared.
      const isOurs = frame.direction === 'sent' && (frame.type === 'result' || frame.type === 'error')
      if (state !== 'connecting' || !isOurs || http?.before === undefined || frame.carrier !== http.request)
        return connection
      return { ...connection, http: http.before }
    }
    case 'stream': {
      if (connection.state !== 'connecting' || frame.event !== 'data' || frame.name !== 'endpoint') return connection
      return { ...connection, endpoint: { seq: frame.seq, named: (frame.data ?? '').slice(0, 500) } }
    }
    default:
      return connection
  }
}

const withDetour = (connection: Connection, frame: FrameOf<'http'>): Connection => {
  if (frame.phase !== 'request' || !frame.relayed || frame.again === undefined) return connection
  // A sign-in takes its own way, with the user's consent.
  if (frame.purpose === 'authorization') return connection
  return { ...connection, detoured: true }
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
        // A transport without steps worth naming opens without an attempt.
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

const isRefused = ({ status }: HttpEvidence): boolean => status !== undefined && status >= 400

const stepHttp = (http: HttpEvidence | undefined, frame: FrameOf<'http'>): HttpEvidence | undefined => {
  if (frame.phase === 'request') {
    // HTTP+SSE starts with a GET: the only request, or what is tried after a POST was refused.
    const { seq, method, url, at } = frame
    if (frame.purpose === 'message') {
      const { before: _, ...last } = http ?? {}
      return { request: seq, method, url, at, ...(http ? { before: last as HttpEvidence } : {}) }
    }
    if (frame.purpose !== 'listen' || (http && !isRefused(http))) return http
    return { request: seq, method, url, at, ...(http ? { refused: http } : {}) }
  }
  if (http?.request !== frame.request) return http
  switch (frame.phase) {
    case 'response': {
      const [contentType, challenge, retryAfter] = ['content-type', 'www-authenticate', 'retry-after'].map((name) =>
        headerIn(frame.headers, name),
      )
      // Nor is it an HTTP+SSE server, so the refused POST says more.
      if (http.refused && (frame.status >= 400 || !/^\s*text\/event-stream/i.test(contentType ?? '')))
        return http.refused
      const { status, statusText, redirectedTo } = frame
      return {
        ...http,
        response: frame.seq,
        answeredAt: frame.at,
        status,
        statusText,
        ...(contentType === undefined ? {} : { contentType }),
        ...(challenge === undefined ? {} : { challenge }),
        ...(retryAfter === undefined ? {} : { retryAfter }),
        ...(redirectedTo === undefined ? {} : { redirectedTo }),
      }
    }
    case 'failed':
      // If we ended it, it was waited for.
      if (http.refused && frame.aborted === undefined) return http.refused
      return frame.stage === 'body' ? { ...http, cut: true } : http
    case 'queued':
      return { ...http, queued: frame.open }
    case 'end':
      // Without an endpoint, after which a POST would have followed.
      if (http.refused) return http.refused
      return frame.body === undefined ? http : { ...http, body: frame.body.slice(0, BODY_SHOWN) }
    default:
      return http
  }
}
