/**
 * Which HTTP headers pass through the proxy (rule 11): all but those of a single connection (RFC 9110 section 7.6.1), in
 * their order and with their case.
 */
import type { IncomingRelayRequest } from './relay-request.ts'

export type Header = [name: string, value: string]

const HOP_BY_HOP = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|http2-settings|proxy-.*)$/
/** Headers that the relay sets itself, or that are meant for it. */
const RELAYS_OWN = /^(?:content-length|expect|host|periscope-.*)$/

/** Without the headers of the connection, and without those that its `Connection` headers name. */
export function forwardedHeaders(headers: readonly (readonly [string, string])[]): Header[] {
  // A set, because searching a long array for each header could block the proxy for a second.
  const named = new Set(
    headers.flatMap(([name, value]) =>
      name.toLowerCase() === 'connection' ? value.toLowerCase().split(/[\s,]+/) : [],
    ),
  )
  return headers.flatMap(([name, value]): Header[] => {
    const lower = name.toLowerCase()
    return HOP_BY_HOP.test(lower) || named.has(lower) ? [] : [[name, value]]
  })
}

/** The headers of a relayed request: the connection's own, followed by the page's. */
export function relayedHeaders({ request, target, length }: IncomingRelayRequest): Header[] {
  const forwarded = forwardedHeaders(request.headers).filter(([name]) => !RELAYS_OWN.test(name.toLowerCase()))
  const has = (wanted: string): boolean => forwarded.some(([name]) => name.toLowerCase() === wanted)
  const headers: Header[] = [
    ['Host', target.host],
    // Not `close`: a server that responds before reading the whole body would reset the connection and lose the response.
    ['Connection', 'keep-alive'],
  ]
  if (length === undefined) headers.push(['Transfer-Encoding', 'chunked'])
  else if (length > 0 || /^(post|put|patch)$/i.test(request.method)) headers.push(['Content-Length', String(length)])
  // Uncompressed bodies need no decoding and keep the server's chunks.
  if (!has('accept-encoding')) headers.push(['Accept-Encoding', 'identity'])
  // Some hosts reject requests without a User-Agent.
  if (!has('user-agent')) headers.push(['User-Agent', `mcp-periscope/${__VERSION__}`])
  return [...headers, ...forwarded]
}

/**
 * The same for HTTP/2: names in lower case, without those of an HTTP/1.1 connection, and `:authority` instead of `Host`
 * (RFC 9113 section 8.2). Node sends some names only once, so values of one name are joined (RFC 9110 section 5.3).
 */
export function http2Headers(headers: readonly (readonly [string, string])[]): Header[] {
  const joined = new Map<string, string>()
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    if (HOP_BY_HOP.test(lower) || lower === 'host') continue
    // Whitespace around a value isn't part of it, and HTTP/2 forbids it there.
    const text = value.replace(/^[ \t]+|[ \t]+$/g, '')
    const before = joined.get(lower)
    joined.set(lower, before === undefined ? text : `${before}${lower === 'cookie' ? '; ' : ', '}${text}`)
  }
  return [...joined]
}

/** The pairs of Node's flat list `rawHeaders`. */
export const pairs = (raw: readonly string[]): Header[] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!])
