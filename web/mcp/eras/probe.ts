/**
 * What the response to `server/discover`, the very first message, says about a server's lifecycle.
 *
 * The table follows the specification, extended by what published servers do: any refusal means that the server is
 * older, but a failure between us and the server (a sign-in, a crash, a gateway) says nothing about it (VN-21 … VN-25,
 * VN-31).
 */
import { messageOf, ProtocolError, TransportError } from '../errors.ts'
import type { ProbeFacts, ProbeOutcome } from '../frame.ts'
import { ErrorCode, isObject } from '../jsonrpc.ts'
import { textsOf } from './stateless.ts'

export interface ProbeVerdict {
  /**
   * `handshake`: the server is older, so send `initialize` next. `again`: it is stateless and wants another version.
   * `restart`: like `handshake`, in a new process or over a new connection. `report`: nothing is known, or nothing would help.
   */
  readonly next: 'handshake' | 'again' | 'restart' | 'report'
  readonly outcome: ProbeOutcome
  readonly facts: ProbeFacts
}

/** @param http whether messages travel over HTTP, where a status says more than an error code */
export const judgeProbe = (error: unknown, http: boolean): ProbeVerdict => {
  if (error instanceof ProtocolError) return http ? judgeHttpError(error) : judgeError(error)
  if (!(error instanceof TransportError)) return { next: 'report', outcome: 'unusable', facts: {} }
  const message = error.message.slice(0, 300)
  const status = typeof error.details.status === 'number' ? error.details.status : undefined
  switch (error.code) {
    case 'timeout':
      // Over HTTP, a silent server stays silent whatever is sent; over stdio, some old servers refuse by silence.
      return { next: http ? 'report' : 'handshake', outcome: 'silence', facts: limitOf(error) }
    case 'process-exited':
      // Another process would end the same way, because the probe isn't the reason.
      return {
        next: error.details.atStart === true ? 'report' : 'restart',
        outcome: 'process-exited',
        facts: { message },
      }
    case 'connection-closed':
      return { next: 'restart', outcome: 'closed', facts: { message } }
    case 'unreachable':
      return { next: 'handshake', outcome: 'opaque', facts: { message } }
    case 'http-status':
    case 'session-expired':
      return { next: isVerdict(status) ? 'handshake' : 'report', outcome: 'status', facts: withStatus(status) }
    case 'not-mcp':
      // A socket that speaks HTTP speaks it after any message.
      if (error.details.speaks !== undefined) return { next: 'report', outcome: 'unusable', facts: { message } }
      return { next: 'handshake', outcome: 'unusable', facts: { message, ...withStatus(status) } }
    case 'stream-lost':
    case 'bad-handshake':
    case 'invalid-result':
      return { next: 'handshake', outcome: 'unusable', facts: { message, ...withStatus(status) } }
    default:
      return { next: 'report', outcome: 'unusable', facts: { message, ...withStatus(status) } }
  }
}

const judgeError = (error: ProtocolError): ProbeVerdict => {
  const facts = factsOf(error)
  const { code } = error
  // VN-22: whatever the message says, the server doesn't know the method. A process has no headers that could mismatch,
  // and one that requires a client capability would name it.
  if (code === ErrorCode.UnsupportedProtocolVersion && facts.supported) return byVersions(facts)
  if (code === ErrorCode.MissingRequiredClientCapability && isObject(error.data)) {
    return { next: 'report', outcome: 'modern-error', facts }
  }
  return { next: 'handshake', outcome: 'error', facts }
}

const judgeHttpError = (error: ProtocolError): ProbeVerdict => {
  const facts = factsOf(error)
  const { code, status } = error
  // Without a list there is no version to choose, and an older server may use the code for something else.
  if (code === ErrorCode.UnsupportedProtocolVersion) {
    return facts.supported ? byVersions(facts) : { next: 'handshake', outcome: 'error', facts }
  }
  if (code === ErrorCode.HeaderMismatch || code === ErrorCode.MissingRequiredClientCapability) {
    return { next: 'report', outcome: 'modern-error', facts }
  }
  // Gateways don't send JSON-RPC, so a JSON-RPC error comes from the server, even with a 500.
  const answered = status === undefined || status < 300 || status >= 500
  return { next: answered || isVerdict(status) ? 'handshake' : 'report', outcome: 'error', facts }
}

/** A list without any stateless version identifies an older server, whatever its error code. */
const byVersions = (facts: ProbeFacts): ProbeVerdict => {
  const stateless = facts.supported?.some((version) => version >= '2026')
  return { next: stateless ? 'again' : 'handshake', outcome: 'modern-error', facts }
}

/** VN-31: 401, 403, 429 and 5xx may come from a gateway; other 4xx come from the server itself. */
const isVerdict = (status: number | undefined): boolean =>
  status !== undefined && status >= 400 && status < 500 && ![401, 403, 407, 408, 429].includes(status)

const factsOf = ({ code, message, data, status }: ProtocolError): ProbeFacts => {
  const supported = isObject(data) ? textsOf(data.supported) : undefined
  return { code, message: message.slice(0, 300), ...withStatus(status), ...(supported ? { supported } : {}) }
}

const withStatus = (status: number | undefined): ProbeFacts => (status === undefined ? {} : { status })

const limitOf = (error: TransportError): ProbeFacts => {
  const { limit } = error.details
  return typeof limit === 'number' ? { limit } : { message: messageOf(error) }
}
