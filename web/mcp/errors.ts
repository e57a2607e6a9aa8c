/**
 * The few errors this kernel throws. Each has a stable `code` for programs and the evidence as `cause`.
 *
 * A peer's breach of the specification is never one of these: it is a Finding on a frame.
 */
import type { Json, JsonObject } from './frame.ts'

/** The caller of the kernel did something impossible. Our own bug. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code: 'not-open' | 'already-open' | 'invalid-params' | 'not-in-revision'
  constructor(code: UsageError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The peer answered a request with a JSON-RPC error. @see https://www.jsonrpc.org/specification#error_object */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly code: number
  readonly data: Json | undefined
  /** The HTTP status it came with, over HTTP. */
  readonly status: number | undefined
  constructor(code: number, message: string, data?: Json, status?: number) {
    super(message)
    this.code = code
    this.data = data
    this.status = status
  }
}

export type TransportErrorCode =
  /** `fetch` threw: refused port, DNS, TLS, CORS, local network permission. A page cannot tell which. */
  | 'unreachable'
  /** The server answered with an HTTP status that is no success. */
  | 'http-status'
  /** 401: the server wants a sign-in. */
  | 'unauthorized'
  /** 404 or 400 for a session id that was good before. */
  | 'session-expired'
  /** A body that is neither JSON nor an event stream, for example an HTML page. */
  | 'not-mcp'
  /** Something took longer than its limit. */
  | 'timeout'
  /** The stream broke before the answer and cannot be resumed. */
  | 'stream-lost'
  /** The child process ended. */
  | 'process-exited'
  /** The child process could not be started. */
  | 'spawn-failed'
  /** stdio needs the local proxy, and there is none (or it no longer accepts us). */
  | 'no-proxy'
  | 'proxy-lost'
  /** The proxy refused for one of its bounds: too many children, too large a message. */
  | 'proxy-refused'
  /** The peer answered, but not with what an MCP server answers. */
  | 'bad-handshake'
  /** An answer to a request that its method or revision does not have: an unknown `resultType` (BP-42). */
  | 'invalid-result'
  /** A value cannot stand where the protocol wants it, such as a huge integer in a header (TR-XH-03): nothing was sent. */
  | 'not-sendable'
  /** The server asked for something that nothing here answers, or asked too often (MRTR-10, MRTR-11). */
  | 'unanswered'
  /** The server wants a revision we do not speak. */
  | 'unsupported-revision'
  | 'cancelled'
  | 'closed'

/** The network, the browser, a process or a limit stood in the way; no peer's error object exists. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly code: TransportErrorCode
  /** Plain facts for whoever explains it on screen: status, url, limit, body … */
  readonly details: JsonObject
  constructor(code: TransportErrorCode, message: string, details: JsonObject = {}, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

/** The facts of a failure, as they go into a frame. */
export const detailsOf = (error: unknown): JsonObject => {
  if (error instanceof TransportError) return error.details
  if (!(error instanceof ProtocolError)) return {}
  const { code, message, data, status } = error
  return { code, message, ...(data === undefined ? {} : { data }), ...(status === undefined ? {} : { status }) }
}

/** The text of anything thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** The code a failed opening goes by in a frame. */
export const codeOf = (thrown: unknown): string => {
  if (thrown instanceof TransportError) return thrown.code
  return thrown instanceof ProtocolError ? 'bad-handshake' : 'internal'
}
