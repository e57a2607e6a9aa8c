/** Attributes of a `VirtualList` row that is a heading: not an option, and not counted as one. */
export const HEADING_ROW = {
  role: 'presentation',
  'aria-selected': undefined,
  'aria-posinset': undefined,
  'aria-setsize': undefined,
} as const
