/** Stored sessions: listing, naming, searching, and deleting them. */
export { default as SessionsButton } from './SessionsButton.svelte'
export { default as SessionsRecent } from './SessionsRecent.svelte'
export { Sessions, withBookmark } from './sessions.svelte.ts'
export { texts } from './text/texts.svelte.ts'
