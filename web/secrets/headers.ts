/** Values of HTTP headers that are secrets, in what was sent and in what came back (SEC-15, TR-HTTP-30). */
import { maskOf, wasMasked } from './mask.ts'
import { isSecretName } from './secret-name.ts'

type Header = readonly [name: string, value: string]

/** A capability to act in someone's session, yet needed to find it in a server's log: its first eight characters stay. */
const SESSION = /^mcp-session-id$/i

/**
 * Headers that have a meaning in HTTP or MCP whoever sets them. Every other header that a user gives a connection may be
 * how a server knows its user.
 */
const PROTOCOL =
  /^(?:accept(?:-(?:charset|encoding|language))?|content-(?:type|length|encoding|language)|cache-control|connection|expect|host|last-event-id|mcp-(?:session-id|protocol-version|method|name)|origin|pragma|range|referer|te|trace(?:parent|state)|transfer-encoding|upgrade(?:-insecure-requests)?|user-agent|via)$/i

/** What a user typed as its value is a secret, whatever the header is called. */
export const isSecretHeader = (name: string): boolean => !PROTOCOL.test(name)

/** Masks values that are secrets by the name of their header. */
export const maskHeaders = (headers: Iterable<Header>): Header[] =>
  Array.from(headers, ([name, value]) => {
    if (SESSION.test(name) && value.length > 12) {
      return [name, `${value.slice(0, 8)}… (${value.length} characters)`] as const
    }
    return isSecretName(name, 'header') || /secret|password/i.test(name)
      ? maskHeader(name, value)
      : ([name, value] as const)
  })

/** The scheme of a credential stays: `Bearer •••• (40 characters)`. */
export const maskHeader = (name: string, value: string): Header => {
  const scheme = /^[A-Za-z]+ (?=\S)/.exec(value)?.[0] ?? ''
  if (value === '' || wasMasked(value, scheme.length)) return [name, value]
  return [name, `${scheme}${maskOf(value.length - scheme.length)}`]
}
