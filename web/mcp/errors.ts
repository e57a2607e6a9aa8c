/**
 * The errors that the kernel throws. Each has a stable `code` for programs and the evidence as `cause`.
 *
 * A peer's violation of the specification is never an error: it is a Finding on a frame.
 */
import type { Json, JsonObject } from './frame.ts'

/** The kernel was called incorrectly. A bug of ours. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code: 'not-open' | 'already-open' | 'invalid-params' | 'not-in-revision'
  constructor(code: UsageError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The peer responded with a JSON-RPC error. @see https://www.jsonrpc.org/specification#error_object */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly code: number
  readonly data: Json | undefined
  /** The HTTP status of the response, over HTTP. */
  readonly status: number | undefined
  /** Members of the error object that JSON-RPC doesn't have. */
  readonly more: JsonObject | undefined
  constructor(code: number, message: string, data?: Json, status?: number, more?: JsonObject) {
    super(message)
    this.code = code
    this.data = data
    this.status = status
    this.more = more
  }
}

export type TransportErrorCode =
  /** `fetch` threw: blocked port, DNS, TLS, CORS, local network permission. A page can't tell which. */
  | 'unreachable'
  /** The server responded with an HTTP error status. */
  | 'http-status'
  /** 401: the server requires a sign-in. */
  | 'unauthorized'
  /** 404 or 400 for a session ID that was valid before. */
  | 'session-expired'
  /** A body that is neither JSON nor an event stream, for example an HTML page. */
  | 'not-mcp'
  /** Something took longer than its limit. */
  | 'timeout'
  /** The stream broke before the response and can't be resumed. */
  | 'stream-lost'
  /** The child process ended. */
  | 'process-exited'
  /** The child process could not be started. */
  | 'spawn-failed'
  /** A WebSocket, a socket or a module's transport could not be opened. */
  | 'not-opened'
  /** The other side closed such a connection. */
  | 'connection-closed'
  /** stdio needs the local proxy, which isn't running or no longer accepts this page. */
  | 'no-proxy'
  | 'proxy-lost'
  /** The proxy refused because of a limit: too many children, or a message that is too large. */
  | 'proxy-refused'
  /** The peer responded, but not like an MCP server. */
  | 'bad-handshake'
  /** A response that the method or protocol version doesn't allow: an unknown `resultType` (BP-42). */
  | 'invalid-result'
  /**
   * A value can't be encoded where the protocol requires it, such as a huge integer in a header (TR-XH-03). Nothing was
   * sent.
   */
  | 'not-sendable'
  /** The connection's policy for tools was not met: the user declined, or switched the tool off. Nothing was sent. */
  | 'not-allowed'
  /** The server requested something that isn't supported here, or requested it too often (MRTR-10, MRTR-11). */
  | 'unanswered'
  /** The server requires an unsupported protocol version. */
  | 'unsupported-revision'
  | 'cancelled'
  | 'closed'

/** The network, the browser, a process or a limit prevented the request; the peer sent no error object. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly code: TransportErrorCode
  /** Facts for an explanation on screen: status, url, limit, body … */
  readonly details: JsonObject
  constructor(code: TransportErrorCode, message: string, details: JsonObject = {}, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

/** The details of a failure, as stored in a frame. */
export const detailsOf = (error: unknown): JsonObject => {
  if (error instanceof TransportError) return error.details
  if (!(error instanceof ProtocolError)) return {}
  const { code, message, data, status } = error
  return { code, message, ...(data === undefined ? {} : { data }), ...(status === undefined ? {} : { status }) }
}

/** The message of any thrown value. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** The code of a failed opening in a frame. */
export const codeOf = (thrown: unknown): string => {
  if (thrown instanceof TransportError) return thrown.code
  return thrown instanceof ProtocolError ? 'bad-handshake' : 'internal'
}
