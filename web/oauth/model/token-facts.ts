/**
 * Facts about tokens that can be derived without trusting them (AU-GEN-04, AU-TOK-03, AU-TOK-06, AU-SCOPE-08):
 * from the token response, and from the claims of an access token that is a JWT. Only the server's verdict
 * counts; these facts explain it.
 */
import type { AuthCheck, Json, JsonObject } from '../../mcp/index.ts'
import type { TokenSet } from './sign-in-state.ts'
import { decodeJwt, type DecodedJwt } from './jwt.ts'
import { scopesOf } from './scope.ts'
import { httpUrl } from './safe-url.ts'
import { canonicalResource } from './well-known.ts'

/** The results of the checks, and their values. Times are in ms since the epoch; `seconds` are differences. */
export type TokenSay =
  /** `algorithm`, `type`: the token is a JWT; its signature was not checked. */
  | 'token-decoded'
  /** Only the servers can read it. */
  | 'token-opaque'
  | 'token-encrypted'
  /** `problems`: codes of `JwtProblem`, separated by commas. */
  | 'token-malformed'
  /** `alg` is `none`: anyone could have written it. */
  | 'token-unsigned'
  /** `claims`: those that indicate an ID token, which is meant for the client rather than a server. */
  | 'token-for-client'
  /** `at` */
  | 'token-expired'
  | 'token-without-end'
  /** `response`, `claim`, `seconds` */
  | 'token-ends-differ'
  /** `at`, `seconds` until then */
  | 'token-not-yet-valid'
  /** `claim`, `value`: not a number of seconds. */
  | 'token-time-odd'
  /** `claim`, `issuer` */
  | 'token-issuer-matches'
  | 'token-issuer-differs'
  /** `audience`, `expected`: separated by spaces. */
  | 'token-audience-matches'
  | 'token-audience-differs'
  /** `expected` */
  | 'token-audience-absent'
  /** `extra`: granted but not requested. */
  | 'token-scope-extra'
  /** The user has to sign in again when it expires; `at`, if known. */
  | 'token-without-refresh'
  /** `thumbprint`: only valid with proofs of that key. */
  | 'token-bound'
  /** `thumbprint`: bound to a key, but issued as a bearer token. */
  | 'token-bound-as-bearer'
  /** Issued as bound, but no claim binds it. */
  | 'token-not-bound'
  /** Bound to a TLS client certificate, which a page can't present (RFC 8705). */
  | 'token-bound-to-certificate'

export interface TokenFacts {
  readonly format: 'jwt' | 'opaque'
  readonly jwt?: DecodedJwt
  /** In their original order, without claims about a person. */
  readonly claims: readonly (readonly [name: string, value: Json])[]
  /** According to the token itself. */
  readonly issuer?: string
  readonly clientId?: string
  readonly algorithm?: string
  /** The earlier of both, in ms since the epoch. */
  readonly expiresAt?: number
  readonly expiry: { readonly response?: number; readonly claim?: number }
  readonly notBefore?: number
  readonly audience: {
    readonly verdict: 'matches' | 'differs' | 'absent'
    readonly claimed: readonly string[]
    /** The requested resource, and the server. */
    readonly expected: readonly string[]
  }
  readonly scopes: {
    /** Absent: no scope was requested. */
    readonly requested?: readonly string[]
    /** Absent: unknown. */
    readonly granted?: readonly string[]
    /** `request`: the response omitted it, so everything requested was granted (RFC 6749 section 5.1). */
    readonly grantedBy?: 'response' | 'claim' | 'request'
    readonly missing: readonly string[]
    readonly extra: readonly string[]
  }
  readonly hasRefreshToken: boolean
  /** SHA-256 thumbprint of the key whose proofs it needs (RFC 9449 section 6.1). */
  readonly boundTo?: string
  readonly checks: readonly (AuthCheck & { readonly say: TokenSay })[]
}

/** Maximum clock difference, in ms. */
const SKEW = 60_000
/** Maximum characters of a claim that are shown. */
const LONGEST = 500
const MOST = 20

