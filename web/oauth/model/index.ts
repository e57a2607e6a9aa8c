/** What a sign-in knows: credentials, metadata, scopes, tokens' claims, faults, and each protocol version's profile. */
export * from './fault.ts'
export type { DecodedJwt } from './jwt.ts'
export { type Profile, profileFor } from './profile.ts'
export { chooseScope, mayAskFor, scopeToRegister, scopesOf, union } from './scope.ts'
export * from './sign-in-state.ts'
export { type TokenSay, safeFacts, tokenFacts } from './token-facts.ts'
export * from './url.ts'
