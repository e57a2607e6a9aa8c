/** Tools, loaded when needed: each function fetches a chunk of its own. */
export const loadVerdictWorker = () => import('./verdict-worker.ts')
