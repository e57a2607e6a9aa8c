/**
 * What an authorization server responds in a sign-in, compared with the request: client registration (RFC 7591 section
 * 3.2). Tokens: `sign-in-tokens.ts`.
 */
import { jsonIn } from '../../json/index.ts'
import type { HeaderList, Json, JsonObject } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { show } from '../rule.ts'
import { checkType, isInsecure, isStrings, objectOf, tokenTypesIn, type Note } from './sign-in-documents.ts'

/** One request of a step with its response. */
export interface Exchange {
  /** The body of the request, with its secrets masked. */
  readonly body: string
  /** The client authenticates in the header. */
  readonly basic: boolean
  /** AU-0326-03: the request has the header MCP-Protocol-Version. */
  readonly versioned: boolean
  status: number
  headers: HeaderList
  /** CORS may hide headers. */
  crossOrigin: boolean
}

/** What the last metadata of the authorization server says. */
export interface Offers {
  readonly methods?: readonly Json[] | undefined
  readonly grants?: readonly Json[] | undefined
  readonly modes?: readonly Json[] | undefined
  /** There is a registration endpoint; absent if no metadata was read. */
  readonly registers?: boolean
  /** The endpoints are guessed: there is no metadata (AU-0326-02). */
  readonly guessed?: boolean
}

/** A response of a server: its exchange, and its body as a JSON object; `undefined` if it isn't one. */
export interface Responded extends Exchange {
  readonly document: JsonObject | undefined
}

export const headerOf = (headers: HeaderList, name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1]

/** Without any header, a recording left them out. */
export const checkJson = ({ headers }: Exchange, rules: string | readonly string[], by: string, note: Note): void => {
  if (headers.length > 0) checkType(headerOf(headers, 'content-type'), rules, by, note)
}

export const isMissing = ({ status }: Pick<Exchange, 'status'>): boolean =>
  status === 404 || status === 405 || status === 410

type Endpoint = 'authorization' | 'token' | 'registration'

/** Where each is without metadata (AU-0326-02). */
const DEFAULTS: Readonly<Record<Endpoint, string>> = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
}

/**
 * AU-ASM-01: the metadata names an endpoint that doesn't exist. AU-0326-02: there is no metadata, and the default one
 * doesn't exist.
 */
export const missing = (
  name: Endpoint,
  { status }: Pick<Exchange, 'status'>,
  { guessed }: Offers,
  note: Note,
): void => {
  if (guessed) {
    const what = `Without metadata, ${DEFAULTS[name]} at the server's origin must be its ${name} endpoint`
    return note('AU-0326-02', `${what}; found HTTP ${status}`)
  }
  const rules = ['AU-ASM-01', 'RFC 8414 section 2', ...(name === 'registration' ? ['AU-REG-06'] : [])]
  note(rules, `The ${name}_endpoint in the metadata doesn't exist: HTTP ${status}`)
}

const REGISTERED = 'RFC 7591 section 3.2.1'
const REFUSED = 'RFC 7591 section 3.2.2'
const METADATA = 'RFC 7591 section 2'
const FORM = ['AU-REG-06', REGISTERED, METADATA]
const REFUSAL = ['AU-REG-06', REFUSED]

/** AU-REG-06, AU-REG-07, AU-REG-09, AU-REG-10, AU-REG-11, AU-FLOW-13. */
export const registration = (response: Responded, offers: Offers, note: Note): void => {
  const { status, document, body } = response
  const asked = objectOf(jsonIn(body))
  if (status >= 400) return refusedRegistration(response, asked, offers, note)
  if (!document) return
  checkJson(response, FORM, REGISTERED, note)
  if (typeof document.error === 'string' && document.client_id === undefined) {
    return note(REFUSAL, `The error ${show(document.error)} came with HTTP ${status}; expected 400 (${REFUSED})`)
  }
  if (asked) compared(asked, document, offers, note)
  const { redirect_uris: uris, token_endpoint_auth_method: method } = document
  if (typeof method === 'string' && offers.methods && !offers.methods.includes(method)) {
    note(
      ['AU-FLOW-13', METADATA, 'RFC 8414 section 2'],
      `The server registered ${show(method)}, which its metadata doesn't list`,
    )
  }
  const odd = Array.isArray(uris)
    ? (uris as readonly Json[]).slice(0, 100).find((each) => typeof each === 'string' && isInsecure(each))
    : undefined
  if (odd !== undefined)
    note(['AU-REG-11', METADATA], `Redirect URIs must be https or on this machine; found ${show(odd)}`)
  members(document, note)
  consistent(document, asked ?? {}, note)
  managed(document, note)
  secrets(document, note)
  if (document.client_secret !== undefined || document.registration_access_token !== undefined) {
    // RFC 7591 doesn't repeat it.
    checkCache(response, 'this registration response', note, 'MAY')
  }
}

