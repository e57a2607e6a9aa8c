/** What a server offered last time, and the changes since. */
export type { KeptOffer } from './offer-store.ts'
export { offeredBy, offers } from './offers.ts'
