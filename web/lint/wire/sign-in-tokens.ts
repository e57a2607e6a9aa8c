/** Token responses and refreshes (RFC 6749 sections 5.1 and 5.2), each compared with its request. */
import type { Json, JsonObject } from '../../mcp/index.ts'
import { show } from '../rule.ts'
import { errorParameterFaults } from './error-parameters.ts'
import { checkGuessable } from './guessable.ts'
import { isJoinedOtherwise, isPlain, misspeltIn, type Note } from './sign-in-documents.ts'
import { checkCache, checkJson, headerOf, isMissing, missing, OF_HTTP, type Offers, type Responded } from './sign-in-responses.ts' // prettier-ignore

const TOKENS = 'RFC 6749 section 5.1'

/** The rules of a token response; in 2025-03-26, one row covers all of OAuth 2.1. */
const FORM = ['AU-0326-04', TOKENS]
const ERROR = 'RFC 6749 section 5.2'
const REFRESH = 'RFC 6749 section 6'

const isRefresh = (form: URLSearchParams): boolean => form.get('grant_type') === 'refresh_token'

/** The rules of errors. @param form the request */
const errorsOf = (form: URLSearchParams): string[] => (isRefresh(form) ? [ERROR, 'AU-TOK-05', REFRESH] : [ERROR])

/** Seconds. Access tokens should be short-lived. */
const MONTH = 31 * 86_400

/** @param client the client that the same sign-in registered */
export const granted = (response: Responded, offers: Offers, client: Client, note: Note): void => {
  const { status, document, body } = response
  const form = new URLSearchParams(body)
  // A probe sends no code and expects to be rejected.
  if (form.get('grant_type') === 'authorization_code' && !form.has('code')) return
  if (status >= 400) {
    if (document?.error === 'invalid_client' && isAsRegistered(response, form, client)) {
      const what = `The server registered this client with ${show(client?.method)}, but rejects it with invalid_client`
      note(['AU-FLOW-13', 'RFC 6749 section 2.3', 'RFC 7591 section 2', ERROR], what)
    }
    if (document?.error === 'invalid_client') documentRefused(form, note)
    return refusedTokens(response, form, offers, note)
  }
  if (!document) return
  const { access_token: token, error, expires_in: lifetime, refresh_token: refresh, scope } = document
  if (error !== undefined && token === undefined) {
    return note(
      errorsOf(form),
      `The error ${show(error)} came with a status of success; expected HTTP 400 (${ERROR})`,
      'MUST',
    )
  }
  checkScope(scope, note)
  if (token === undefined) return
  if (typeof error === 'string') note(FORM, `The response has both access_token and error (${TOKENS})`)
  checkJson(response, FORM, TOKENS, note)
  if (status !== 200) note(FORM, `HTTP ${status} with tokens; expected 200 (${TOKENS})`)
  checkCache(response, 'this token response', note)
  checkGuessable('access_token', token, note)
  checkGuessable('refresh_token', refresh, note)
  if (refresh !== undefined && (typeof refresh !== 'string' || refresh === '')) {
    note(FORM, `refresh_token must be a string that isn't empty (${TOKENS}); found ${show(refresh)}`)
  }
  const odd = misspeltIn(Object.keys(document).slice(0, 100), OPTIONAL, Object.keys(document))
  if (odd) note(FORM, `The response lacks ${odd.right} (${TOKENS}), but has ${show(odd.wrong)}`)
  checkIdToken(document, form, note)
  if (lifetime === undefined)
    return note(['AU-TOK-01', TOKENS], `The token response lacks expires_in (${TOKENS})`, 'MAY')
  if (offers.grants && !offers.grants.includes('refresh_token') && typeof refresh === 'string') {
    const what = 'The server issues refresh tokens, but grant_types_supported leaves refresh_token out'
    note(['AU-ASM-01', 'RFC 8414 section 2'], what, 'MAY')
  }
  if (typeof lifetime === 'number' && lifetime > 1_000_000_000) {
    return note(FORM, `expires_in must be a lifetime in seconds (${TOKENS}); found a point in time: ${lifetime}`)
  }
  if (typeof lifetime === 'number' && lifetime > 0 && !Number.isInteger(lifetime)) {
    return note(
      ['AU-0326-04', 'RFC 6749 appendix A.14', TOKENS],
      `expires_in must be in whole seconds (RFC 6749 appendix A.14); found ${lifetime}`,
    )
  }
  if (typeof lifetime !== 'number' || !(lifetime > 0)) {
    return note(FORM, `expires_in must be a number of seconds above 0 (${TOKENS}); found ${show(lifetime)}`)
  }
  if (lifetime > MONTH) {
    const days = Math.round(lifetime / 86_400)
    note('AU-TOK-01', `Access tokens should be short-lived; this one is valid for ${days} days`, 'SHOULD')
  }
}

