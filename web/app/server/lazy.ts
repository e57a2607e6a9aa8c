/** Servers, loaded on demand: each function loads its own chunk. */
export const loadTransports = () => import('./transport-for.ts')

/** For `--watch`. */
export const loadFileRestarts = () => import('./file-restarts.svelte.ts')

/** The connection and its calls as programs. */
export const loadCodeDialog = () => import('./CodeDialog.svelte')
