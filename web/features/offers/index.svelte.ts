/** What a server offered last time, and what changed since. */
export { default as OfferNote } from './OfferNote.svelte'
