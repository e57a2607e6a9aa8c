/**
 * URLs of a sign-in: which are safe to request, the well-known metadata URLs (RFC 8414, RFC 9728), the resource
 * identifier (RFC 8707), and how two identifiers that should be equal differ (AU-ASM-06, AU-FLOW-09).
 */
import { percentDecoded } from '../../json/index.ts'
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

/** AU-FLOW-05 (RFC 8707 section 2): no fragment, no trailing slash on a bare origin; scheme and host in lower case. */
export const canonicalResource = (server: string): string => {
  const url = new URL(server)
  url.hash = ''
  // `https://host` and `https://host/` are equivalent; the form without a slash is preferred.
  return url.pathname === '/' && url.search === '' ? url.href.replace(/\/$/, '') : url.href
}

const RESOURCE = '/.well-known/oauth-protected-resource'
const OAUTH = '/.well-known/oauth-authorization-server'
const OPENID = '/.well-known/openid-configuration'

/** AU-PRM-03: first with the endpoint's path inserted, then the root. */
export const resourceMetadataUrls = (server: string): { readonly at: 'path' | 'root'; readonly url: string }[] => {
  const { origin, pathname, search } = new URL(server)
  const root = { at: 'root', url: `${origin}${RESOURCE}` } as const
  if (pathname === '/' && search === '') return [root]
  return [{ at: 'path', url: `${origin}${RESOURCE}${pathname === '/' ? '' : pathname}${search}` }, root]
}

/** RFC 9728 section 3.3: the resource that metadata at this URL describes, if the URL determines it. */
export const resourceOf = (metadataUrl: string): string | undefined => {
  const { origin, pathname, search } = new URL(metadataUrl)
  if (!pathname.startsWith(RESOURCE)) return undefined
  const rest = pathname.slice(RESOURCE.length)
  if (rest !== '' && !rest.startsWith('/')) return undefined
  return `${origin}${rest}${search}`
}

/** AU-ASM-03, AU-ASM-04: the possible URLs of an issuer's metadata, in the order to try. */
export const serverMetadataUrls = (
  issuer: string,
  openid: boolean,
): { readonly kind: 'oauth' | 'openid'; readonly url: string }[] => {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const oauth = { kind: 'oauth', url: `${origin}${OAUTH}${path}` } as const
  if (!openid) return [oauth]
  if (path === '') return [oauth, { kind: 'openid', url: `${origin}${OPENID}` }]
  return [
    oauth,
    { kind: 'openid', url: `${origin}${OPENID}${path}` },
    { kind: 'openid', url: `${origin}${path}${OPENID}` },
  ]
}

/** The kind of difference between two texts, if it is the only one. */
export type Difference = 'slash' | 'case' | 'space' | 'port' | 'percent' | 'other'

interface Compared {
  /** The common prefix. */
  readonly same: string
  /** The remainders, beginning with the first difference; '' if a text ends there. */
  readonly rest: readonly [string, string]
  readonly difference: Difference
}

/** @returns `undefined` if they are identical */
export const compare = (one: string, other: string): Compared | undefined => {
  if (one === other) return undefined
  const [a, b] = [[...one], [...other]]
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return {
    same: a.slice(0, at).join(''),
    rest: [a.slice(at).join(''), b.slice(at).join('')],
    difference: differenceOf(one, other),
  }
}

const differenceOf = (one: string, other: string): Difference => {
  const by = (same: (text: string) => string) => same(one) === same(other)
  if (by((text) => text.replace(/\/$/, ''))) return 'slash'
  if (by((text) => text.replace(/\s/g, ''))) return 'space'
  if (by((text) => text.toLowerCase())) return 'case'
  if (by(withoutPort)) return 'port'
  if (by(percentDecoded)) return 'percent'
  return 'other'
}

const withoutPort = (text: string): string =>
  text.replace(/^(https:\/\/[^/?#:]+):443(?=[/?#]|$)/i, '$1').replace(/^(http:\/\/[^/?#:]+):80(?=[/?#]|$)/i, '$1')
