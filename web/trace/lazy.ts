/** The trace view, loaded when needed: each function fetches a chunk of its own. */
export const loadTraceDock = () => import('./TraceDock.svelte')
