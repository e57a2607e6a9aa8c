/**
 * Signs the requests of a connection, and decides what to do when the server refuses one. Independent of sign-in
 * protocols.
 */
import type { HeaderList, Seq } from '../frame.ts'

/** A request was refused with 401 or 403. */
export interface Refusal {
  /** Its frame. */
  readonly request: Seq
  readonly method: string
  readonly url: string
  readonly status: 401 | 403
  /** `WWW-Authenticate`, if the page can see it. */
  readonly challenge: string | null
  /** Headers from other origins are hidden from a page unless CORS exposes them. */
  readonly crossOrigin: boolean
  /** `DPoP-Nonce` (RFC 9449 section 9). */
  readonly dpopNonce: string | null
  /** What the request was for: `tools/call echo`, `listen` … Retries are counted per operation (AU-SCOPE-05). */
  readonly operation: string
  /** The headers that the authorizer had added to this request. */
  readonly sent: HeaderList
  /** How often this request has been sent, from 1. */
  readonly attempt: number
  /** Aborted when the request is no longer needed. */
  readonly signal: AbortSignal
  /** Text of the response, up to 64 KB, for servers that put information there which CORS hides in the headers. */
  body(): Promise<string>
}

export interface Authorizer {
  /**
   * Headers for a request about to be sent: POST, GET and DELETE all carry the token (AU-GEN-02). Never throws: without
   * a token there are none.
   */
  headers(request: { readonly method: string; readonly url: string }): Promise<readonly (readonly [string, string])[]>
  /** @returns whether to send it again, with the headers that apply then. Never throws. */
  refused(refusal: Refusal): Promise<boolean>
  /** Masks the sent credentials in received text: a server may echo them (SEC-15). Cheap if there are none. */
  masked(text: string): string
}
