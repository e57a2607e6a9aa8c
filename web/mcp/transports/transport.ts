/** Carries messages. A transport handles bytes and connections, and doesn't interpret messages. */
import type { Phase } from '../frame.ts'
import type { RequestId } from '../jsonrpc.ts'
import type { Revision } from '../revision.ts'
import type { TransportError } from '../errors.ts'
import type { Outbound, Received, Tap } from './tap.ts'

/** Receives a transport's messages and events. Implemented by Session. */
export interface Sink {
  /** The only way to write to the Trace. */
  readonly tap: Tap
  /** @param inReplyTo the only request this can belong to, for responses without an ID (BP-08) */
  message(received: Received, inReplyTo?: RequestId): void
  /** The response to this request can no longer arrive over this transport. */
  lost(id: RequestId, error: TransportError): void
  /** The requests that are waiting for a response. */
  awaited?(): readonly RequestId[]
  /** The connection ended, and we didn't close it. */
  closed(error: TransportError): void
  /** Pauses these requests while the user is asked and no response is due; or resumes them. */
  held?(ids: readonly RequestId[], held: boolean): void
  /** A connection step has begun; it may take `limit` ms. */
  step(step: Phase, limit: number): void
  /** The other side is busy with what the step waits for: the limits of the step and of its requests begin again. */
  busy?(): void
}

export interface Transport {
  /** Short display name: `Streamable HTTP`, `stdio`, `WebSocket`, `in this page`. */
  readonly name: string
  /** Each request has its own exchange, with headers, and the server notices when it is closed: HTTP. */
  readonly perRequest?: boolean
  /** Reopening it starts without any state: a new process, or a new connection. */
  readonly restarts?: boolean
  /** The complete `Mcp-Session-Id`; the Trace contains only its first characters. */
  readonly sessionId?: string | undefined
  /** It doesn't support the stateless lifecycle (HTTP+SSE). */
  readonly handshakeOnly?: boolean
  /** The predecessor of this transport, for older servers (TR-SSE-05). */
  older?(): Transport | undefined
  /**
   * Prepares for sending. Over HTTP nothing happens yet; over stdio the process starts. Called again if the connection
   * was lost while the session opens, to start over.
   * @throws {TransportError} with the reason it can't
   */
  open(sink: Sink): Promise<void>
  /**
   * Resolves once the message was written (stdio) or its response head has arrived (HTTP).
   * @throws {TransportError} it couldn't be delivered; the caller then settles the request
   */
  send(outbound: Outbound, signal?: AbortSignal): Promise<void>
  /** The protocol version is decided: later messages carry it, if the transport has a place for it. */
  settled?(revision: Revision): void
  /** The session is open: a stream for unprompted messages may start. */
  listen?(): void
  /** Discards a session that the server no longer knows, so that the next handshake starts a new one. */
  renew?(): void
  /** Closes gracefully, within a few seconds. Never throws. */
  close(): Promise<void>
}