/** The code shows that the authorization endpoint has read the client's document. */
const documentRefused = (form: URLSearchParams, note: Note): void => {
  if (!/^https:\/\/[^/]+\/./.test(form.get('client_id') ?? '') || !form.has('code') || form.has('client_secret')) return
  const what = 'The server issued a code for this client ID metadata document, but its token endpoint'
  note(['AU-REG-02', ERROR], `${what} rejects it with invalid_client`, 'SHOULD')
}

/** RFC 6749 section 5.1: optional members, which clients don't miss. */
const OPTIONAL = ['expires_in', 'refresh_token']

/** OpenID Connect Core section 3.1.3.3: a sign-in with this scope has an ID token. A refresh may leave it out. */
const checkIdToken = (document: JsonObject, form: URLSearchParams, note: Note): void => {
  const { scope } = document
  const isOpenId = typeof scope === 'string' && scope.split(' ').includes('openid')
  if (!isOpenId || document.id_token !== undefined || form.get('grant_type') !== 'authorization_code') return
  const rule = 'OpenID Connect Core section 3.1.3.3'
  note(rule, `The server granted the scope openid, but the response lacks id_token (${rule})`)
}

type Client = { readonly id: string; readonly method: Json | undefined } | undefined

/** The client authenticates with the method that the server registered for it. A secret may expire before a refresh. */
const isAsRegistered = ({ basic }: Responded, form: URLSearchParams, client: Client): boolean => {
  if (client?.method === 'none') return form.get('client_id') === client.id
  if (form.get('grant_type') !== 'authorization_code') return false
  if (client?.method === 'client_secret_basic') return basic
  return client?.method === 'client_secret_post' && form.has('client_secret') && form.get('client_id') === client.id
}

const SCOPES = 'RFC 6749 section 3.3'

/** A string of scopes separated by spaces. */
const checkScope = (scope: Json | undefined, note: Note): void => {
  if (scope === undefined) return
  const rules = ['AU-SCOPE-08', ...FORM, SCOPES]
  if (typeof scope !== 'string') note(rules, `scope must be a string (${SCOPES}); found ${show(scope)}`)
  else if (scope.trim() === '') note(rules, `scope is an empty string (${SCOPES}); leave it out instead`)
  else if (!isPlain(scope))
    note(rules, `Scopes are ASCII without quotes and backslashes (${SCOPES}); found ${show(scope)}`)
  else if (isJoinedOtherwise(scope)) note(rules, `Scopes are separated by spaces (${SCOPES}); found ${show(scope)}`)
}

