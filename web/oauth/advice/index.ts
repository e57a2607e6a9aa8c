/** Advice for a failed sign-in: what the user can try and what the server's author should fix. */
export * from './remedies.ts'
export * from './server-fix.ts'
