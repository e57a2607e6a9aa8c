/** Which URLs of a sign-in are safe to request (AU-ASM-07, AU-FLOW-12), and which hosts are private or loopback. */
import { parsedUrl } from '../../mcp/url.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|([a-z0-9-]+\.)*localhost)$/i

export const isLoopback = (url: URL): boolean => LOOPBACK.test(url.hostname)

/** IPv4 as serialized by `URL`: unspecified, private, shared (RFC 6598), loopback, link-local, multicast, reserved. */
const PRIVATE_IPV4 =
  /^(?=\d+(?:\.\d+){3}$)(0|10|127|22[4-9]|2[345]\d|100\.(6[4-9]|[789]\d|1[01]\d|12[0-7])|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168|192\.0\.0|198\.1[89])\./

/**
 * Whether a host isn't on the internet, judged by its spelling: loopback, private, link-local, unspecified or reserved.
 * The proxy checks the address that a name resolves to (`proxy/public-address.ts`).
 */
export const isPrivate = (url: URL): boolean => {
  const host = url.hostname.replace(/\.+$/, '').toLowerCase()
  if (host === '' || host === 'localhost' || host.endsWith('.localhost') || PRIVATE_IPV4.test(host)) return true
  if (!host.startsWith('[')) return false
  const address = host.slice(1, -1)
  const embedded = embeddedIpv4(address)
  if (embedded !== undefined) return PRIVATE_IPV4.test(embedded)
  // Unique local, link-local, site-local, multicast; 6to4; unspecified, loopback and IPv4-compatible.
  return /^(f[cd]|fe[89a-f]|ff|2002:|::)/.test(address)
}

/**
 * The IPv4 address in an IPv4-mapped or NAT64 address (RFC 4291 section 2.5.5.2, RFC 6052), which
 * `URL` writes in hexadecimal.
 */
const embeddedIpv4 = (address: string): string | undefined => {
  const [, high, low] = /^(?:::ffff:|64:ff9b::)(?:([\da-f]{1,4}):)?([\da-f]{1,4})$/.exec(address) ?? []
  if (low === undefined) return undefined
  const [a, b] = [Number.parseInt(high ?? '0', 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

/** Parses third-party text as an absolute http or https URL; `undefined` if it isn't one. */
export const httpUrl = (text: unknown, longest = 4000): URL | undefined => {
  if (typeof text !== 'string' || text.length > longest) return undefined
  const url = parsedUrl(text)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === ''
    ? url
    : undefined
}

/**
 * AU-ASM-07, AU-FLOW-12: https, or http on loopback. Loopback is only allowed if the server itself is on loopback, and
 * private addresses only if the server is on a private address: a remote server must not send a page to services on the
 * user's machine or network.
 */
export const safeUrl = (text: unknown, server: string, longest?: number): URL | undefined => {
  const url = httpUrl(text, longest)
  if (!url) return undefined
  if (isLoopback(url)) return isLoopback(new URL(server)) ? url : undefined
  if (isPrivate(url) && !isPrivate(new URL(server))) return undefined
  return url.protocol === 'https:' ? url : undefined
}
