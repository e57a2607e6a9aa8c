/**
 * An address that a server wants its user to open: taken apart, so that the host can be seen, with all that may mislead.
 * It is never fetched here (CF-URL-01); only `http` and `https` can be opened (SEC-04).
 */
import { parsedUrl } from '../../mcp/url.ts'
import { unicodeHost } from './punycode.ts'

export type AddressFault =
  /** It cannot be opened. */
  | 'none'
  | 'invalid'
  | 'scheme'
  | 'too-long'
  /** It can, and its user should look twice. */
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
  /** A row of the checklist. */
  readonly rule: string
  readonly keyword: 'MUST' | 'MUST NOT' | 'SHOULD'
  readonly found?: string
}

export interface Address {
  /** As sent, whole; what cannot be seen in it is written out. */
  readonly text: string
  /** What is opened, as the browser writes it; absent where it cannot be. */
  readonly href?: string
  /** `href` in parts: all before the host, the host in front of the domain, the domain, all after it. */
  readonly parts?: readonly [before: string, subdomain: string, domain: string, after: string]
  /** Where it leads, in ASCII, with the port. */
  readonly host?: string
  /** The host as people read it, where that differs. */
  readonly unicode?: string
  readonly findings: readonly AddressFinding[]
}

/** Characters. */
const LONGEST = 8000
/** Names of parameters that hold what grants access. */
const CREDENTIAL =
  /^(?:access_?token|refresh_?token|id_?token|token|jwt|api_?key|secret|client_?secret|password|passwd|pwd|sig|signature|x-amz-signature|sessionid|session_?token)$/i
/** Cannot be seen, or turn around what stands beside them. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}]/gu

/** Writes out what cannot be seen: `‹U+202E›`. */
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
  // 0x7f.1, full-width letters, a soft hyphen: the browser visits something else than what is written.
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

/** The host as it was written, between `//` and what ends it; the last @ ends the name before it. */
const hostIn = (sent: string): string | undefined => {
  const authority = /^\s*[a-z][a-z0-9+.-]*:[\\/]{2}([^/\\?#]*)/i.exec(sent)?.[1]
  return authority?.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')
}

const equalsUnicode = (written: string, unicode: string): boolean =>
  written.normalize('NFC').toLowerCase() === unicode.normalize('NFC')

const safe = (text: string): string => (/%(?![\da-f]{2})/i.test(text) ? text : text.replace(/%[89a-f][\da-f]/gi, '?'))

/** Letters of scripts that look alike, in one label. */
const isMixed = (label: string): boolean =>
  [
    /\p{Script=Latin}/u,
    /\p{Script=Cyrillic}/u,
    /\p{Script=Greek}/u,
    /\p{Script=Armenian}/u,
    /\p{Script=Cherokee}/u,
  ].filter((script) => script.test(label)).length > 1

const placeOf = (host: string): 'loopback' | 'private' | 'public' => {
  if (/^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)) return 'loopback'
  const isPrivate =
    /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.)/.test(host) ||
    /^\[(?:f[cd][\da-f]{2}|fe[89ab][\da-f]|::ffff):|^\[::\]$/.test(host) ||
    /(?:^[^.:[]+|\.(?:local|internal|lan|home\.arpa))\.?$/.test(host)
  return isPrivate ? 'private' : 'public'
}

/** Registries that give out names at the second level: `co.uk`, `com.au`. */
const SECOND_LEVEL = /^(?:ac|co|com|edu|gob|gov|go|mil|ne|net|nom|or|org)$/

/**
 * The part of a host that somebody registered, as far as its shape tells: the last two labels, three below `co.uk` and the
 * like. Only to draw the eye there, because `bank.example.evil.test` belongs to `evil.test`.
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
