/** What a server offered last time, and the changes since. Loaded on demand: each function loads its own chunk. */
export const loadOffers = () => import('./offers.ts')
