/**
 * The reasons why a sign-in stops: each has a code, the step it belongs to, the violated rule, and its remedies.
 *
 * The catalogues have the texts; the explanation here is the English one for the Trace.
 */
import type { AuthFault, AuthStep, JsonObject } from '../../mcp/index.ts'

export type FaultCode =
  // any request
  /** `fetch` threw: CORS headers are missing or the host is unreachable. A page can't tell which. */
  | 'unreadable'
  /** `fetch` threw through the relay as well, so the host is unreachable. */
  | 'unreachable'
  | 'timeout'
  | 'too-large'
  | 'not-json'
  | 'not-an-object'
  | 'http-status'
  /** A redirect where none is allowed. */
  | 'redirected'
  /** Neither https nor http on loopback, or not a URL (AU-ASM-07, AU-FLOW-12). */
  | 'unsafe-url'
  // challenge
  | 'not-challenged'
  // protected resource metadata
  | 'no-resource-metadata'
  | 'resource-mismatch'
  | 'no-authorization-servers'
  // authorization server metadata
  | 'no-server-metadata'
  | 'issuer-mismatch'
  | 'missing-endpoint'
  | 'unsupported-grant'
  // registration
  | 'no-registration'
  | 'registration-refused'
  | 'redirect-uri-refused'
  | 'no-client-id'
  | 'issuer-changed'
  | 'bad-client-document'
  // preparation
  | 'pkce-not-advertised'
  | 'bad-private-key'
  /** The page has no WebCrypto because it was opened over plain HTTP from another machine. */
  | 'insecure-context'
  // authorization
  | 'popup-blocked'
  | 'no-answer'
  /** Another page with the same sign-in, such as a duplicate of this tab, took the response. */
  | 'taken-elsewhere'
  // callback
  | 'state-mismatch'
  | 'iss-missing'
  | 'iss-mismatch'
  | 'denied'
  | 'authorization-error'
  | 'no-code'
  | 'repeated-parameter'
  // token, assertion, refresh
  | 'token-refused'
  | 'no-access-token'
  | 'token-type'
  | 'bad-token-response'
  | 'assertion-missing'
  // use
  | 'token-not-accepted'
  | 'too-many-attempts'
  | 'internal'

export interface Fault extends AuthFault {
  readonly code: FaultCode
}

/**
 * A sign-in, a refresh or a revocation failed. `code` is a FaultCode; `flow` and `step` refer to
 * the evidence in the Trace.
 */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  readonly code: FaultCode
  readonly step: AuthStep
  readonly fault: Fault
  constructor(step: AuthStep, fault: Fault, options?: ErrorOptions) {
    super(fault.explanation, options)
    this.code = fault.code
    this.step = step
    this.fault = fault
  }
}

export const fault = (code: FaultCode, explanation: string, rule?: string, facts?: JsonObject): Fault => ({
  code,
  explanation,
  ...(rule === undefined ? {} : { rule }),
  ...(facts === undefined ? {} : { facts }),
})
