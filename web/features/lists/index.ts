/** Shared by all lists from a server: paging, filtering, notes, icons, the empty state. */
export { type ListItem, filterByWords, filterItems, listReader, namedItem, onlyKey } from './list-items.ts'
export { type Listed, type Listing, type Listings, type Taken, countIn, listingFold } from './listing-fold.ts'
export { announces, fetchListing, followDeclared } from './list-pages.ts'
