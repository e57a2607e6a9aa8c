/**
 * One interface for two lifecycles. `handshake` (2024-11-05 … 2025-11-25) begins with `initialize`; `stateless`
 * (2026-07-28) sends everything with each request. Differences within a lifecycle are data with version ranges.
 */
import type { Evidence, Json, JsonObject, Peer } from '../frame.ts'
import { isObject, type RequestId } from '../jsonrpc.ts'
import { type EraId, eraOf, type Revision } from '../revision.ts'
import { META } from '../meta-keys.ts'

/** What a lifecycle may do while it opens or recovers a session. It encodes its own requests. */
export interface Port {
  /** @throws {ProtocolError} the peer's error; @throws {TransportError} */
  call(method: string, params: JsonObject, limits?: { readonly idle: number }): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<void>
  /** The protocol version is decided; everything sent from now on must follow it. */
  settled(revision: Revision): void
}

/** What the client declares about itself. */
export interface Hello {
  readonly clientInfo: JsonObject
  readonly capabilities: (revision: Revision) => JsonObject
  /** Add a new trace context to each request (META-15). */
  readonly traceContext?: boolean | undefined
  /** The protocol version to offer first. */
  readonly offer: Revision
  /** Accept no other version. */
  readonly pinned: boolean
}

export interface CallIntent {
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject | undefined
  /** Ask the peer to report progress. */
  readonly progress: boolean
}

/** A message as this lifecycle encodes it. */
export interface Encoded {
  readonly message: JsonObject
  /** Headers for transports that have them (2026-07-28 repeats the method and name there). */
  readonly headers?: Readonly<Record<string, string>>
}

/** What a result means. `asked`: requests to respond to before the original request is sent again (2026-07-28). */
export type Outcome =
  | { readonly kind: 'complete'; readonly result: JsonObject }
  | { readonly kind: 'asked'; readonly questions: JsonObject; readonly state?: Json }
  | { readonly kind: 'invalid'; readonly issues: readonly string[] }

/** What to be notified of without further requests: the filter of `subscriptions/listen` (SUB-01). */
export type Wants = JsonObject

export interface Era {
  readonly id: EraId
  /**
   * Opens the session, or finds that there is none to open.
   * @param evidence what was observed so far; more is added
   */
  open(port: Port, evidence: Evidence[]): Promise<Peer>
  /** @throws {TransportError} `not-sendable`: a value can't be encoded as the protocol version requires */
  encode(call: CallIntent): Encoded
  /** Encodes a notification. */
  note(method: string, params: JsonObject | undefined): Encoded
  decode(method: string, result: Json): Outcome
  /** Whether the peer may send requests and receive responses (BP-11, BP-12). */
  readonly answersRequests: boolean
  /** Whether closing a request's own stream cancels the request (TR-HTTP-10). */
  readonly closingCancels: boolean
  /**
   * What to subscribe to once the session is open; nothing in lifecycles whose servers send notifications unprompted.
   */
  wants(peer: Peer): Wants | undefined
  /**
   * Tries to fix the cause of this error with a fresh request (TR-XH-08). True if the call is worth another attempt.
   * Never throws.
   */
  recover(port: Port, call: CallIntent, error: unknown): Promise<boolean>
}

/** The server as its response to `initialize` or `server/discover` describes it. Stateless servers also do so in `_meta`. */
export const peerOf = (revision: Revision, result: JsonObject, evidence: readonly Evidence[]): Peer => {
  const era = eraOf(revision)
  const meta = era === 'stateless' && isObject(result._meta) ? result._meta[META.serverInfo] : undefined
  return {
    era,
    revision,
    info: [meta, result.serverInfo].find(isObject) ?? {},
    capabilities: isObject(result.capabilities) ? result.capabilities : {},
    ...(typeof result.instructions === 'string' ? { instructions: result.instructions } : {}),
    evidence,
  }
}
