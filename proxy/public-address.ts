/**
 * Restricts requests to public addresses. During a sign-in, a server on the internet can name any URL, and unlike a
 * browser, the proxy isn't bound by CORS: it could reach the router, a cloud's metadata service, or programs on this
 * machine. The check applies to the address that is connected to, not to the name; the page checks names in
 * `web/oauth/model/safe-url.ts`.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { errorWith } from './error-code.ts'

/** The host of a URL as sockets take it: an IPv6 address without its brackets. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

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

/** The error code of a refused request. */
export const NOT_PUBLIC = 'NOT_PUBLIC'

/** Not globally reachable by IANA's special-purpose registries (RFC 6890), plus multicast and networks that embed IPv4. */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

const SPECIAL_IPV6 = [
  // Unspecified, loopback, and IPv4-compatible addresses.
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  // Includes Teredo, which embeds IPv4, and benchmarking.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 embeds IPv4.
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const

const special = new BlockList()
for (const [network, prefix] of SPECIAL_IPV4) {
  special.addSubnet(network, prefix, 'ipv4')
  // The same network mapped into IPv6, and through NAT64 (RFC 4291 section 2.5.5.2, RFC 6052).
  special.addSubnet(`::ffff:${network}`, 96 + prefix, 'ipv6')
  special.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
}
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6')

/** @param address IPv4 or IPv6, with or without a zone */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/s, '')
  const family = isIP(bare)
  return family !== 0 && !special.check(bare, family === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Whether a URL's host may be public: a public address, or a name other than localhost (RFC 6761 section 6.3).
 * @param hostname as `URL` normalizes it, which unifies spellings of IPv4 addresses (`0x7f.1`, `2130706433`)
 */
export function mayBePublic(hostname: string): boolean {
  const bare = withoutBrackets(hostname).replace(/\.+$/, '')
  if (isIP(bare) !== 0) return isPublicAddress(bare)
  return bare !== '' && !/(^|\.)localhost$/i.test(bare)
}

/** Like `dns.lookup`. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true; readonly family?: number; readonly hints?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * A lookup that fails unless all addresses are public. Node connects to the addresses that were checked, so a name can't
 * change between check and connection (DNS rebinding).
 */
export function publicLookup(lookup: Lookup = systemLookup): LookupFunction {
  return (hostname, { all, family, hints }, callback) => {
    const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family
    const options = { all: true, family: wanted, hints } as const
    lookup(hostname, options, (error, addresses) => {
      const other = error ? undefined : addresses.find(({ address }) => !isPublicAddress(address))
      const fault = error ?? (other && notPublic(hostname, other.address))
      if (fault) return callback(fault, [])
      if (all) return callback(null, addresses)
      callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  }
}

/** @param address the address that the name resolves to, if the host is a name */
export function notPublic(hostname: string, address?: string): NodeJS.ErrnoException {
  const where = address === undefined || address === hostname ? hostname : `${hostname} (${address})`
  return errorWith(NOT_PUBLIC, `${where} isn't a public address`)
}
