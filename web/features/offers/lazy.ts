/** What a server offered last time, and what changed since, loaded when needed: each function fetches a chunk of its own. */
export const loadOffers = () => import('./offers.ts')
