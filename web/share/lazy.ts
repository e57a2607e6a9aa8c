/** Sharing a session, loaded on demand: each function loads its own chunk. */
export const loadOutgoing = () => import('./outgoing.ts')
export const loadRedaction = () => import('./page-redaction.ts')
export const loadShareDialog = () => import('./ShareDialog.svelte')
