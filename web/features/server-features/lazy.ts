/** The features of a server in its last connection, and the changes since. Loaded on demand: each function loads its own chunk. */
export const loadFollowFeatures = () => import('./follow.ts')
