/** Who signs the requests of a connection, and is asked when the server refuses one. Knows no protocol of sign-ins. */
import type { HeaderList, Seq } from '../frame.ts'

/** A request was refused with 401 or 403. */
export interface Refusal {
  /** Its frame. */
  readonly request: Seq
  readonly method: string
  readonly url: string
  readonly status: 401 | 403
  /** `WWW-Authenticate`, as far as a page may see it. */
  readonly challenge: string | null
  /** Other origins' headers are hidden from a page unless they are exposed. */
  readonly crossOrigin: boolean
  /** `DPoP-Nonce` (RFC 9449 section 9). */
  readonly dpopNonce: string | null
  /** What was to be done: `tools/call echo`, `listen` … Retries are counted by it (AU-SCOPE-05). */
  readonly operation: string
  /** What the authorizer had given this request. */
  readonly sent: HeaderList
  /** How often this request was sent so far, from 1. */
  readonly attempt: number
  /** Aborted when nobody waits for the request any more. */
  readonly signal: AbortSignal
  /** Text of the answer, up to 64 KB; for servers that say there what the page may not see in the headers. */
  body(): Promise<string>
}

export interface Authorizer {
  /**
   * Headers for a request that is about to be sent: all of them, POST, GET and DELETE, carry the token (AU-GEN-02).
   * Never throws: without a token there are none.
   */
  headers(request: { readonly method: string; readonly url: string }): Promise<readonly (readonly [string, string])[]>
  /** @returns whether to send it again, with the headers it has then. Never throws. */
  refused(refusal: Refusal): Promise<boolean>
  /** What came, without the credentials that were sent: a server may say them again (SEC-15). Cheap where it does not. */
  masked(text: string): string
}
