/** Request headers that a browser sends to another origin only with its permission (Fetch, CORS protocol). */

/**
 * Request headers that need no permission with the values that MCP uses. `Content-Type: application/json` does need it.
 */
const SAFE_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-language'])

/** Headers that a browser sets itself, without asking. */
const OWN_HEADERS =
  /^(?:origin|referer|host|user-agent|connection|content-length|cookie|accept-encoding|sec-.*|proxy-.*|access-control-.*)$/

/** The names that the browser asks permission for: in lower case, sorted. */
export const unsafeHeaders = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => name.toLowerCase()))]
    .filter((name) => !SAFE_HEADERS.has(name) && !OWN_HEADERS.test(name))
    .sort()
