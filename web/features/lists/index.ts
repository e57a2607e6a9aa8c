/** Shared by all lists from a server: paging, filtering, notes, icons, the empty state. */
export { filterByWords, filterItems, listReader } from './list-items.ts'
export { type Listed, type Listing, type Listings, type Taken, listingFold } from './listing-fold.ts'
export { fetchListing, followListing } from './fetch-listing.ts'
