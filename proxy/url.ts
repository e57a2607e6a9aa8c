/**
 * Parses a URL; undefined if it is invalid. Replaces `URL.canParse`, which returns wrong results in Node 20 once it is
 * optimized: see `web/mcp/url.ts`. This copy exists because the proxy imports nothing from the page.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