/** @param now ms since the epoch */
export const tokenFacts = (tokens: TokenSet, now: number): TokenFacts => {
  const checks: TokenFacts['checks'][number][] = []
  const say = (say: TokenSay, rule: string, keyword: AuthCheck['keyword'], ok?: boolean, values?: JsonObject): void => {
    checks.push({ rule, keyword, ...(ok === undefined ? {} : { ok }), say, ...(values ? { values } : {}) })
  }
  const jwt = decodeJwt(tokens.accessToken)
  const claims = jwt?.claims ?? {}
  checkForm(jwt, say)
  const times = checkTimes(tokens, claims, now, say)
  const issuer = textIn(claims, 'iss')
  if (issuer !== undefined && tokens.issuer !== undefined) {
    const same = issuer === tokens.issuer
    const values = { claim: issuer, issuer: tokens.issuer }
    say(same ? 'token-issuer-matches' : 'token-issuer-differs', 'AU-GEN-04', 'MUST', same, values)
  }
  const audience = checkAudience(tokens, jwt, say)
  const scopes = scopesIn(tokens, claims)
  if (scopes.extra.length > 0)
    say('token-scope-extra', 'AU-SCOPE-08', 'MUST', undefined, { extra: listed(scopes.extra) })
  if (tokens.refreshToken === undefined) {
    const values: JsonObject = times.expiresAt === undefined ? {} : { at: times.expiresAt }
    say('token-without-refresh', 'AU-TOK-03', 'MUST', undefined, values)
  }
  const boundTo = checkBinding(tokens, jwt, say)
  const clientId = textIn(claims, 'client_id') ?? textIn(claims, 'azp')
  const algorithm = jwt && textIn(jwt.header, 'alg')
  return {
    format: jwt ? 'jwt' : 'opaque',
    jwt,
    claims: Object.entries(claims).filter(([name]) => !PERSONAL.has(name)),
    ...{ issuer, clientId, algorithm },
    ...times,
    audience,
    scopes,
    hasRefreshToken: tokens.refreshToken !== undefined,
    boundTo,
    checks,
  }
}

/** The facts that may be in the Trace and in files: nothing that grants access or identifies a person. */
export const safeFacts = (tokens: TokenSet): JsonObject => {
  const { format, issuer, clientId, algorithm, expiresAt, audience, scopes, boundTo } = tokenFacts(
    tokens,
    tokens.receivedAt,
  )
  const facts: Readonly<Record<string, Json | undefined>> = {
    type: tokens.tokenType,
    format,
    expiresAt,
    scope: tokens.scope ?? (scopes.granted && listed(scopes.granted)) ?? null,
    requestedScope: tokens.requestedScope,
    issuer: tokens.issuer ?? issuer,
    resource: tokens.resource,
    audience: audience.claimed.length > 0 ? audience.claimed : undefined,
    clientId: tokens.clientId ?? clientId,
    algorithm,
    bound: boundTo !== undefined || tokens.tokenType === 'DPoP' || undefined,
    hasRefreshToken: tokens.refreshToken !== undefined,
  }
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [[name, short(value)]])),
  )
}

type Say = (say: TokenSay, rule: string, keyword: AuthCheck['keyword'], ok?: boolean, values?: JsonObject) => void

/** Claims about a person (OpenID Connect Core section 5.1), and claims that identify a session or this token. */
const PERSONAL: ReadonlySet<string> = new Set(
  [
    'sub name given_name family_name middle_name nickname preferred_username username upn unique_name profile picture',
    'website email email_verified gender birthdate zoneinfo locale phone_number phone_number_verified address ipaddr',
    'oid sid session_state jti act may_act',
  ].flatMap((names) => names.split(' ')),
)

const checkForm = (jwt: DecodedJwt | undefined, say: Say): void => {
  if (!jwt) return say('token-opaque', 'RFC 6749 section 1.4', 'MAY')
  const { header, claims, problems } = jwt
  const algorithm = textIn(header, 'alg')
  if (problems.includes('encrypted')) say('token-encrypted', 'RFC 7516', 'MAY')
  else {
    const type = textIn(header, 'typ')
    say('token-decoded', 'RFC 7519', 'MAY', undefined, { algorithm: algorithm ?? null, type: type ?? null })
  }
  const odd = problems.filter((problem) => problem !== 'encrypted')
  if (odd.length > 0) say('token-malformed', 'RFC 7519 section 7.2', 'MUST', false, { problems: odd.join(', ') })
  if (algorithm?.toLowerCase() === 'none') say('token-unsigned', 'RFC 9068 section 2.1', 'MUST', false)
  const telling = ['nonce', 'at_hash', 'c_hash'].filter((name) => Object.hasOwn(claims, name))
  if (telling.length > 0)
    say('token-for-client', 'RFC 9068 section 6', 'MUST', undefined, { claims: telling.join(', ') })
}

const checkTimes = (
  { expiresAt: response, issuer }: TokenSet,
  claims: JsonObject,
  now: number,
  say: Say,
): Pick<TokenFacts, 'expiresAt' | 'expiry' | 'notBefore'> => {
  const claim = timeIn(claims, 'exp', say)
  const notBefore = timeIn(claims, 'nbf', say)
  const known = [response, claim].filter((time) => time !== undefined)
  const expiresAt = known.length > 0 ? Math.min(...known) : undefined
  if (response !== undefined && claim !== undefined && Math.abs(response - claim) > SKEW) {
    const seconds = Math.round((claim - response) / 1000)
    say('token-ends-differ', 'RFC 6749 section 5.1', 'SHOULD', undefined, { response, claim, seconds })
  }
  if (expiresAt === undefined) {
    // The response of a pasted token is unknown.
    if (issuer !== undefined) say('token-without-end', 'RFC 6749 section 5.1', 'SHOULD')
  } else if (expiresAt <= now) say('token-expired', 'RFC 7519 section 4.1.4', 'MUST', false, { at: expiresAt })
  if (notBefore !== undefined && notBefore > now + SKEW) {
    const seconds = Math.round((notBefore - now) / 1000)
    say('token-not-yet-valid', 'RFC 7519 section 4.1.5', 'MUST', false, { at: notBefore, seconds })
  }
  return { expiresAt, expiry: { response, claim }, notBefore }
}