/** The errors of RFC 6749 section 5.2 and RFC 8707 that must have the status 400. */
const WITH_400 = new Set(['invalid_request', 'invalid_grant', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope', 'invalid_target']) // prettier-ignore

/** The errors of RFC 6749 and its extensions. */
const TOKEN_ERRORS = new Set([
  ...WITH_400,
  ...['invalid_client', 'use_dpop_nonce', 'invalid_dpop_proof', 'authorization_pending', 'slow_down', 'expired_token'],
  ...[
    'access_denied',
    'server_error',
    'temporarily_unavailable',
    'invalid_authorization_details',
    'interaction_required',
  ],
  ...['login_required', 'consent_required', 'unsupported_token_type', 'insufficient_authorization'],
])

const refusedTokens = (response: Responded, form: URLSearchParams, offers: Offers, note: Note): void => {
  const { status, document, headers } = response
  const rules = errorsOf(form)
  const tell = (explanation: string) => note(rules, explanation, 'MUST')
  if (isMissing(response)) return missing('token', response, offers, note)
  const { error, error_description: description } = document ?? {}
  if (status === 415 && headers.length > 0) {
    return note(
      'RFC 6749 section 4.1.3',
      'HTTP 415 to a form; tokens are requested as application/x-www-form-urlencoded',
    )
  }
  if (typeof error !== 'string' || error === '') {
    if (!OF_HTTP.has(status)) tell(`HTTP ${status} without a JSON object that has an error (${ERROR})`)
    return
  }
  checkJson(response, rules, ERROR, note)
  if (WITH_400.has(error) && status !== 400) {
    tell(`HTTP ${status} with the error ${show(error)}; expected 400 (${ERROR})`)
  }
  if ((status === 400 || status === 401) && !TOKEN_ERRORS.has(error)) {
    tell(`The error ${show(error)} isn't one of token endpoints (${ERROR})`)
  }
  for (const fault of errorParameterFaults((name) => document?.[name], ERROR)) note(ERROR, fault, 'MUST')
  const isChallenged = headerOf(headers, 'www-authenticate') !== undefined
  if (response.basic && status === 401 && headers.length > 0 && !isChallenged && !response.crossOrigin) {
    tell(`HTTP 401 to an Authorization header, without WWW-Authenticate (${ERROR})`)
  }
  if (response.basic && error === 'invalid_client' && status !== 401) {
    tell(`HTTP ${status} with invalid_client to an Authorization header; expected 401 (${ERROR})`)
  }
  const words = `${error} ${typeof description === 'string' ? description : ''}`
  if (form.has('code_verifier') && isAboutPkce(words))
    note(['AU-FLOW-01', 'RFC 7636 section 4.6', 'RFC 7636 section 4.2'], REFUSES_PKCE, 'MUST')
  if (isAboutResource(error, description) && form.has('resource')) note('AU-FLOW-04', REFUSES_RESOURCE)
  const unfit = error === 'unsupported_grant_type' || error === 'unauthorized_client'
  if (unfit && form.get('grant_type') === 'refresh_token' && headers.length > 0) {
    note(['AU-TOK-05', REFRESH], `The server issued a refresh token but rejects it with ${error} (${REFRESH})`)
  }
  if (unfit && form.has('code')) {
    const what = `The server issued a code but rejects it with ${error} (${ERROR})`
    note(['AU-ASM-01', 'RFC 6749 section 4.1.3', ERROR], what)
  }
  if (
    isRefresh(form) &&
    form.has('refresh_token') &&
    UNASKED.has(error) &&
    !isAboutResource(error, description) &&
    !form.has('scope')
  ) {
    const what = `The server rejects a refresh that has everything in ${REFRESH}`
    note([REFRESH, 'AU-TOK-05', ERROR], `${what}: ${show(words)}`)
  }
}

/** Errors of a request that is wrong, which refreshes of this client aren't. */
const UNASKED = new Set(['invalid_request', 'invalid_scope'])

export const REFUSES_PKCE = 'The server rejects PKCE with S256, which MCP clients must use'

/** The words of an error are about PKCE. RFC 7636 section 4.4.1 suggests some of them. */
export const isAboutPkce = (words: string): boolean =>
  /code_?(challenge|verifier)|\bpkce\b|transform(ation)? algorithm/i.test(words)

export const REFUSES_RESOURCE =
  'The server rejects the resource parameter, which MCP clients must send (RFC 8707 section 2)'

/** The error is about the `resource` parameter (RFC 8707). Servers without it must ignore it (RFC 6749 section 3.1). */
export const isAboutResource = (error: Json | undefined, description: Json | undefined): boolean =>
  error === 'invalid_target' ||
  (error === 'invalid_request' && typeof description === 'string' && /\bresource\b/i.test(description))
