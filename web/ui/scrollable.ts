/**
 * Attributes of an element that scrolls: browsers don't all let the keyboard reach one, so it takes the focus itself.
 * @param label its accessible name
 * @param role `region`: also a landmark
 */
export const scrollable = (label: string, role: 'group' | 'region' = 'group') =>
  ({ tabindex: 0, role, 'aria-label': label }) as const
