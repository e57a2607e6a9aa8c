/** The trace view, loaded on demand: each function loads its own chunk. */
export const loadCopyItems = () => import('./copy-items.svelte.ts')
export const loadTraceDock = () => import('./TraceDock.svelte')

/** Requests as programs. */
export const loadCode = () => import('./code/index.ts')
