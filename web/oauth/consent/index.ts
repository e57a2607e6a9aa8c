/** The user's consent: the popup or redirect, and the return from the authorization server. */
export * from './consent.ts'
export * from './return.ts'
