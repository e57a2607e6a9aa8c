/** What a server says about itself, shown safely: links only where a click is harmless, session IDs masked. */
import { parsedUrl } from '../../mcp/url.ts'
import { visible } from '../../ui/index.ts'

/** An absolute `http:`, `https:` or `mailto:` URL; anything else stays text. */
export const safeLink = (text: unknown): string | undefined => {
  const url = typeof text === 'string' ? parsedUrl(text) : undefined
  if (!url) return undefined
  // A user name before @ can imitate another host.
  if (url.username || url.password) return undefined
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
}

/** Characters that suffice to find the session in a server's log. */
const HEAD = 8
/** Most characters shown of a revealed ID. */
const LONGEST = 1000

/** A session ID grants access, and screens are shared (SEC-13). */
export const isMasked = (id: string): boolean => id.length > HEAD

export const shownSessionId = (id: string, revealed: boolean): string =>
  revealed || !isMasked(id) ? visible(id, LONGEST) : `${visible(id.slice(0, HEAD))}…`
