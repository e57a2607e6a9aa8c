/** What the user approved, loaded on demand: each function loads its own chunk. */
export const loadApprovals = () => import('./page.ts')
