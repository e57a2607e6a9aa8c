/** The well-known URLs of metadata (RFC 8414, RFC 9728, OpenID Connect Discovery), and the resource identifier (RFC 8707). */

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