/** Whether the implicit grant has its response type, and who wanted it. For the code grant, see `compared`. */
const consistent = (
  { grant_types: grants, response_types: types }: JsonObject,
  { response_types: asked }: JsonObject,
  note: Note,
): void => {
  if (!isStrings(types) || !types.includes('code')) return
  const [has, may] = [tokenTypesIn(types), isStrings(grants) && grants.includes('implicit')]
  if (isStrings(grants) && has.length > 0 !== may) {
    const what = may ? 'response_types lacks token beside' : 'response_types has token without'
    return note([INCONSISTENT, 'AU-REG-06'], `${what} the grant implicit (${INCONSISTENT})`, 'SHOULD')
  }
  const added = isStrings(asked) ? has.find((each) => !asked.includes(each)) : undefined
  if (added === undefined) return
  const what = `The server registered the response type ${show(added)}, which the client didn't request`
  // The server may replace what was requested (RFC 7591 section 3.2.1), and the client doesn't have to use it.
  note([IN_URLS, 'AU-REG-06'], `${what} (${IN_URLS})`, 'MAY')
}

const IN_URLS = 'RFC 9700 section 2.1.2'
const INCONSISTENT = 'RFC 7591 section 2.1'
const MANAGED = 'RFC 7592 section 3'

/** RFC 7592 section 3: a client that can manage its registration knows where, and has a token for it. */
const managed = (document: JsonObject, note: Note): void => {
  const { registration_client_uri: uri, registration_access_token: token } = document
  if ((uri === undefined) !== (token === undefined)) {
    const [has, lacks] = uri === undefined ? ['access_token', 'client_uri'] : ['client_uri', 'access_token']
    note([MANAGED, ...FORM], `The response has registration_${has} but lacks registration_${lacks} (${MANAGED})`)
  }
  if (typeof uri === 'string' && !parsedUrl(uri)) {
    note([MANAGED, ...FORM], `registration_client_uri must be an absolute URL (${MANAGED}); found ${show(uri)}`)
  } else if (typeof uri === 'string' && isInsecure(uri)) {
    note(['AU-ASM-07', MANAGED], `registration_client_uri must be https (${MANAGED}); found ${show(uri)}`)
  }
}

/** RFC 6749 section 5.1, of every response with tokens or credentials. Pages see this header of every origin. */
export const checkCache = ({ headers }: Exchange, what: string, note: Note, keyword: 'MUST' | 'MAY' = 'MUST'): void => {
  if (headers.length === 0) return
  const cache = headerOf(headers, 'cache-control')
  if (/(^|[\s,])no-store([\s,]|$)/i.test(cache ?? '')) return
  const must = 'Cache-Control must be no-store'
  note(['RFC 6749 section 5.1', 'AU-TOK-01'], `Caches may store ${what}: ${must} (RFC 6749 section 5.1); found ${show(cache)}`, keyword) // prettier-ignore
}

/** RFC 7591 section 2: the metadata that is a string. */
const TEXTS = [
  ...['scope', 'client_name', 'client_uri', 'logo_uri', 'tos_uri', 'policy_uri', 'jwks_uri', 'software_id'],
  ...['software_version', 'token_endpoint_auth_method', 'registration_access_token', 'registration_client_uri'],
]

