/** The well-known URLs of metadata (RFC 8414, RFC 9728, OpenID Connect Discovery), and the resource identifier (RFC 8707). */
import { parsedUrl } from '../../mcp/url.ts'

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

/**
 * Whether metadata that names `resource` is about the server (AU-PRM-05). `covers`: written differently, or a parent path
 * on the same origin, which isn't identical, but equivalent in meaning (AU-FLOW-05).
 * @param metadataUrl where the metadata was found
 */
export const describesResource = (
  resource: unknown,
  server: string,
  metadataUrl?: string,
): 'same' | 'covers' | undefined => {
  if (typeof resource !== 'string') return undefined
  const derived = metadataUrl === undefined ? undefined : resourceOf(metadataUrl)
  if ([server, canonicalResource(server), derived].includes(resource)) return 'same'
  const said = parsedUrl(resource)
  if (!said || resource.includes('#')) return undefined
  const own = new URL(canonicalResource(server))
  if (said.href === own.href) return 'covers'
  const isParent = said.search === '' && own.pathname.startsWith(said.pathname.replace(/\/?$/, '/'))
  return said.origin === own.origin && isParent ? 'covers' : undefined
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
