/**
 * What carries messages. A transport knows bytes and connections, and nothing of what the messages mean.
 */
import type { Phase } from '../frame.ts'
import type { RequestId } from '../jsonrpc.ts'
import type { Revision } from '../revision.ts'
import type { TransportError } from '../errors.ts'
import type { Outbound, Received } from './message.ts'
import type { Tap } from './tap.ts'

/** Where a transport delivers. Implemented by Session. */
export interface Sink {
  /** The only way to write to the Trace. */
  readonly tap: Tap
  /** @param inReplyTo the only request this can be about, for answers that lost their id (BP-08) */
  message(received: Received, inReplyTo?: RequestId): void
  /** The answer to this request will not come over this transport any more. */
  lost(id: RequestId, error: TransportError): void
  /** The requests that wait for a response now. */
  awaited?(): readonly RequestId[]
  /** The connection is over, not by our wish. */
  closed(error: TransportError): void
  /** These requests stand still while somebody is asked, and no answer is due; or that is over. */
  held?(ids: readonly RequestId[], held: boolean): void
  /** A step of the connection has begun; it may take `limit` ms. */
  step(step: Phase, limit: number): void
}

export interface Transport {
  /** Short name for people: `Streamable HTTP`, `stdio`, `in this page`. */
  readonly name: string
  /** Each request has an exchange of its own, with headers, and closing it is seen by the server: HTTP. */
  readonly perRequest?: boolean
  /** Opened anew it begins with a fresh process, which knows nothing of what was said before. */
  readonly restarts?: boolean
  /** `Mcp-Session-Id` of the session, whole; the Trace holds its first characters alone. */
  readonly sessionId?: string | undefined
  /** There is no stateless era on it (HTTP+SSE). */
  readonly handshakeOnly?: boolean
  /** The transport that came before this one, for servers that are older still (TR-SSE-05). */
  older?(): Transport | undefined
  /**
   * Makes ready to send. Over HTTP nothing happens yet; over stdio the process starts. Called again after the
   * connection was lost while the session opens: then it begins anew.
   * @throws {TransportError} with the reason it cannot
   */
  open(sink: Sink): Promise<void>
  /**
   * Resolves once the message is handed over (stdio) or its response head is there (HTTP).
   * @throws {TransportError} when it could not be delivered; the request is then settled by the caller
   */
  send(outbound: Outbound, signal?: AbortSignal): Promise<void>
  /** The revision is decided: whatever is sent from now on says so, where the transport has a place for it. */
  settled?(revision: Revision): void
  /** The session is open: whatever the transport has for unasked messages may begin. */
  listen?(): void
  /** Forgets the session the server no longer knows, so that the next handshake begins a new one. */
  renew?(): void
  /** Ends politely, within a few seconds. Never throws. */
  close(): Promise<void>
}