/** A member without a value is left out: many clients reject null. */
const members = (document: JsonObject, note: Note): void => {
  for (const name of TEXTS) {
    const value = document[name]
    if (value === undefined || typeof value === 'string') continue
    note(FORM, `${name} must be a string (${METADATA}); found ${show(value)}`)
  }
  const { client_id: id, contacts, jwks } = document
  if (contacts !== undefined && !isStrings(contacts)) {
    note(FORM, `contacts must be an array of strings (${METADATA}); found ${show(contacts)}`)
  }
  if (jwks !== undefined && !objectOf(jwks)) note(FORM, `jwks must be an object (${METADATA}); found ${show(jwks)}`)
  if (jwks !== undefined && document.jwks_uri !== undefined) {
    note(FORM, `The response has both jwks and jwks_uri; expected one of them (${METADATA})`)
  }
  if (typeof id === 'string' && !/^[\x20-\x7e]+$/.test(id)) {
    note(
      [...FORM, 'RFC 6749 appendix A.1'],
      `client_id must be printable ASCII (RFC 6749 appendix A.1); found ${show(id)}`,
    )
  }
}

/** Metadata that every client has: without it, a default applies, or nothing. */
const REGISTERED_METADATA = ['redirect_uris', 'grant_types', 'response_types', 'token_endpoint_auth_method']

/** The rules about a member: a row of its own comes first. */
const formOf = (name: string): string[] =>
  name === 'redirect_uris'
    ? ['AU-REG-10', ...FORM]
    : [...FORM, ...(name === 'token_endpoint_auth_method' ? ['AU-FLOW-13'] : [])]

const compared = (asked: JsonObject, document: JsonObject, { grants }: Offers, note: Note): void => {
  const lacks = REGISTERED_METADATA.filter((name) => asked[name] !== undefined && document[name] === undefined)
  for (const name of lacks) {
    note(formOf(name), `The response lacks ${name}; it must contain all registered metadata (${REGISTERED})`)
  }
  for (const name of ['redirect_uris', 'grant_types', 'response_types']) {
    const value = document[name]
    if (value !== undefined && !isStrings(value)) {
      note(formOf(name), `${name} must be an array of strings (${METADATA}); found ${show(value)}`)
    }
  }
  const { application_type: type, grant_types: types, response_types: responses } = document
  if (asked.application_type !== undefined && type !== undefined && type !== asked.application_type) {
    const what = `The client registered as ${show(asked.application_type)}; the response says ${show(type)}`
    note('AU-REG-07', what, 'SHOULD')
  }
  const wants = isStrings(asked.grant_types) && asked.grant_types.includes('refresh_token')
  if (wants && isStrings(types) && !types.includes('refresh_token') && grants?.includes('refresh_token')) {
    note('AU-REG-09', 'The response leaves refresh_token out of grant_types, but the metadata supports it', 'SHOULD')
  }
  if (isStrings(types) && types.length > 0 && !types.includes('authorization_code') && isStrings(asked.grant_types)) {
    note(FORM, `The response leaves authorization_code out of grant_types, which the client needs (${METADATA})`)
  }
  if (isStrings(responses) && responses.length > 0 && !responses.includes('code')) {
    note(FORM, `The response leaves code out of response_types, which the client needs (${METADATA})`)
  }
}

/** Rate limits and gateways, which know no OAuth. */
export const OF_HTTP = new Set([429, 502, 503, 504])

/** Before MCP existed, in seconds: no secret of a new client can have expired then. */
const LONG_AGO = Date.UTC(2024, 10) / 1000

/** Seconds: smaller values are lifetimes, larger ones are milliseconds. */
const [LEAST_TIME, MOST_TIME] = [315_360_000, 100_000_000_000]

const secrets = (document: JsonObject, note: Note): void => {
  const { client_secret: secret, client_secret_expires_at: expires, client_id_issued_at: issued } = document
  if (secret !== undefined && typeof secret !== 'string') {
    note(FORM, `client_secret must be a string (${REGISTERED}); found ${show(secret)}`)
  }
  if (secret !== undefined && expires === undefined) {
    note(FORM, `client_secret requires client_secret_expires_at, 0 if it doesn't expire (${REGISTERED})`)
  }
  for (const [name, value] of Object.entries({ client_secret_expires_at: expires, client_id_issued_at: issued })) {
    if (value === undefined) continue
    const isSeconds = typeof value === 'number' && value >= 0
    if (!isSeconds) note(FORM, `${name} must be a number of seconds (${REGISTERED}); found ${show(value)}`)
    else if (value > 0 && (value < LEAST_TIME || value > MOST_TIME)) {
      const found = value > MOST_TIME ? 'milliseconds' : 'a lifetime'
      note(FORM, `${name} must be a time in seconds since 1970 (${REGISTERED}); found ${found}: ${value}`)
    }
  }
  if (document.token_endpoint_auth_method === 'none' && typeof secret === 'string') {
    const what = 'The response has a client_secret, but a client registered with "none" has none'
    note([...FORM, 'AU-FLOW-13'], `${what} (${METADATA})`, 'MAY')
  }
  if (typeof expires !== 'number' || expires < LEAST_TIME) return
  const since = typeof issued === 'number' ? issued : LONG_AGO
  if (expires < since)
    note(FORM, `client_secret_expires_at lies in the past (${REGISTERED}); found ${expires}`, 'SHOULD')
}

