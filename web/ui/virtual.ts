/** Computes which rows of a list are in view. All rows have the same height, so nothing is measured. */

export interface Viewed {
  /** First row to draw. */
  readonly first: number
  /** One past the last row to draw. */
  readonly end: number
  /** Where the first drawn row begins, in px of the scrolled content. */
  readonly offset: number
  /** Height of the scrolled content, in px. */
  readonly height: number
}

/**
 * Browsers limit the height of an element (Blink to 2^24 px on a display with two device pixels per px, Firefox to
 * slightly more). Taller content is mapped onto this height, so scrolling by one px then moves the content by more.
 */
export const TALLEST = 8_000_000

export const view = (
  count: number,
  rowHeight: number,
  scrollTop: number,
  viewport: number,
  overscan: number,
): Viewed => {
  const whole = count * rowHeight
  const height = Math.min(whole, TALLEST)
  const top = contentTop(whole, scrollTop, viewport)
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight) - overscan))
  const end = Math.max(first, Math.min(count, Math.ceil((top + viewport) / rowHeight) + overscan))
  return { first, end, offset: first * rowHeight - top + clampTop(height, scrollTop, viewport), height }
}

/** The `scrollTop` that brings row `index` into view with the least movement. */
export const scrollTopFor = (
  index: number,
  count: number,
  rowHeight: number,
  scrollTop: number,
  viewport: number,
): number => {
  const whole = count * rowHeight
  const top = contentTop(whole, scrollTop, viewport)
  const wanted = Math.min(index * rowHeight, Math.max(top, (index + 1) * rowHeight - viewport))
  if (whole <= TALLEST) return wanted
  return (wanted / (whole - viewport)) * (TALLEST - viewport)
}

/** The position at the top edge of the view, in px of unscaled content. */
const contentTop = (whole: number, scrollTop: number, viewport: number): number => {
  const height = Math.min(whole, TALLEST)
  const top = clampTop(height, scrollTop, viewport)
  return whole <= TALLEST ? top : (top / (height - viewport)) * (whole - viewport)
}

/** Overscrolling (rubber-banding) and lists that have just become shorter report positions outside the content. */
const clampTop = (height: number, scrollTop: number, viewport: number): number =>
  Math.max(0, Math.min(scrollTop, Math.max(0, height - viewport)))

/** Attributes of a row that is a heading: not an option, and not counted as one. */
export const HEADING_ROW = {
  role: 'presentation',
  'aria-selected': undefined,
  'aria-posinset': undefined,
  'aria-setsize': undefined,
} as const
