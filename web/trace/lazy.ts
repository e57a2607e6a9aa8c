/** The trace view, loaded on demand: each function loads its own chunk. */
export const loadTraceDock = () => import('./TraceDock.svelte')
