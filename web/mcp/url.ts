/**
 * Parses a URL from untrusted text; undefined if it is invalid.
 *
 * Replaces `URL.canParse`, which returns wrong results in Node 20 once its caller is optimized: after some 9,000 calls,
 * a URL with a Latin-1 letter (`https://bücher.example/`) counts as invalid. `URL.parse` isn't available in every
 * supported browser.
 *
 * @param base for relative URLs; without it, a relative URL is invalid
 */
export const parsedUrl = (text: string, base?: string | URL): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/**
 * Finds what RFC 3986 doesn't allow in a URI. Whether its scheme exists is up to the server: URIs are opaque (SF-RES-12).
 *
 * @returns the first such part; `undefined` if there is none
 */
export const uriFault = (uri: string): string | undefined => {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) return uri.slice(0, 60)
  // The browser's URL parser repairs these.
  return /[^\w\-.~:/?#[\]@!$&'()*+,;=%]|%(?![0-9a-f]{2})/iu.exec(uri)?.[0]
}
