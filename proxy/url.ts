/**
 * The URL of a text, or undefined where it is none. In place of `URL.canParse`, which is wrong in Node 20 once it is hot:
 * `web/mcp/url.ts` says how. The proxy itself takes nothing from the page.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
