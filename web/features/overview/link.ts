/** URLs from a server: links only where a click is harmless. */
import { parsedUrl } from '../../mcp/url.ts'

/** An absolute `http:`, `https:` or `mailto:` URL; anything else stays text. */
export const safeLink = (text: unknown): string | undefined => {
  const url = typeof text === 'string' ? parsedUrl(text) : undefined
  if (!url) return undefined
  // A user name before @ can imitate another host.
  if (url.username || url.password) return undefined
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
}
