/** What a server offered last time, and the changes since. */
export { type KeptOffer, offeredBy, offers } from './offers.ts'
