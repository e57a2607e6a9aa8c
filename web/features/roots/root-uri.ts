/**
 * URIs of roots: their problems, and the conversion of paths. Paths aren't checked on disk, because a page has no
 * access.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots
 * @see https://www.rfc-editor.org/rfc/rfc8089
 */
import { parsedUrl } from '../../mcp/url.ts'

export type RootFault =
  | 'empty'
  | 'path'
  | 'no-uri'
  | 'scheme'
  | 'slashes'
  | 'host'
  | 'drive'
  | 'backslash'
  | 'characters'
  | 'percent'
  | 'hidden-separator'
  | 'traversal'
  | 'dot'
  | 'query'
  | 'whole-disk'
  | 'twice'
  | 'too-long'

export interface RootFinding {
  readonly code: RootFault
  /** Rule ID in web/lint/requirements.json, or an RFC. */
  readonly rule: string
  /** `MUST`: servers may reject or misread it. `SHOULD`: it may be intentional. */
  readonly keyword: 'MUST' | 'SHOULD'
  readonly found?: string
}

/** Longest URI, in characters. */
export const LONGEST_URI = 2000

/** All problems of a URI, from left to right; empty if it is valid. */
export const lookAtRoot = (uri: string): RootFinding[] => {
  if (uri.trim() === '') return [{ code: 'empty', rule: 'CF-ROOT-02', keyword: 'MUST' }]
  if (/^(?:[/\\~]|\.{1,2}(?:[/\\]|$)|[a-z]:(?:[/\\]|$))/i.test(uri))
    return [{ code: 'path', rule: 'CF-ROOT-02', keyword: 'MUST' }]
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(uri)?.[1]
  if (scheme === undefined) return [{ code: 'no-uri', rule: 'CF-ROOT-02', keyword: 'MUST' }]
  if (scheme.toLowerCase() !== 'file')
    return [{ code: 'scheme', rule: 'CF-ROOT-02', keyword: 'MUST', found: scheme.slice(0, 60) }]
  const findings: RootFinding[] = []
  const find = (code: RootFault, rule: string, keyword: RootFinding['keyword'], found?: string) =>
    findings.push({ code, rule, keyword, ...(found === undefined ? {} : { found: found.slice(0, 100) }) })
  if (uri.length > LONGEST_URI) find('too-long', 'CF-ROOT-02', 'MUST', String(uri.length))

  const rest = uri.slice(scheme.length + 1)
  const authority = /^\/\/([^/?#\\]*)/.exec(rest)?.[1]
  if (authority === undefined) find('slashes', 'CF-ROOT-02', 'MUST')
  else if (/^[a-z][:|]$/i.test(authority)) find('drive', 'RFC 8089', 'MUST', authority)
  else if (authority !== '' && authority.toLowerCase() !== 'localhost') find('host', 'RFC 8089', 'SHOULD', authority)

  const after = authority === undefined ? rest : rest.slice(2 + authority.length)
  const cut = after.search(/[?#]/)
  const path = cut < 0 ? after : after.slice(0, cut)
  if (cut >= 0) find('query', 'RFC 8089', 'MUST', after[cut])
  if (path.includes('\\')) find('backslash', 'RFC 3986', 'MUST')
  if (/^\/[a-z]\|/i.test(path)) find('drive', 'RFC 8089', 'MUST', path.slice(1, 3))
  const odd =
    /[^\w\-.~!$&'()*+,;=:@%/\\?#|]/u.exec(path)?.[0] ?? (/^\/[a-z]\|/i.test(path) ? undefined : /\|/.exec(path)?.[0])
  if (odd !== undefined) find('characters', 'RFC 3986', 'MUST', odd)
  const bad = /%(?![\da-f]{2})/i.exec(path)
  if (bad) find('percent', 'RFC 3986', 'MUST', path.slice(bad.index, bad.index + 3))
  else if (decoded(path) === undefined) find('percent', 'RFC 3986', 'MUST', 'UTF-8')
  const hidden = /%(?:2f|5c|00)/i.exec(path)?.[0]
  if (hidden !== undefined) find('hidden-separator', 'CF-ROOT-05', 'MUST', hidden)
  const segments = path.split(/[/\\]|%2f|%5c/i).map((segment) => segment.replace(/%2e/gi, '.'))
  if (segments.includes('..')) find('traversal', 'CF-ROOT-05', 'MUST')
  if (segments.includes('.')) find('dot', 'CF-ROOT-05', 'SHOULD')
  if (
    /^\/*(?:[a-z](?::|%3a|\|)\/*)?$/i.test(path) &&
    !findings.some(({ code }) => code === 'drive' || code === 'host')
  ) {
    find('whole-disk', 'CF-ROOT-05', 'SHOULD')
  }
  return findings
}

/** The problems of each root in a list; repeated roots are also reported. */
export const lookAtRoots = (uris: readonly string[]): RootFinding[][] => {
  const seen = new Set<string>()
  return uris.map((uri) => {
    const findings = lookAtRoot(uri)
    const name = sameAs(uri)
    if (uri.trim() !== '' && seen.has(name)) findings.push({ code: 'twice', rule: 'CF-ROOT-02', keyword: 'SHOULD' })
    seen.add(name)
    return findings
  })
}

const sameAs = (uri: string): string => parsedUrl(uri)?.href.replace(/\/+$/, '') ?? uri

/** `home`: a page can't resolve ~. `relative`: needs a base directory. */
export type PathProblem = 'empty' | 'home' | 'relative' | 'not-file' | 'nul'

type Conversion = { readonly uri: string; readonly name: string } | { readonly problem: PathProblem }

/**
 * Converts a path, as copied from a terminal or file manager, to a URI; a URI stays unchanged. `.` and `..` are
 * resolved textually.
 * @param directory absolute, the base of relative paths
 */
export const rootFrom = (text: string, directory?: string): Conversion => {
  const path = unquoted(text.trim())
  if (path === '') return { problem: 'empty' }
  if (path.includes('\0')) return { problem: 'nul' }
  if (/^file:/i.test(path)) return { uri: path, name: nameOf(path) }
  if (/^[a-z][a-z\d+.-]+:/i.test(path)) return { problem: 'not-file' }
  if (/^~/.test(path)) return { problem: 'home' }
  const absolute = absoluteOf(path) ?? (directory === undefined ? undefined : absoluteOf(joined(directory, path)))
  if (!absolute) return { problem: 'relative' }
  const uri = `file://${absolute.host}/${absolute.segments.map(encode).join('/')}`
  return { uri, name: nameOf(uri) }
}

interface Absolute {
  /** '' except for `\\server\share`. */
  readonly host: string
  readonly segments: readonly string[]
}

const absoluteOf = (path: string): Absolute | undefined => {
  // \\?\C:\x and \\.\C:\x are long forms of C:\x.
  const plain = path.replace(/^[\\/]{2}[?.][\\/](?:UNC[\\/](?=[^\\/]))?/i, (prefix) =>
    /unc/i.test(prefix) ? '\\\\' : '',
  )
  if (/^[a-z]:(?:[\\/]|$)/i.test(plain)) {
    const [drive, ...segments] = plain.split(/[\\/]+/)
    return {
      host: '',
      segments: [drive!, ...resolved(segments), ...(segments.length === 0 || segments.join('') === '' ? [''] : [])],
    }
  }
  const share = /^\\\\([\w.-]+)[\\/]+(.+)$/s.exec(plain)
  if (share) return { host: share[1]!, segments: resolved(share[2]!.split(/[\\/]+/)) }
  return plain.startsWith('/') ? { host: '', segments: resolved(plain.split('/')) } : undefined
}

const joined = (directory: string, path: string): string =>
  /^(?:[a-z]:|\\\\)/i.test(directory) ? `${directory}\\${path}` : `${directory}/${path}`

const resolved = (segments: readonly string[]): string[] => {
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return kept
}

/** RFC 3986, section 3.3: characters allowed in a segment stay unchanged. */
const encode = (segment: string): string =>
  encodeURIComponent(segment.toWellFormed()).replace(/%(?:24|26|2B|2C|3B|3D|3A|40)/g, (code) =>
    decodeURIComponent(code),
  )

const unquoted = (text: string): string => /^(["'])([^]*)\1$/.exec(text)?.[2] ?? text

/** The last segment of the path, decoded; '' if there is none. */
export const nameOf = (uri: string): string => {
  const last =
    uri
      .replace(/[/\\]+$/, '')
      .split(/[/\\]/)
      .at(-1) ?? ''
  return /^file:?$/i.test(last) ? '' : (decoded(last) ?? last).slice(0, 100)
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
