/**
 * A URL that a server asks the user to open, split so that the host can be highlighted, and what may be deceptive about
 * it. It is never fetched here (CF-URL-01); only `http` and `https` can be opened (SEC-04).
 */
import { parsedUrl } from '../../mcp/url.ts'
import { unicodeHost } from './punycode.ts'

export type AddressFault =
  /** Faults that prevent opening the URL. */
  | 'none'
  | 'invalid'
  | 'scheme'
  | 'too-long'
  /** Warnings: the URL can be opened, but deserves a second look. */
  | 'plain-http'
  | 'userinfo'
  | 'punycode'
  | 'mixed-script'
  | 'rewritten'
  | 'number-host'
  | 'private-host'
  | 'hidden-characters'
  | 'credential'
  | 'port'

export interface AddressFinding {
  readonly code: AddressFault
  /** Rule ID in web/lint/requirements.json. */
  readonly rule: string
  readonly keyword: 'MUST' | 'MUST NOT' | 'SHOULD'
  readonly found?: string
}

export interface Address {
  /** The complete URL as sent, with invisible characters written out. */
  readonly text: string
  /** The normalised URL to open; absent if it can't be opened. */
  readonly href?: string
  /** `href` in parts: before the host, subdomain, domain, after the host. */
  readonly parts?: readonly [before: string, subdomain: string, domain: string, after: string]
  /** The host in ASCII, with the port. */
  readonly host?: string
  /** The host in Unicode, if that differs. */
  readonly unicode?: string
  readonly findings: readonly AddressFinding[]
}

/** Longest URL that is examined, in characters. */
const LONGEST = 8000
/** Names of parameters that hold credentials. */
const CREDENTIAL =
  /^(?:access_?token|refresh_?token|id_?token|token|jwt|api_?key|secret|client_?secret|password|passwd|pwd|sig|signature|x-amz-signature|sessionid|session_?token)$/i
/** Invisible characters, and those that change the direction of the text around them. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}]/gu

/** Writes out invisible characters: `‹U+202E›`. */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (character) =>
    character === ' ' ? character : `‹U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`,
  )

export const readAddress = (sent: unknown): Address => {
  if (typeof sent !== 'string' || sent === '') {
    return { text: sent === undefined ? '' : JSON.stringify(sent).slice(0, 200), findings: [bad('none')] }
  }
  const text = visible(sent.slice(0, LONGEST))
  if (sent.length > LONGEST) return { text: `${text}…`, findings: [bad('too-long', String(sent.length))] }
  const url = parsedUrl(sent)
  if (!url) return { text, findings: [bad('invalid')] }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { text, findings: [{ code: 'scheme', rule: 'SEC-04', keyword: 'MUST', found: url.protocol.slice(0, 60) }] }
  }
  const unicode = unicodeHost(url.hostname)
  return {
    text,
    href: url.href,
    parts: partsOf(url),
    host: url.host,
    ...(unicode === url.hostname ? {} : { unicode: visible(unicode) }),
    findings: findingsOf(sent, url, unicode),
  }
}

const bad = (code: AddressFault, found?: string): AddressFinding => ({
  code,
  rule: 'CF-URL-02',
  keyword: 'MUST',
  ...(found === undefined ? {} : { found }),
})

const findingsOf = (sent: string, url: URL, unicode: string): AddressFinding[] => {
  const findings: AddressFinding[] = []
  const warn = (code: AddressFault, found?: string) =>
    findings.push({
      code,
      rule: 'CF-URL-02',
      keyword: 'SHOULD',
      ...(found === undefined ? {} : { found: visible(found).slice(0, 200) }),
    })
  const here = placeOf(url.hostname)
  if (url.username !== '' || url.password !== '') warn('userinfo', decodeURI(safe(url.username)))
  if (unicode !== url.hostname) warn('punycode', unicode)
  if (unicode.split('.').some(isMixed)) warn('mixed-script', unicode)
  if (url.protocol === 'http:' && here !== 'loopback') warn('plain-http')
  if (HIDDEN.test(sent)) warn('hidden-characters', sent)
  HIDDEN.lastIndex = 0
  const written = hostIn(sent)
  // 0x7f.1, full-width letters, a soft hyphen: the browser visits a different host than the one written.
  if (written !== undefined && written.toLowerCase() !== url.hostname && !equalsUnicode(written, unicode)) {
    warn('rewritten', `${written} → ${url.hostname}`)
  }
  if (/^[\d.]+$|^\[/.test(url.hostname) && here === 'public') warn('number-host', url.hostname)
  if (here !== 'public') warn('private-host', url.hostname)
  if (url.port !== '' && here === 'public') warn('port', url.port)
  const secret = [...url.searchParams.keys(), ...new URLSearchParams(url.hash.slice(1)).keys()].find((name) =>
    CREDENTIAL.test(name),
  )
  if (secret !== undefined) warn('credential', secret)
  return findings
}

/** The host as written, between `//` and its end. The last @ ends the user name. */
const hostIn = (sent: string): string | undefined => {
  const authority = /^\s*[a-z][a-z0-9+.-]*:[\\/]{2}([^/\\?#]*)/i.exec(sent)?.[1]
  return authority?.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')
}

const equalsUnicode = (written: string, unicode: string): boolean =>
  written.normalize('NFC').toLowerCase() === unicode.normalize('NFC')

const safe = (text: string): string => (/%(?![\da-f]{2})/i.test(text) ? text : text.replace(/%[89a-f][\da-f]/gi, '?'))

const LOOKALIKES = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee'].map(
  (name) => new RegExp(`\\p{Script=${name}}`, 'u'),
)

/** A label that mixes letters of scripts that look alike. */
const isMixed = (label: string): boolean => LOOKALIKES.filter((script) => script.test(label)).length > 1

const placeOf = (host: string): 'loopback' | 'private' | 'public' => {
  if (/^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)) return 'loopback'
  const isPrivate =
    /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.)/.test(host) ||
    /^\[(?:f[cd][\da-f]{2}|fe[89ab][\da-f]|::ffff):|^\[::\]$/.test(host) ||
    /(?:^[^.:[]+|\.(?:local|internal|lan|home\.arpa))\.?$/.test(host)
  return isPrivate ? 'private' : 'public'
}

/** Second-level labels under which registries assign names: `co.uk`, `com.au`. */
const SECOND_LEVEL = /^(?:ac|co|com|edu|gob|gov|go|mil|ne|net|nom|or|org)$/

/**
 * The registrable domain of a host, guessed from its shape: the last two labels, or three below `co.uk` and the like.
 * Used only to highlight it, because `bank.example.evil.test` belongs to `evil.test`.
 */
const partsOf = (url: URL): readonly [string, string, string, string] => {
  const { href, hostname } = url
  const from = href.indexOf(hostname, href.indexOf('//') + 2 + userinfoOf(url).length)
  const labels = hostname.split('.')
  const numeric = /^[\d.]+$|^\[/.test(hostname)
  const count = labels.length > 2 && labels.at(-1)!.length === 2 && SECOND_LEVEL.test(labels.at(-2)!) ? 3 : 2
  const domain = numeric ? hostname : labels.slice(-count).join('.')
  const cut = from + hostname.length - domain.length
  return [href.slice(0, from), href.slice(from, cut), domain, href.slice(from + hostname.length)]
}

const userinfoOf = ({ username, password }: URL): string =>
  username === '' && password === '' ? '' : password === '' ? `${username}@` : `${username}:${password}@`
