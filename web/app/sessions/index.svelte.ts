/** Stored sessions: listing, naming, searching, and deleting them. */
export { default as SessionsRecent } from './SessionsRecent.svelte'
export { Sessions, withBookmark, type SessionHost } from './sessions.svelte.ts'