/** Larger values are milliseconds by mistake: this is the year 5138. */
const LATEST = 1e11

const timeIn = (claims: JsonObject, claim: string, say: Say): number | undefined => {
  const value = own(claims, claim)
  if (value === undefined) return undefined
  if (typeof value === 'number' && value >= 0 && value < LATEST) return Math.round(value * 1000)
  say('token-time-odd', 'RFC 7519 section 2', 'MUST', false, { claim, value: short(value) })
  return undefined
}

const checkAudience = (tokens: TokenSet, jwt: DecodedJwt | undefined, say: Say): TokenFacts['audience'] => {
  const { resource, server } = tokens
  const aud = jwt && own(jwt.claims, 'aud')
  const claimed = (Array.isArray(aud) ? (aud as readonly Json[]) : [aud])
    .filter((one) => typeof one === 'string')
    .slice(0, MOST)
    .map((one) => one.slice(0, LONGEST))
  const expected = [...new Set([...(resource === undefined ? [] : [resource]), server])]
  const matches = claimed.some((one) => expected.some((other) => one === other || sameAddress(one, other)))
  const verdict = claimed.length === 0 ? 'absent' : matches ? 'matches' : 'differs'
  if (!jwt || jwt.problems.includes('encrypted')) return { verdict, claimed, expected }
  const values = { audience: listed(claimed), expected: listed(expected) }
  if (verdict === 'absent') say('token-audience-absent', 'AU-TOK-06', 'MUST', undefined, { expected: values.expected })
  else if (matches) say('token-audience-matches', 'AU-TOK-06', 'MUST', true, values)
  // If no resource was requested, the issuer couldn't know the audience.
  else say('token-audience-differs', 'AU-TOK-06', 'MUST', resource === undefined ? undefined : false, values)
  return { verdict, claimed, expected }
}

const sameAddress = (a: string, b: string): boolean =>
  httpUrl(a) !== undefined && httpUrl(b) !== undefined && canonicalResource(a) === canonicalResource(b)

const scopesIn = ({ requestedScope, scope }: TokenSet, claims: JsonObject): TokenFacts['scopes'] => {
  const claim = own(claims, 'scope') ?? own(claims, 'scp')
  const claimed = Array.isArray(claim)
    ? (claim as readonly Json[]).filter((one) => typeof one === 'string').join(' ')
    : typeof claim === 'string'
      ? claim
      : undefined
  const requested = requestedScope === undefined ? undefined : scopesOf(requestedScope)
  const granted = scope ?? claimed ?? requestedScope
  const grantedBy = scope !== undefined ? 'response' : claimed !== undefined ? 'claim' : 'request'
  if (granted === undefined) return { requested, missing: [], extra: [] }
  const given = scopesOf(granted)
  return {
    requested,
    granted: given,
    grantedBy,
    missing: requested?.filter((one) => !given.includes(one)) ?? [],
    extra: requested ? given.filter((one) => !requested.includes(one)) : [],
  }
}

const checkBinding = ({ tokenType }: TokenSet, jwt: DecodedJwt | undefined, say: Say): string | undefined => {
  if (!jwt || jwt.problems.includes('encrypted')) return undefined
  const cnf = own(jwt.claims, 'cnf')
  const confirmation = typeof cnf === 'object' && cnf !== null && !Array.isArray(cnf) ? (cnf as JsonObject) : {}
  const thumbprint = textIn(confirmation, 'jkt')
  if (own(confirmation, 'x5t#S256') !== undefined)
    say('token-bound-to-certificate', 'RFC 8705 section 3', 'MUST', false)
  if (thumbprint !== undefined) {
    const fits = tokenType === 'DPoP'
    say(fits ? 'token-bound' : 'token-bound-as-bearer', 'RFC 9449 section 6', 'MUST', fits, { thumbprint })
  } else if (tokenType === 'DPoP') say('token-not-bound', 'RFC 9449 section 6', 'MUST', false)
  return thumbprint
}

const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

const textIn = (object: JsonObject, name: string): string | undefined => {
  const value = own(object, name)
  return typeof value === 'string' ? value.slice(0, LONGEST) : undefined
}

const listed = (texts: readonly string[]): string => texts.join(' ').slice(0, 4 * LONGEST)

const short = (value: Json): Json => {
  if (typeof value === 'string') return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? value
    : JSON.stringify(value).slice(0, LONGEST)
}
