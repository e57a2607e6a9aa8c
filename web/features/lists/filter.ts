/**
 * @returns the items whose text contains every word of the filter, ignoring case; `items` itself for an empty filter
 */
export const filterByWords = <Item>(
  items: readonly Item[],
  filter: string,
  textOf: (item: Item) => string,
): readonly Item[] => {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return items
  return items.filter((item) => {
    const text = textOf(item).toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
