/** Overview, loaded when needed: each function fetches a chunk of its own. */
export const loadDecision = () => import('./Decision.svelte')
