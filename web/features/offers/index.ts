/** What a server offered last time, and what changed since. */
export type { KeptOffer } from './offer-store.ts'
export { offeredBy, offers } from './offers.ts'
