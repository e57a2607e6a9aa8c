/** What prevents a sign-in before it begins: the metadata of the server that requires it (RFC 9728). */
import type { MetadataResponse } from '../../doctor/index.ts'
import { jsonIn } from '../../json/index.ts'
import { isObject } from '../../mcp/index.ts'
import { describesResource } from '../../oauth/index.ts'

export type MetadataFault =
  /** The challenge names this URL, where nothing is. */
  | { readonly is: 'missing'; readonly url: string; readonly status: number }
  /** The challenge names this URL, which responds with something else, such as a page of a web app. */
  | { readonly is: 'not-json'; readonly url: string; readonly contentType: string }
  /** The metadata describes another resource. */
  | { readonly is: 'other-resource'; readonly found: string; readonly expected: string }
  | { readonly is: 'no-servers' }
  /** The challenge names this URL, which gives the page no response. `unreachable`: nor the local proxy. */
  | { readonly is: 'unread' | 'unreachable'; readonly url: string }

/**
 * @param named the challenge names the URL. Elsewhere, metadata may be missing, and many servers respond to every URL with a page
 */
export const metadataFault = (
  { url, status, contentType = '', body, unread, relayed }: MetadataResponse,
  server: string,
  named: boolean,
): MetadataFault | undefined => {
  if (unread) return named ? { is: relayed ? 'unreachable' : 'unread', url } : undefined
  if (status === undefined || body === undefined) return undefined
  if (status === 404 || status === 410) return named ? { is: 'missing', url, status } : undefined
  if (status !== 200) return undefined
  const document = jsonIn(body)
  if (!isObject(document)) return named ? { is: 'not-json', url, contentType } : undefined
  const { resource, authorization_servers: servers } = document
  // A masked URL can't be compared.
  if (describesResource(resource, server, url.includes('•') ? undefined : url) === undefined)
    return typeof resource === 'string'
      ? { is: 'other-resource', found: resource.slice(0, 300), expected: server }
      : undefined
  return Array.isArray(servers) && servers.length > 0 ? undefined : { is: 'no-servers' }
}
