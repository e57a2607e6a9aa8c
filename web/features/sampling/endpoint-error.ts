/** Why a request to a model endpoint failed: a code for the catalogues, and the facts for cause and remedy. */

export type EndpointFault =
  /** No response: connection refused, unknown host, or CORS. A page can't distinguish them. */
  | 'unreachable'
  /** The local proxy failed, or its connection to the endpoint. */
  | 'relay'
  | 'redirected'
  | 'unauthorized'
  | 'not-found'
  | 'too-many'
  | 'refused'
  | 'server'
  | 'not-json'
  | 'shape'
  | 'bad-arguments'
  | 'too-long'
  | 'timeout'
  | 'cancelled'
  /** The request can't be sent: it has no message, or no valid maxTokens (CF-SAMP-03). */
  | 'nothing-to-send'
  | 'no-limit'

export interface EndpointFacts {
  readonly url?: string
  readonly status?: number
  /** The endpoint's error message; at most 500 characters, and never the key. */
  readonly said?: string
  readonly remedy?: string
  /** In seconds. */
  readonly retryAfter?: number
  /** In bytes or ms. */
  readonly limit?: number
}

export class EndpointError extends Error {
  override readonly name = 'EndpointError'
  readonly code: EndpointFault
  readonly facts: EndpointFacts
  constructor(code: EndpointFault, facts: EndpointFacts = {}, options?: ErrorOptions) {
    super(`The model endpoint gave no answer: ${code}${facts.said ? `: ${facts.said}` : ''}`, options)
    this.code = code
    this.facts = facts
  }
}