/** RFC 7591 section 3.2.2, and what protected endpoints and full servers respond. */
const REGISTRATION_ERRORS = new Set([
  ...['invalid_redirect_uri', 'invalid_client_metadata', 'invalid_software_statement', 'unapproved_software_statement'],
  ...['invalid_request', 'invalid_token', 'access_denied', 'unauthorized_client', 'invalid_client', 'invalid_scope'],
  ...['server_error', 'temporarily_unavailable'],
])

/** Says the server of registration, rather than of a value in the request. */
const SWITCHED_OFF =
  /registration[^.]{0,40}\b(disabled|deactivated|switched off|turned off|not (enabled|supported|available|implemented))\b/i

/** @param words the error, which names a member of the request */
const listedButRejected = (asked: JsonObject, words: string, { methods, grants }: Offers, note: Note): void => {
  for (const [name, offered] of Object.entries({ token_endpoint_auth_method: methods, grant_types: grants })) {
    const values = [asked[name]].flat().filter((each) => each !== undefined)
    if (!words.includes(name) || !offered || values.length === 0) continue
    if (!values.every((each) => offered.includes(each))) continue
    const what = `The server rejects ${name}, but its metadata lists each value in the request (RFC 8414 section 2)`
    note(['AU-FLOW-13', 'AU-REG-06', 'RFC 8414 section 2', METADATA], what)
  }
}

const refusedRegistration = (response: Responded, asked: JsonObject | undefined, offers: Offers, note: Note): void => {
  const { guessed } = offers
  const { status, document } = response
  if (isMissing(response)) {
    // The step itself stops for this reason.
    if (!guessed) missing('registration', response, offers, note)
    return
  }
  const error = document?.error
  if (typeof error !== 'string' || error === '') {
    // Registration may require a token of its own (RFC 7591 section 3).
    if (OF_HTTP.has(status) || status === 401 || status === 403) return
    note(REFUSAL, `HTTP ${status} without a JSON object that has an error (${REFUSED})`)
    return
  }
  checkJson(response, REFUSAL, REFUSED, note)
  if (/^invalid_(redirect_uri|client_metadata|software_statement)$/.test(error) && status !== 400) {
    note([REFUSED, 'AU-REG-06', 'AU-REG-08'], `HTTP ${status} with the error ${show(error)}; expected 400 (${REFUSED})`)
  }
  if (status === 400 && !REGISTRATION_ERRORS.has(error)) {
    note(REFUSAL, `The error ${show(error)} isn't one of registrations (${REFUSED})`, 'SHOULD')
  }
  const described = document?.error_description
  if (typeof described === 'string' && !/^[\x20-\x7e\s]*$/.test(described)) {
    note(REFUSAL, `error_description must be ASCII (${REFUSED}); found ${show(described)}`)
  }
  const words = `${error} ${typeof document?.error_description === 'string' ? document.error_description : ''}`
  if (SWITCHED_OFF.test(words)) {
    const what = 'The metadata names a registration_endpoint, but the server says that it is switched off'
    if (!guessed) note(['AU-REG-06', 'RFC 8414 section 2', REFUSED], `${what}: ${show(error)}`, 'SHOULD')
  }
  listedButRejected(asked ?? {}, words, offers, note)
  // A refused value, such as "web", may be a decision of the server.
  if (asked?.application_type !== undefined && /application_type/.test(words) && !/\b(web|native)\b/.test(words)) {
    const what = 'The server rejects application_type; unknown metadata must be ignored'
    note(['AU-REG-07', ...FORM], `${what} (${METADATA})`)
  }
}
