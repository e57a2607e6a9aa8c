/** Shared by all lists from a server: paging, filtering, notes, icons, the empty state. */
export { default as IconGallery } from './IconGallery.svelte'
export { default as ItemIcon } from './ItemIcon.svelte'
export { default as ItemList } from './ItemList.svelte'
export { default as ListNotes } from './ListNotes.svelte'
export { default as ListPane } from './ListPane.svelte'
export { default as NothingPicked } from './NothingPicked.svelte'
