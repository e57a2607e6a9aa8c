/** Tokens in use: attaching, refreshing, revoking, and stepping up. */
export * from './credential.ts'
export { TokenLifecycle } from './refresh-and-revoke.ts'
