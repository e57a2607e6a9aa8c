/** Sharing a session, loaded when needed: each function fetches a chunk of its own. */
export const loadRedaction = () => import('./redact.ts')
export const loadShareDialog = () => import('./ShareDialog.svelte')
