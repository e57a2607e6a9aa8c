/** Scrolls a row until one of its elements is in view. `scrollIntoView` would scroll the page too. */
export const keepInRow = (row: Element | undefined, element: Element | null | undefined): void => {
  if (!row || !element) return
  const [seen, edges] = [row.getBoundingClientRect(), element.getBoundingClientRect()]
  row.scrollLeft += Math.min(0, edges.left - seen.left) + Math.max(0, edges.right - seen.right)
}
