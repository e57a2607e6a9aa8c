/** Codes for the results of a sign-in's checks. The catalogues have a sentence for each, in every language. */

import type { TokenSay } from '../model/index.ts'

/** Codes of the steps, and of refreshing and revoking. */
export type FlowSay =
  // any request
  | 'relayed'
  // challenge
  | 'challenge-hidden'
  | 'challenge-missing'
  | 'challenge-malformed'
  | 'challenge-read'
  | 'challenge-not-bearer'
  | 'not-challenged'
  // protected resource metadata
  | 'resource-metadata-url-unsafe'
  | 'resource-metadata-found'
  | 'resource-metadata-not-there'
  | 'resource-matches'
  | 'resource-covers'
  | 'resource-differs'
  | 'servers-offered'
  | 'origin-is-issuer'
  // authorization server
  | 'issuer-unsafe'
  | 'issuer-by-hand'
  | 'issuer-chosen'
  // its metadata
  | 'metadata-not-there'
  | 'metadata-found'
  | 'issuer-matches'
  | 'issuer-differs'
  | 'endpoint-missing'
  | 'endpoint-unsafe'
  | 'default-endpoints'
  | 'grant-not-offered'
  // registration
  | 'client-by-hand'
  | 'client-of-another'
  | 'registered-before'
  | 'no-client-document'
  | 'client-documents-not-taken'
  | 'client-document'
  | 'client-document-address'
  | 'application-type'
  | 'redirect-uri-differs'
  | 'redirect-uri-registered'
  | 'registered-with-status'
  | 'registration-deprecated'
  // preparation
  | 'scope-chosen'
  | 'resource-chosen'
  | 'resource-left-out'
  | 'pkce-advertised'
  | 'pkce-not-advertised'
  | 'pushed-only'
  | 'fragment-dropped'
  // authorization
  | 'authorization-url-unsafe'
  // callback
  | 'parameter-repeated'
  | 'state-matches'
  | 'state-differs'
  | 'iss-neither'
  | 'iss-missing'
  | 'iss-matches'
  | 'iss-differs'
  | 'code-received'
  // assertion
  | 'grant-received'
  | 'grant-of-another-type'
  // token
  | 'token-received'
  | 'id-token-ignored'
  | 'not-bound'
  | 'token-with-status'
  | 'member-ignored'
  // use
  | 'scope-granted'
  | 'scope-narrower'
  // refresh, revocation
  | 'refresh-rotated'
  | 'refresh-not-rotated'
  | 'revoked'
  | 'not-revoked'
  | 'not-revocable'

export type Say = FlowSay | TokenSay
