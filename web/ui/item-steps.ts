/** The way from one item of a list to its neighbours, where there is no room for the list. */
export interface ItemSteps {
  readonly labels: { readonly previous: string; readonly next: string }
  /** Absent at the first item. */
  readonly previous: (() => void) | undefined
  /** Absent at the last item. */
  readonly next: (() => void) | undefined
}

/** @returns `undefined` if the list doesn't show the item, as when a filter hides it */
export const itemSteps = (
  items: readonly { readonly key: string }[],
  key: string,
  labels: ItemSteps['labels'],
  go: (key: string) => void,
): ItemSteps | undefined => {
  const at = items.findIndex((item) => item.key === key)
  if (at < 0 || items.length < 2) return undefined
  const [before, after] = [items[at - 1], items[at + 1]]
  return { labels, previous: before && (() => go(before.key)), next: after && (() => go(after.key)) }
}
