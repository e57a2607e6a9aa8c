/** What a sign-in knows: credentials, metadata, scopes, tokens' claims, faults, and each protocol version's profile. */
export {
  CLIENT_AUTH_METHODS,
  type ClientAuthMethod,
  type Registration,
  type TokenSet,
  isSendable,
  pastedTokens,
} from './credentials.ts'
export { AuthError, type Fault, type FaultCode, type Remedy, fault } from './fault.ts'
export type { DecodedJwt } from './jwt.ts'
export {
  type GivenClient,
  type Grant,
  type IdentityProvider,
  type SignInState,
  type Refused,
  type SignInOptions,
  boundTo,
} from './sign-in-state.ts'
export { learnedFrom, masked, remember } from './discovery-results.ts'
export { type Profile, profileFor } from './profile.ts'
export { chooseScope, mayAskFor, scopeToRegister, scopesOf, union } from './scope.ts'
export { type TokenFacts, type TokenSay, safeFacts, tokenFacts } from './token-facts.ts'
export {
  canonicalResource,
  httpUrl,
  isLoopback,
  isPrivate,
  resourceMetadataUrls,
  resourceOf,
  safeUrl,
  serverMetadataUrls,
} from './url.ts'
export { type Difference, compare, marked, spans, visible, visibleLines } from './visible.ts'
