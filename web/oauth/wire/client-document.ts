/**
 * Our client id metadata document (AU-REG-02, AU-REG-03; draft-ietf-oauth-client-id-metadata-document-00): a file
 * whose URL is our client id, which any authorization server may read instead of registering us.
 *
 * It must contain its own URL, which depends on where the page is hosted: `PERISCOPE_BASE=https://… npm run build`
 * writes it. Otherwise `public/oauth/client.json` is a template, which the page doesn't use. A copy on this machine
 * can't use a document at all, because authorization servers can't read it.
 *
 * `flow/steps/registration.ts` decides whether a sign-in uses it. Only imports `mcp/url.ts`, because the build uses
 * it too.
 */
import { parsedUrl } from '../../mcp/url.ts'

/** The file, relative to the page's directory. */
const FILE = 'oauth/client.json'
const CALLBACK = 'oauth/callback.html'
/** Used in the template. This domain can't be registered (RFC 6761 section 6.4). */
const TEMPLATE_BASE = 'https://periscope.invalid/'
/** Bytes that an authorization server should accept (section 6.6). */
const LARGEST = 5 * 1024

interface ClientDocument {
  readonly client_id: string
  readonly client_name: string
  readonly client_uri: string
  readonly logo_uri: string
  readonly redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly token_endpoint_auth_method: 'none'
  readonly application_type: 'web'
}

/** The URL of the document for the page in this directory. @param base ends in a slash */
export const clientDocumentUrlOf = (base: string): string => new URL(FILE, base).href

/**
 * The document that a copy of the page in this directory must serve.
 * @param base URL of the directory, ending in a slash: `https://example.com/periscope/`
 * @throws {RangeError} the base isn't usable, with the reason
 */
export const clientDocumentFor = (base: string): ClientDocument => {
  const url = parsedUrl(base)
  if (!url) throw new RangeError(`${base} isn't a URL. Write the complete URL, such as https://example.com/periscope/`)
  if (url.protocol !== 'https:') throw new RangeError(`${base} isn't https, but a client ID must be (AU-REG-03)`)
  if (url.username !== '' || url.password !== '') throw new RangeError('The URL contains a user name or password')
  if (base.includes('?') || base.includes('#')) throw new RangeError(`${base} has a query or fragment. Remove it`)
  if (!url.pathname.endsWith('/')) throw new RangeError(`${base} isn't a folder. End it with a slash`)
  // Use the parsed form: a browser sends it as its own URL, and servers compare strings.
  const at = (path: string) => new URL(path, url).href
  return {
    client_id: at(FILE),
    client_name: 'Periscope',
    client_uri: url.href,
    logo_uri: at('icons/periscope.svg'),
    redirect_uris: [at(CALLBACK)],
    // AU-REG-09
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  }
}

/** The content of the file. */
export const clientDocumentText = (base: string = TEMPLATE_BASE): string =>
  `${JSON.stringify(clientDocumentFor(base), null, 2)}\n`

/** A problem of a document, or of its URL. */
export interface DocumentProblem {
  readonly code:
    /** It is this project's template: the copy was built without PERISCOPE_BASE. */
    | 'not-set-up'
    // the URL (section 3)
    | 'no-url'
    | 'not-https'
    | 'no-path'
    | 'dot-segment'
    | 'has-fragment'
    | 'has-credentials'
    // the document (section 4 and AU-REG-03)
    | 'not-an-object'
    | 'too-large'
    | 'client-id-differs'
    | 'no-client-name'
    | 'no-redirect-uris'
    /** AU-REG-10: it doesn't list the redirect URI in use. */
    | 'redirect-uri-missing'
    /** Grant or response types lack what a sign-in needs. */
    | 'no-authorization-code'
    /** A client with a public document can't have a shared secret (section 4.1). */
    | 'has-secret'
    | 'shared-secret-method'
  /** The value found, if it helps; truncated to 200 characters. */
  readonly found?: string
  readonly wanted?: string
}

/**
 * Whether an authorization server can accept this document for the client at this URL; empty: it can. `document` may be
 * anything, because a static host may respond with another page.
 *
 * @param url the client id: the URL of the document, as a string
 */
export const checkClientDocument = (document: unknown, url: string, redirectUri: string): DocumentProblem[] => {
  const problems = checkAddress(url)
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return [...problems, { code: 'not-an-object' }]
  }
  const fields = document as Readonly<Record<string, unknown>>
  const id = fields['client_id']
  if (id === clientDocumentUrlOf(TEMPLATE_BASE)) return [{ code: 'not-set-up' }]
  const say = (code: DocumentProblem['code'], found?: unknown, wanted?: string) =>
    problems.push({ code, found: found === undefined ? undefined : brief(found), wanted })

  const size = new TextEncoder().encode(JSON.stringify(document)).length
  if (size > LARGEST) say('too-large', size, `${LARGEST}`)
  // Simple string comparison (RFC 3986 section 6.2.1).
  if (id !== url) say('client-id-differs', id, url)
  if (typeof fields['client_name'] !== 'string' || fields['client_name'].trim() === '') say('no-client-name')
  const uris = fields['redirect_uris']
  if (!Array.isArray(uris) || uris.length === 0) say('no-redirect-uris', uris, redirectUri)
  else if (!uris.includes(redirectUri)) say('redirect-uri-missing', uris.join(' '), redirectUri)
  // RFC 7591 section 2: the defaults are authorization_code and code.
  const { grant_types: grants = ['authorization_code'], response_types: types = ['code'] } = fields
  if (!has(grants, 'authorization_code')) say('no-authorization-code', grants, 'authorization_code')
  else if (!has(types, 'code')) say('no-authorization-code', types, 'code')
  for (const name of ['client_secret', 'client_secret_expires_at']) if (name in fields) say('has-secret', name)
  // RFC 7591 section 2: the default is client_secret_basic.
  const { token_endpoint_auth_method: method = 'client_secret_basic' } = fields
  if (typeof method !== 'string' || method.startsWith('client_secret_')) say('shared-secret-method', method, 'none')
  return problems
}

const checkAddress = (url: string): DocumentProblem[] => {
  const found = brief(url)
  const parsed = parsedUrl(url)
  if (!parsed) return [{ code: 'no-url', found }]
  const { protocol, pathname, username, password } = parsed
  const problems: DocumentProblem[] = []
  const say = (code: DocumentProblem['code']) => problems.push({ code, found })
  if (protocol !== 'https:') say('not-https')
  if (pathname === '/') say('no-path')
  // Check the text, because parsing resolves dot segments.
  const path = url.replace(/^[^:]*:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '')
  if (path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) say('dot-segment')
  if (url.includes('#')) say('has-fragment')
  if (username !== '' || password !== '') say('has-credentials')
  return problems
}

const has = (list: unknown, wanted: string): boolean => Array.isArray(list) && list.includes(wanted)

const brief = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
