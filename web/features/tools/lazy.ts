/** Tools, loaded on demand: each function loads its own chunk. */
export const loadCallAgain = () => import('./runs.svelte.ts')
