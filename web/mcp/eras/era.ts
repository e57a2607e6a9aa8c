/**
 * One interface, two lifecycles. `handshake` (2024-11-05 … 2025-11-25) begins with `initialize`; `stateless`
 * (2026-07-28) puts all it needs on each request. What differs within an era is data with spans.
 */
import type { Json, JsonObject, Peer } from '../frame.ts'
import type { RequestId } from '../jsonrpc.ts'
import type { EraId, Revision } from '../revision.ts'

/** What an era may do while it opens a session. */
export interface Port {
  /** @throws {ProtocolError} the peer's error; @throws {TransportError} */
  call(method: string, params: JsonObject): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<void>
  /** The revision is decided; what is sent next must already follow it. */
  settled(revision: Revision): void
}

/** What we say of ourselves. */
export interface Hello {
  readonly clientInfo: JsonObject
  readonly capabilities: (revision: Revision) => JsonObject
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

/** A request as the era writes it. */
export interface Encoded {
  readonly message: JsonObject
  /** Headers for transports that have them (2026-07-28 repeats method and name there). */
  readonly headers?: Readonly<Record<string, string>>
}

/** What a result means. `asked`: questions to answer before the request is sent again (2026-07-28). */
export type Outcome =
  | { readonly kind: 'complete'; readonly result: JsonObject }
  | { readonly kind: 'asked'; readonly questions: JsonObject; readonly state?: string }
  | { readonly kind: 'invalid'; readonly issues: readonly string[] }

/** What we want to hear of without asking each time. */
export interface Wants {
  readonly listChanged: readonly ('tools' | 'prompts' | 'resources')[]
  readonly resources: readonly string[]
}

export interface Era {
  readonly id: EraId
  /** Opens the session, or finds out that there is nothing to open. */
  open(port: Port, hello: Hello): Promise<Peer>
  encode(call: CallIntent): Encoded
  decode(method: string, result: Json): Outcome
  /** Asks for unasked messages, in eras that must ask. */
  listen(port: Port, wants: Wants): Promise<void>
}
