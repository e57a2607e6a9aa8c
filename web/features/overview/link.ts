/** Addresses that a server tells us: shown as a link only where a click can do no harm. */

/** `http:`, `https:` and `mailto:`, absolute; anything else stays text. */
export const safeLink = (text: unknown): string | undefined => {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined
  const url = new URL(text)
  // The name before @ can look like another host.
  if (url.username || url.password) return undefined
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
}
