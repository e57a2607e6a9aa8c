/** Masks of secrets: what replaces one, and which HTTP headers get it. */
import { isReferences } from './env-references.ts'
import { isHeaderOfSecret } from './secret-names.ts'

/**
 * @param length UTF-16 units of the decoded secret. A longer number is cut off, so that a secret made of digits can't hide
 *   in a mask.
 */
export const maskOf = (length: number): string => `•••• (${length > 99_999 ? '99999+' : length} characters)`

/** As recorded, or as a page in Chinese shows it, from where it may have been copied. */
const MASK = /•••• \(\d{1,5}\+? (?:characters|个字符)\)/

const BEGINS = new RegExp(`^${MASK.source}`)

/** Whether it is already masked. What follows the mask is left alone: another secret may have ended there. */
export const wasMasked = (text: string, at = 0): boolean =>
  text.startsWith('••••', at) && BEGINS.test(text.slice(at, at + 32))

/** @returns UTF-16 units of the secret, if the whole text is a mask that states them exactly */
export const maskedLength = (text: string): number | undefined => {
  const [, length] = /^•••• \((\d{1,5}) characters\)$/.exec(text) ?? []
  return length === undefined ? undefined : Number(length)
}

/** The spans of masks, in order: their content is already masked and is left alone. */
export const masksIn = (text: string): readonly (readonly [from: number, to: number])[] =>
  text.includes('••••')
    ? Array.from(text.matchAll(new RegExp(MASK, 'g')), ({ 0: mask, index }) => [index, index + mask.length] as const)
    : []

// Masks secret values of HTTP headers, both sent and received (SEC-15, TR-HTTP-30). `redaction-rules.ts` lists the
// names that count as secret.

type Header = readonly [name: string, value: string]

/**
 * It allows acting in the session, but is needed to find the session in a server's log, so its first eight characters
 * stay.
 */
const SESSION = /^mcp-session-id$/i

/**
 * Headers with a fixed meaning in HTTP or MCP. Any other header that a user adds may be how the server authenticates
 * its user.
 */
const PROTOCOL =
  /^(?:accept(?:-(?:charset|encoding|language))?|content-(?:type|length|encoding|language)|cache-control|connection|expect|host|last-event-id|mcp-(?:session-id|protocol-version|method|name)|origin|pragma|range|referer|te|trace(?:parent|state)|transfer-encoding|upgrade(?:-insecure-requests)?|user-agent|via)$/i

/** Whether a value that the user typed for this header is a secret: true for every non-standard header. */
export const isSecretHeader = (name: string): boolean => !PROTOCOL.test(name)

/** Masks values whose header name marks them as secrets. */
export const maskHeaders = (headers: Iterable<Header>): Header[] =>
  Array.from(headers, ([name, value]) => {
    if (SESSION.test(name) && value.length > 12) {
      // A character that no session ID may have stays visible, wherever it is (TR-HTTP-29).
      return [name, value.replace(/^(.{8})[!-~]*(.?).*/s, `$1$2… (${value.length} characters)`)] as const
    }
    return isHeaderOfSecret(name) || /secret|password/i.test(name) ? maskHeader(name, value) : ([name, value] as const)
  })

/** The authentication scheme stays: `Bearer •••• (40 characters)`. */
export const maskHeader = (name: string, value: string): Header => {
  const scheme = /^[A-Za-z]+ (?=\S)/.exec(value)?.[0] ?? ''
  if (value === '' || wasMasked(value, scheme.length) || isReferences(value)) return [name, value]
  return [name, `${scheme}${maskOf(value.length - scheme.length)}`]
}
