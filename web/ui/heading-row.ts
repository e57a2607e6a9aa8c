/** What a `VirtualList` is to say of a row that is a heading: it is none of the options, and counts for none. */
export const HEADING_ROW = {
  role: 'presentation',
  'aria-selected': undefined,
  'aria-posinset': undefined,
  'aria-setsize': undefined,
} as const
