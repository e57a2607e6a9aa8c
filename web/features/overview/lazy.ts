/** Overview, loaded on demand: each function loads its own chunk. */
export const loadDecision = () => import('./Decision.svelte')
