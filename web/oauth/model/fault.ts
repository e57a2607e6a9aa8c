/**
 * Why a sign-in stops: each reason has a code, the step it belongs to, the rule by which it stops, and what can be done.
 *
 * The sentences stand in the catalogues; the explanation here is the English one that goes into the Trace.
 */
import type { AuthFault, AuthStep, JsonObject } from '../../mcp/index.ts'

export type FaultCode =
  // any request
  /** `fetch` threw: no CORS headers, or nobody there. A page cannot tell which. */
  | 'unreadable'
  /** `fetch` threw, through the relay too: nobody there. */
  | 'unreachable'
  | 'timeout'
  | 'too-large'
  | 'not-json'
  | 'not-an-object'
  | 'http-status'
  /** An answer that leads elsewhere, where none may. */
  | 'redirected'
  /** Not https (nor http on loopback), or no address at all (AU-ASM-07, AU-FLOW-12). */
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
  /** The page has no WebCrypto: it was opened over plain HTTP from another machine. */
  | 'insecure-context'
  // authorization
  | 'popup-blocked'
  | 'no-answer'
  /** Another page with the same sign-in, such as a duplicate of this tab, took the answer. */
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

/** What a user can do about a fault; each is a button or a sentence. */
export type Remedy =
  | 'relay'
  | 'retry'
  | 'go-on'
  | 'paste-metadata'
  | 'enter-client'
  | 'paste-token'
  | 'retry-as-web'
  | 'retry-as-native'
  | 'omit-resource'
  | 'redirect'
  | 'sign-in-again'
  | 'start-proxy'
  | 'allow-page'
  | 'tell-server'

/**
 * A sign-in, a refresh or a revocation could not be done.
 * `code` is a FaultCode; the evidence is the Trace, to which `flow` and `step` lead.
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
