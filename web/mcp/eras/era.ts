/**
 * One interface, two lifecycles. `handshake` (2024-11-05 … 2025-11-25) begins with `initialize`; `stateless`
 * (2026-07-28) puts all it needs on each request. What differs within an era is data with spans.
 */
import type { Evidence, Json, JsonObject, Peer } from '../frame.ts'
import type { RequestId } from '../jsonrpc.ts'
import type { EraId, Revision } from '../revision.ts'

/** What an era may do while it opens a session, or recovers one. Its requests are written by itself. */
export interface Port {
  /** @throws {ProtocolError} the peer's error; @throws {TransportError} */
  call(method: string, params: JsonObject, limits?: { readonly idle: number }): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<void>
  /** The revision is decided; what is sent next must already follow it. */
  settled(revision: Revision): void
}

/** What we say of ourselves. */
export interface Hello {
  readonly clientInfo: JsonObject
  readonly capabilities: (revision: Revision) => JsonObject
  /** Give each request a trace context of its own (META-15). */
  readonly traceContext?: boolean | undefined
  /** The revision to offer first. */
  readonly offer: Revision
  /** Accept no other one. */
  readonly pinned: boolean
}

export interface CallIntent {
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject | undefined
  /** Ask the peer to report progress. */
  readonly progress: boolean
}

/** A message as the era writes it. */
export interface Encoded {
  readonly message: JsonObject
  /** Headers for transports that have them (2026-07-28 repeats method and name there). */
  readonly headers?: Readonly<Record<string, string>>
}

/** What a result means. `asked`: questions to answer before the request is sent again (2026-07-28). */
export type Outcome =
  | { readonly kind: 'complete'; readonly result: JsonObject }
  | { readonly kind: 'asked'; readonly questions: JsonObject; readonly state?: Json }
  | { readonly kind: 'invalid'; readonly issues: readonly string[] }

/** What we want to hear of without asking each time: the filter of `subscriptions/listen` (SUB-01). */
export type Wants = JsonObject

export interface Era {
  readonly id: EraId
  /**
   * Opens the session, or finds out that there is nothing to open.
   * @param evidence what was seen so far; more is added
   */
  open(port: Port, evidence: Evidence[]): Promise<Peer>
  /** @throws {TransportError} `not-sendable`: a value cannot be written as the revision demands */
  encode(call: CallIntent): Encoded
  /** A notification as the era writes it. */
  note(method: string, params: JsonObject | undefined): Encoded
  decode(method: string, result: Json): Outcome
  /** Whether the peer may send requests, and get answers (BP-11, BP-12). */
  readonly answersRequests: boolean
  /** Closing the stream of a request cancels it, where each request has its own (TR-HTTP-10). */
  readonly closingCancels: boolean
  /** What to subscribe to as soon as the session is open; nothing in eras whose servers speak unasked. */
  wants(peer: Peer): Wants | undefined
  /**
   * Something of this error can be mended by asking anew (TR-XH-08): true when the same call is worth another attempt.
   * Never throws.
   */
  recover(port: Port, call: CallIntent, error: unknown): Promise<boolean>
}
