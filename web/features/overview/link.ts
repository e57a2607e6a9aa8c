/** URLs from a server: links only where a click is harmless. */
import { parsedUrl } from '../../mcp/url.ts'

/** `http:`, `https:` and `mailto:`, absolute; anything else stays text. */
export const safeLink = (text: unknown): string | undefined => {
  const url = typeof text === 'string' ? parsedUrl(text) : undefined
  if (!url) return undefined
  // The name before @ can look like another host.
  if (url.username || url.password) return undefined
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
}
