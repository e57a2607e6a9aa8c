/** Servers, loaded on demand: each function loads its own chunk. */
export const loadTransports = () => import('./transport-for.ts')
