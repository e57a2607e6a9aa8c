/** Why a model endpoint gave no response: a code for the catalogues, and the facts for cause and remedy. */

export type EndpointFault =
  /** Nothing could be read: refused, no such host, or CORS, and a page cannot tell which. */
  | 'unreachable'
  /** The local proxy, or its way to the endpoint. */
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
  /** What the endpoint said of it; at most 500 characters, and never the key. */
  readonly said?: string
  readonly remedy?: string
  /** Seconds. */
  readonly retryAfter?: number
  /** Bytes or ms. */
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
