/** What a server offered last time, and the changes since. */
export { default as OfferNote } from './OfferNote.svelte'
